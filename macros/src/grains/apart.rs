//! Independence of grains: refuses data, control and jumps that would tie them together, and finds
//! the data that each grain has for itself.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Label, Lifetime};

use super::Finder;
use super::nodes::{each, uses};
use crate::kernel::{Id, Step};
use crate::lower::{For, Node, Role};
use crate::places;

impl Finder<'_, '_> {
    /// Checks that a grain leaves nothing behind but data, and goes nowhere else.
    pub(super) fn inside(&mut self, own: Option<&For>, body: &[Node]) {
        for (span, why) in self.wrong(own, body) {
            self.refuse(span, &why);
        }
    }

    /// Finds control that goes on from one grain to the next, and jumps out of a grain.
    pub(super) fn wrong(&self, own: Option<&For>, body: &[Node]) -> Vec<(Span, String)> {
        let mut inside = own.map_or_else(BTreeSet::new, |own| own.declared.clone());
        inside.extend(own.and_then(|own| own.variable));
        let mut labels: BTreeSet<String> = BTreeSet::new();
        each(body, &mut |node| match node {
            Node::Let { id, .. } => drop(inside.insert(*id)),
            Node::For(For { label, .. })
            | Node::While { label, .. }
            | Node::Loop { label, .. }
            | Node::Block { label, .. } => labels.extend(label.as_ref().map(name)),
            _ => {}
        });
        let mut wrong = Vec::new();
        each(body, &mut |node| {
            if let Node::Assign { place, .. } = node
                && let Some(id) = places::target(place, &self.kernel.bindings)
                && !inside.contains(&id)
            {
                let name = &self.kernel.bindings[id].name;
                let why = format!(
                    "cannot have control that goes on from one grain to the next: `{name}` is to be computed from loop variables and parameters"
                );
                wrong.push((place.span(), why));
            }
        });
        let mut jumps = Jumps {
            inner: labels,
            own: own.and_then(|own| own.label.as_ref()).map(name),
            is_loop: own.is_some(),
            wrong: Vec::new(),
        };
        jumps.nodes(body, 0);
        for span in jumps.wrong {
            let why = "cannot leave a loop from one of its grains: the others run at the same time";
            wrong.push((span, why.into()));
        }
        wrong
    }

    /// Tells whether an array is data of the kernel's own that is not computed anew for each grain.
    fn is_local(&self, array: usize) -> bool {
        self.lowered.arrays[array].role == Role::Local && !self.fixed.contains(&array)
    }

    /// Finds the local data that nodes use.
    pub(super) fn used(&self, nodes: &[Node]) -> BTreeSet<usize> {
        let mut used = uses(nodes, &self.lowered.statements);
        used.retain(|&array, _| self.is_local(array));
        used.into_keys().collect()
    }

    /// Finds which of the arrays live longer than the body of a loop, which declares these names.
    pub(super) fn outliving(
        &self,
        declared: &BTreeSet<Id>,
        arrays: BTreeSet<usize>,
    ) -> impl Iterator<Item = usize> {
        let outside = |&array: &usize| !declared.contains(&self.lowered.arrays[array].id);
        arrays.into_iter().filter(outside)
    }

    /// Tells whether several grains can have an array of the kernel's own in common.
    pub(super) fn can_be_common(&self, array: usize) -> bool {
        !self.is_of_a_reduction(self.lowered.arrays[array].id)
    }

    /// Finds the data that each iteration of a loop has for itself, and the data of the kernel's
    /// own that all have in common.
    pub(super) fn locals(&mut self, own: &For) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let used = self.used(&own.body);
        let common: BTreeSet<usize> = self.outliving(&own.declared, used.clone()).collect();
        self.refuse_reductions(&common);
        (&used - &common, common)
    }

    /// Finds the data that statements have for themselves, and the kernel's own data that they have
    /// in common with others. It is in common if others use it, too, or if it lives on to the next
    /// iteration of the loop around.
    pub(super) fn locals_of_statements(
        &mut self,
        nodes: &[&Node],
    ) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut count = BTreeMap::<usize, usize>::new();
        for &node in nodes {
            for (array, more) in uses(std::slice::from_ref(node), &self.lowered.statements) {
                *count.entry(array).or_default() += more;
            }
        }
        count.retain(|&array, _| self.is_local(array));
        let used: BTreeSet<usize> = count.keys().copied().collect();
        let mut common: BTreeSet<usize> = match self.around.last() {
            Some(declared) => self.outliving(declared, used.clone()).collect(),
            None => BTreeSet::new(),
        };
        let with_others = |&array: &usize| self.uses[&array] != count[&array];
        common.extend(used.iter().copied().filter(with_others));
        // A reduction that is one grain gains nothing: whoever marks it wants another.
        let is_outermost = self.level.is_none_or(|level| level == 0);
        self.refuse_reductions(if is_outermost { &used } else { &common });
        (&used - &common, common)
    }

    /// Refuses those of the arrays that have partial results of reductions.
    fn refuse_reductions(&mut self, arrays: &BTreeSet<usize>) {
        for &array in arrays {
            if !self.can_be_common(array) && self.told.insert(array) {
                let name = &self.kernel.bindings[self.lowered.arrays[array].id].name;
                let why = "cannot have `#[reduce]` but inside its grains: reduce by `superstep::reduce` outside the kernel, or collect sums of blocks in a parameter";
                self.refuse(name.span(), why);
            }
        }
    }

    /// Tells whether an array has the partial results of a loop marked `#[reduce]`.
    pub(super) fn is_of_a_reduction(&self, array: Id) -> bool {
        let mut found = false;
        self.kernel.each_step(&mut |step| {
            found |= matches!(step, Step::Let { id, placeholder: true, .. } if *id == array);
        });
        found
    }
}

/// Jumps out of a grain.
struct Jumps {
    inner: BTreeSet<String>,
    own: Option<String>,
    /// Set if the grain is an iteration of a loop, whose next one a jump may begin.
    is_loop: bool,
    wrong: Vec<Span>,
}

impl Jumps {
    /// Collects the wrong jumps of nodes. `depth`: loops around, inside the grain.
    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            let is_inner = |label: &Lifetime| self.inner.contains(&text(label));
            let stays = match node {
                Node::Return(_) => false,
                Node::Break(_, None) => depth > 0,
                Node::Break(_, Some(label)) => is_inner(label),
                Node::Continue(_, None) => depth > 0 || self.is_loop,
                Node::Continue(_, Some(label)) => {
                    is_inner(label) || self.own.as_ref() == Some(&text(label))
                }
                _ => true,
            };
            if let Node::Return(span) | Node::Break(span, _) | Node::Continue(span, _) = node
                && !stays
            {
                self.wrong.push(*span);
            }
            let is_loop = matches!(node, Node::For(_) | Node::While { .. } | Node::Loop { .. });
            for body in node.bodies() {
                self.nodes(body, depth + usize::from(is_loop));
            }
        }
    }
}

fn name(label: &Label) -> String {
    text(&label.name)
}

fn text(label: &Lifetime) -> String {
    label.ident.to_string()
}
