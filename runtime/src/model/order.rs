//! Which values of an index set can be exchanged, and which have an order.
//!
//! Components have no order of their own where the joint density stays as it is when they are renumbered. Whether it does is a question of values: a known
//! array tells two components apart if its slices at them differ, and a frozen latent does. Colours are refined until no known value tells two of one colour
//! apart (as vertices of graphs are; Weisfeiler and Leman 1968): values of different colours are never exchanged. Of one colour, each
//! pair is exchanged on trial, and all known values compared bit by bit.

use std::collections::BTreeMap;

use crate::counts::index_at;

use super::Bound;
use super::roles::{Fixed, Roles};

/// What can be exchanged in a model at the values that it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    sets: Vec<(&'static str, Order)>,
    /// For each latent the index sets whose values can be exchanged in it.
    latents: Vec<Vec<&'static str>>,
}

/// Whether the values of an index set can be brought into one order, the same one in every draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Those within one class, and those only.
    Within(Vec<Vec<usize>>),
    /// They cannot, and why.
    Refused(String),
}

/// What is known of the values of one role.
enum Found {
    Fixed(Fixed),
    /// Values that can be exchanged as one likes; one that is alone has its place.
    Classes(Vec<Vec<usize>>),
    /// They can be exchanged, but not in one order; why.
    Apart(String),
}

/// A known array, or a frozen latent.
struct KnownOfRole<'a> {
    /// The role of each index.
    roles: &'a [usize],
    shape: &'a [usize],
    values: &'a [f64],
    /// The role of what the values point to, if they are positions.
    target: Option<usize>,
}

impl Orders {
    /// Those of a model with its data.
    pub fn of(bound: &Bound) -> Self {
        let roles = Roles::of(bound.spec());
        let is_frozen = |latent: usize| bound.frozen(latent).is_some();
        let arrays = bound.arrays().iter().enumerate().map(|(array, values)| KnownOfRole {
            roles: &roles.arrays[array],
            shape: values.shape(),
            values: values.as_slice(),
            target: roles.targets[array],
        });
        let frozen = bound.latents().iter().enumerate().filter_map(|(number, latent)| {
            Some(KnownOfRole {
                roles: &roles.latents[number],
                shape: &latent.shape,
                values: bound.frozen(number)?,
                target: None,
            })
        });
        let known: Vec<KnownOfRole<'_>> = arrays.chain(frozen).collect();
        let mut sizes = vec![0; roles.roles.len()];
        let learned = bound.latents().iter().zip(&roles.latents);
        let learned = learned.map(|(latent, roles)| (&roles[..], &latent.shape[..]));
        for (of, shape) in known.iter().map(|known| (known.roles, known.shape)).chain(learned) {
            of.iter().zip(shape).for_each(|(&role, &size)| sizes[role] = size);
        }
        let values = KnownValues {
            roles: &roles,
            sizes,
            known,
        };
        let found = values.found(is_frozen);
        let is_open = |role: &usize| match &found[*role] {
            Found::Fixed(_) => false,
            Found::Classes(classes) => classes.iter().any(|class| class.len() > 1),
            Found::Apart(_) => true,
        };
        let open = roles.latents.iter().enumerate().map(|(latent, of)| {
            let open = of.iter().filter(|role| !is_frozen(latent) && is_open(role));
            let mut sets: Vec<&'static str> = Vec::new();
            open.map(|role| roles.roles[*role].set)
                .for_each(|set| sets.extend((!sets.contains(&set)).then_some(set)));
            sets
        });
        let mut of_sets: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for &role in roles.latents.iter().flatten() {
            let of_set = of_sets.entry(roles.roles[role].set).or_default();
            of_set.extend((!of_set.contains(&role)).then_some(role));
        }
        let sets = of_sets.into_iter().map(|(set, of)| {
            let order = match (&of[..], of.iter().any(is_open)) {
                ([role], _) => found[*role].order(),
                (_, true) => Order::Refused(
                    "it numbers several things that change places by themselves: declare an index set for each, or read \
                     one chain (`of_chain`)"
                        .to_owned(),
                ),
                (roles, false) => {
                    let is_fixed = |role: &&usize| matches!(found[**role], Found::Fixed(_));
                    found[*roles.iter().find(is_fixed).unwrap_or(&roles[0])].order()
                }
            };
            (set, order)
        });
        Self {
            sets: sets.collect(),
            latents: open.collect(),
        }
    }

    /// The order of an index set, if a latent has it.
    pub fn get(&self, set: &str) -> Option<&Order> {
        self.sets
            .iter()
            .find(|(known, _)| *known == set)
            .map(|(_, order)| order)
    }

    /// The index sets whose values can be exchanged in a latent.
    pub fn exchanged_in(&self, latent: usize) -> &[&'static str] {
        self.latents.get(latent).map_or(&[], |sets| &sets[..])
    }

    /// The index sets that can be exchanged, but not brought into one order, and why.
    pub fn refused(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.sets.iter().filter_map(|(set, order)| match order {
            Order::Refused(why) if self.latents.iter().flatten().any(|open| open == set) => Some((*set, &why[..])),
            _ => None,
        })
    }
}

impl Found {
    fn order(&self) -> Order {
        match self {
            Self::Classes(classes) => Order::Within(classes.clone()),
            Self::Apart(why) => Order::Refused(why.clone()),
            Self::Fixed(fixed) => Order::Refused(format!(
                "{}: read the fit as it is",
                match fixed {
                    Fixed::Count(count) =>
                        format!("its values are those of the data `{count}`, and stand for the same in every draw"),
                    Fixed::Time => "its values follow each other in time".to_owned(),
                    Fixed::Unsummed => "no rate sums over its values, so each keeps its place".to_owned(),
                }
            )),
        }
    }
}

/// The known values of a model by the roles of their indices.
struct KnownValues<'a> {
    roles: &'a Roles,
    sizes: Vec<usize>,
    known: Vec<KnownOfRole<'a>>,
}

impl KnownValues<'_> {
    fn found(&self, is_frozen: impl Fn(usize) -> bool + Copy) -> Vec<Found> {
        let roles = 0..self.sizes.len();
        let hosts = roles.clone().map(|role| match self.roles.roles[role].fixed {
            Some(_) => Vec::new(),
            None => {
                let hosts = self.roles.hosts(role, is_frozen).into_iter();
                hosts.filter(|host| self.sizes[*host] > 1).collect()
            }
        });
        let hosts: Vec<Vec<usize>> = hosts.collect();
        let colours = self.colours(&hosts);
        roles
            .map(|role| match self.roles.roles[role].fixed {
                Some(fixed) => Found::Fixed(fixed),
                None => self.classes(role, &hosts[role], &colours[role]),
            })
            .collect()
    }

    fn classes(&self, role: usize, hosts: &[usize], colours: &[u64]) -> Found {
        let mut classes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (value, &colour) in colours.iter().enumerate() {
            classes.entry(colour).or_default().push(value);
        }
        let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
        classes.sort();
        let is_alone = |class: &Vec<usize>| class.len() == 1;
        if classes.iter().all(is_alone) {
            return Found::Classes(classes);
        }
        if let Some(&host) = hosts.first() {
            if self.differ_at_each(role, hosts) {
                return Found::Classes((0..self.sizes[role]).map(|value| vec![value]).collect());
            }
            let host = self.roles.roles[host].set;
            return Found::Apart(format!(
                "at each value of `{host}` its values may change places by themselves, so that no order is common to all: read one chain \
                 (`of_chain`)"
            ));
        }
        let mut pairs = classes
            .iter()
            .flat_map(|class| class[1..].iter().map(|other| [class[0], *other]));
        match pairs.all(|pair| self.known.iter().all(|known| known.is_kept(role, pair))) {
            true => Found::Classes(classes),
            false => Found::Apart(
                "known values let some of its values change places only together with others: read one chain (`of_chain`)".to_owned(),
            ),
        }
    }

    /// Whether some known array tells all values of a role apart at each value of its hosts, whatever the order of its other indices.
    fn differ_at_each(&self, role: usize, hosts: &[usize]) -> bool {
        self.known.iter().any(|known| {
            let axis = known.roles.iter().position(|of| *of == role);
            let Some(axis) = axis.filter(|_| known.roles.iter().any(|of| hosts.contains(of))) else {
                return false;
            };
            let mut slices: BTreeMap<Vec<usize>, Vec<Vec<u64>>> = BTreeMap::new();
            for (entry, value) in known.values.iter().enumerate() {
                let index = index_at(known.shape, entry);
                let at_host = known.roles.iter().zip(&index).filter(|(of, _)| hosts.contains(of));
                let slices = slices.entry(at_host.map(|(_, at)| *at).collect()).or_default();
                slices.resize(known.shape[axis], Vec::new());
                slices[index[axis]].push(bits(*value));
            }
            slices.into_values().all(|mut slices| {
                slices.iter_mut().for_each(|slice| slice.sort_unstable());
                slices.sort();
                slices.windows(2).all(|pair| pair[0] != pair[1])
            })
        })
    }

    /// A colour for each value of each role. Values of different colours are told apart.
    fn colours(&self, hosts: &[Vec<usize>]) -> Vec<Vec<u64>> {
        let begin = (self.roles.roles.iter().zip(&self.sizes)).map(|(role, &size)| {
            let colour = |value: usize| role.fixed.map_or(0, |_| mixed(1, value as u64));
            (0..size).map(colour).collect()
        });
        let mut colours: Vec<Vec<u64>> = begin.collect();
        let is_open = |role: &usize| self.roles.roles[*role].fixed.is_none();
        let telling = self.known.iter().enumerate();
        let telling = telling.filter(|(_, known)| known.roles.iter().chain(&known.target).any(&is_open));
        let telling: Vec<(usize, &KnownOfRole<'_>)> = telling.collect();
        let number = |colours: &[Vec<u64>]| {
            let different = colours
                .iter()
                .map(|all| all.iter().collect::<std::collections::BTreeSet<_>>().len());
            different.sum::<usize>()
        };
        let mut before = 0;
        while number(&colours) > before {
            before = number(&colours);
            let mut next = colours.clone();
            for &(at, known) in &telling {
                known.recolour(at as u64, hosts, &colours, &mut next);
            }
            for (role, next) in next.into_iter().enumerate().filter(|(role, _)| is_open(role)) {
                colours[role] = next;
            }
        }
        colours
    }
}

impl KnownOfRole<'_> {
    /// Adds to the colour of each value what stands in its slice: entries with the colours of their other indices. Where values of a role are
    /// renumbered at each value of another by themselves, an array with indices of both says nothing of the role.
    fn recolour(&self, name: u64, hosts: &[Vec<usize>], colours: &[Vec<u64>], next: &mut [Vec<u64>]) {
        let is_told = |role: usize| !self.roles.iter().any(|other| hosts[role].contains(other));
        let mut index = vec![0; self.shape.len()];
        for value in self.values {
            let seen = |axis: usize| mixed(axis as u64 + 2, colours[self.roles[axis]][index[axis]]);
            let all = (0..index.len()).fold(0u64, |sum, axis| sum.wrapping_add(seen(axis)));
            let pointed = self.target.map(|role| (role, *value as usize));
            let what = pointed.map_or(bits(*value), |(role, at)| colours[role].get(at).copied().unwrap_or(0));
            for axis in (0..index.len()).filter(|axis| is_told(self.roles[*axis])) {
                let place = mixed(name, mixed(axis as u64, mixed(what, all.wrapping_sub(seen(axis)))));
                let colour = &mut next[self.roles[axis]][index[axis]];
                *colour = colour.wrapping_add(place);
            }
            if let Some((role, at)) = pointed
                && let Some(colour) = next[role].get_mut(at)
            {
                *colour = colour.wrapping_add(mixed(name, mixed(u64::MAX, all)));
            }
            for (at, size) in index.iter_mut().zip(self.shape).rev() {
                *at += 1;
                if *at < *size {
                    break;
                }
                *at = 0;
            }
        }
    }

    /// Whether all values stay as they are when two values of a role change places.
    fn is_kept(&self, role: usize, [one, other]: [usize; 2]) -> bool {
        let changed = |at: usize| match at {
            at if at == one => other,
            at if at == other => one,
            at => at,
        };
        if !self.roles.iter().chain(&self.target).any(|of| *of == role) {
            return true;
        }
        let axes = (0..self.shape.len()).filter(|axis| self.roles[*axis] == role);
        let axes = axes.map(|axis| (self.shape[axis + 1..].iter().product(), self.shape[axis]));
        let axes: Vec<(usize, usize)> = axes.collect();
        (self.values.iter().enumerate()).all(|(entry, value)| {
            let moved = axes.iter().fold(entry, |moved, (stride, size)| {
                let at = entry / stride % size;
                moved - at * stride + changed(at) * stride
            });
            let value = match self.target == Some(role) {
                true => changed(*value as usize) as f64,
                false => *value,
            };
            bits(self.values[moved]) == bits(value)
        })
    }
}

/// The bits of a number; those of zero whatever its sign.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// A number that depends on both, of which neither can be told from sums of others (the finalizer of SplitMix64).
fn mixed(one: u64, other: u64) -> u64 {
    let mut x = one.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(other) ^ other.rotate_left(32);
    for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
        x = (x ^ (x >> shift)).wrapping_mul(factor);
    }
    x ^ (x >> 31)
}
