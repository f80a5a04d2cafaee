//! What holds for any seed: walks, exposures and bounds against plain loops, names, masks, files, and draws bit by bit. One
//! binary, since each that is linked costs as much as most of these files take.

mod any_channel;
mod cells;
mod components;
mod crossings;
mod custom_update;
mod equivalent;
mod extend;
mod extremes;
mod files;
mod forms;
mod frozen;
mod log_likelihood;
mod lookups;
mod named_laws;
mod names;
mod open_totals;
mod predictive;
mod privacy_pages;
mod published;
mod release_files;
mod shadowed;
mod shapes;
mod starting;
mod threads;
mod time;
mod totals;
