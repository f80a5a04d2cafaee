//! What the indices of a declaration number, place by place.
//!
//! `theta[d, k]` and `phi[k, v]` in one term are read at one `k`: whoever renumbers the topics of one renumbers those of the other. Two indices over
//! one set that no term brings together are renumbered each by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::lookup::{Lookup, Positions};
use super::{CountSpec, Domain, FactorKind, Spec, TermSpec, TotalKind};

/// The roles of all indices of latents and known arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    pub roles: Vec<Role>,
    /// The role of each index of each latent.
    pub latents: Vec<Vec<usize>>,
    /// The role of each index of each known array.
    pub arrays: Vec<Vec<usize>>,
    /// The role of what an array of positions points to.
    pub targets: Vec<Option<usize>>,
    uses: Vec<Use>,
}

/// Indices that are renumbered together.
#[derive(Clone, Debug)]
pub(super) struct Role {
    /// Their index set.
    pub set: &'static str,
    /// Why they cannot be renumbered, if they cannot.
    pub fixed: Option<Fixed>,
}

/// What gives the values of an index places of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    /// They are those of the data of a count.
    Count(&'static str),
    /// Each follows another in time.
    Time,
    /// No rate sums over them.
    Unsummed,
}

/// The latents of one term with the indices at which it reads them; of a term of a prior also the latent whose prior it is.
#[derive(Clone, Debug)]
struct Use {
    /// The role of each index of the term.
    roles: BTreeMap<usize, usize>,
    latents: Vec<(usize, Vec<usize>)>,
    lookups: &'static [Lookup],
}

impl Roles {
    /// The roles that follow from a declaration.
    pub fn of(spec: &Spec) -> Self {
        let mut ties = Ties::default();
        let latents = spec.latents.iter().map(|latent| ties.nodes(spec, latent.sets));
        let latents: Vec<Vec<usize>> = latents.collect();
        let arrays: Vec<Vec<usize>> = (spec.arrays.iter()).map(|array| ties.nodes(spec, array.sets)).collect();
        let targets = spec.arrays.iter().map(|array| match array.domain {
            Domain::PositionIn(set) => Some(ties.node(spec.sets[set])),
            _ => None,
        });
        let targets: Vec<Option<usize>> = targets.collect();
        let mut reading = TermsRead {
            ties,
            all: [&latents, &arrays],
            targets: &targets,
            uses: Vec::new(),
        };
        for count in spec.counts {
            let free = reading.ties.nodes(spec, count.sets());
            for &node in &free {
                reading.ties.fixed[node] = Some(Fixed::Count(count.name));
            }
            if let Some((TotalKind::Array(array), total)) = count.total.map(|total| (total.of, total)) {
                let pairs = arrays[array].iter().zip(total.vars);
                pairs.for_each(|(&node, &var)| reading.ties.tie(node, free[var]));
            }
            reading.count(count, &free, None);
        }
        for (number, latent) in spec.latents.iter().enumerate() {
            // Entries along a simplex depend on each other: they cannot be renumbered one by one.
            let own = (0..latent.sets.len()).filter(|at| latent.prior.along != Some(*at));
            let own = Some((number, own.collect::<Vec<_>>()));
            for term in &latent.prior.parameters {
                reading.term(term, &latents[number], own.clone());
            }
            if let Some(shape) = latent.prior.shape {
                reading.count(shape, &latents[number], own);
            }
        }
        let TermsRead { ties, uses, .. } = reading;
        ties.settled(latents, arrays, targets, uses)
    }

    /// The roles at each value of which the values of another can be renumbered by themselves: whatever is learned has an index of both wherever it
    /// has one of the latter. `is_frozen` says which latents are not learned.
    pub fn hosts(&self, role: usize, is_frozen: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut hosts: Option<BTreeSet<usize>> = None;
        for of in &self.uses {
            let vars = of.roles.iter().filter(|(_, found)| **found == role);
            for (var, _) in vars {
                let mut common: Option<BTreeSet<usize>> = None;
                let readers = of.latents.iter().filter(|(latent, _)| !is_frozen(*latent));
                for (_, at) in readers.filter(|(_, at)| at.contains(var)) {
                    let beside = of.determined(at, *var);
                    common = Some(common.map_or(beside.clone(), |common| &common & &beside));
                }
                let Some(common) = common else { continue };
                let found = common.iter().map(|var| of.roles[var]).filter(|host| *host != role);
                let found: BTreeSet<usize> = found.collect();
                hosts = Some(hosts.map_or(found.clone(), |hosts| &hosts & &found));
            }
        }
        hosts.into_iter().flatten().collect()
    }
}

impl Use {
    /// The indices other than `var` of a latent that is read at the indices `at`, and those that are looked up at them.
    fn determined(&self, at: &[usize], var: usize) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = at.iter().copied().filter(|other| *other != var).collect();
        let carried: BTreeSet<usize> = at.iter().map(|var| self.roles[var]).collect();
        let looked = self.lookups.iter().filter(|lookup| {
            let is_there = lookup.at.iter().all(|var| at.contains(var));
            matches!(lookup.of, Positions::In(_)) && is_there && !carried.contains(&self.roles[&lookup.var])
        });
        all.extend(looked.map(|lookup| lookup.var));
        all
    }
}

/// Terms being read, one after another.
struct TermsRead<'a> {
    ties: Ties,
    /// The indices of the latents, and those of the known arrays.
    all: [&'a [Vec<usize>]; 2],
    targets: &'a [Option<usize>],
    uses: Vec<Use>,
}

impl TermsRead<'_> {
    /// The terms of a rate whose first indices are `free`.
    fn count(&mut self, count: &CountSpec, free: &[usize], own: Option<(usize, Vec<usize>)>) {
        for term in count.terms {
            self.term(term, free, own.clone());
        }
    }

    fn term(&mut self, term: &TermSpec, free: &[usize], own: Option<(usize, Vec<usize>)>) {
        let mut nodes: BTreeMap<usize, usize> = free.iter().copied().enumerate().collect();
        for factor in term.factors {
            let axes = match factor.of {
                FactorKind::Latent(latent) => &self.all[0][latent],
                FactorKind::Array(array) => &self.all[1][array],
                FactorKind::Hyper(_) => continue,
            };
            for (&axis, &var) in axes.iter().zip(factor.vars) {
                self.ties.tie(axis, *nodes.entry(var).or_insert(axis));
            }
        }
        for lookup in term.lookups {
            match lookup.of {
                Positions::In(array) => {
                    for (&axis, &var) in self.all[1][array].iter().zip(lookup.at) {
                        self.ties.tie(axis, *nodes.entry(var).or_insert(axis));
                    }
                    if let Some(target) = self.targets[array] {
                        self.ties.tie(target, *nodes.entry(lookup.var).or_insert(target));
                    }
                }
                Positions::Back(_) => {
                    if let (Some(&now), Some(&before)) = (nodes.get(&lookup.at[0]), nodes.get(&lookup.var)) {
                        self.ties.tie(now, before);
                        self.ties.fixed[now] = Some(Fixed::Time);
                    }
                }
            }
        }
        for node in term.summed.iter().filter_map(|var| nodes.get(var)) {
            self.ties.is_summed[*node] = true;
        }
        let latents = term.factors.iter().filter_map(|factor| match factor.of {
            FactorKind::Latent(latent) => Some((latent, factor.vars.to_vec())),
            _ => None,
        });
        self.uses.push(Use {
            latents: latents.chain(own).collect(),
            roles: nodes,
            lookups: term.lookups,
        });
    }
}

/// Indices, and which of them are one.
#[derive(Debug, Default)]
struct Ties {
    parents: Vec<usize>,
    sets: Vec<&'static str>,
    fixed: Vec<Option<Fixed>>,
    is_summed: Vec<bool>,
}

impl Ties {
    fn node(&mut self, set: &'static str) -> usize {
        self.parents.push(self.parents.len());
        self.sets.push(set);
        self.fixed.push(None);
        self.is_summed.push(false);
        self.sets.len() - 1
    }

    fn nodes(&mut self, spec: &Spec, sets: &[usize]) -> Vec<usize> {
        sets.iter().map(|&set| self.node(spec.sets[set])).collect()
    }

    fn root(&self, node: usize) -> usize {
        match self.parents[node] {
            parent if parent == node => node,
            parent => self.root(parent),
        }
    }

    fn tie(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// A number for each role in place of the nodes.
    fn settled(
        self,
        latents: Vec<Vec<usize>>,
        arrays: Vec<Vec<usize>>,
        targets: Vec<Option<usize>>,
        uses: Vec<Use>,
    ) -> Roles {
        let all = 0..self.parents.len();
        let roots: Vec<usize> = all.clone().filter(|node| self.parents[*node] == *node).collect();
        let role = |node: usize| {
            let root = self.root(node);
            roots.binary_search(&root).unwrap_or(0)
        };
        let roles = roots.iter().map(|root| {
            let nodes = || all.clone().filter(|node| self.root(*node) == *root);
            let fixed = nodes().find_map(|node| self.fixed[node]);
            let is_summed = nodes().any(|node| self.is_summed[node]);
            Role {
                set: self.sets[*root],
                fixed: fixed.or((!is_summed).then_some(Fixed::Unsummed)),
            }
        });
        let list = |of: Vec<Vec<usize>>| {
            let lists = of.into_iter().map(|nodes| nodes.into_iter().map(role).collect());
            lists.collect::<Vec<Vec<usize>>>()
        };
        let uses = uses.into_iter().map(|of| Use {
            roles: of.roles.into_iter().map(|(var, node)| (var, role(node))).collect(),
            ..of
        });
        Roles {
            roles: roles.collect(),
            latents: list(latents),
            arrays: list(arrays),
            targets: targets.into_iter().map(|target| target.map(role)).collect(),
            uses: uses.collect(),
        }
    }
}
