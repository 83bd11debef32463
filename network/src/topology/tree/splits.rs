//! Splits of a tree, by which trees are compared.

use std::collections::BTreeSet;

use super::Tree;

/// Splits in which two trees differ (Robinson and Foulds 1981).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Splits of the true tree that the other lacks.
    pub missing: Vec<Vec<u32>>,
    /// Splits of the other tree that the true one lacks.
    pub extra: Vec<Vec<u32>>,
}

impl Difference {
    /// Returns whether the trees have the same shape.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

impl Tree {
    /// Splits of the hosts by the links, in depth-first order. Each has the far end of a link, and
    /// the hosts on the side without host 0, sorted.
    ///
    /// ```
    /// use superstep_network::topology::Tree;
    ///
    /// let tree: Tree = "(a:10,b:10,(c:12,d:12):7);".parse()?;
    /// let inner: Vec<_> = tree.splits().filter(|(_, side)| side.len() == 2).collect();
    /// assert_eq!(inner, [(5, vec![2, 3])]);
    /// # Ok::<(), superstep_network::topology::NewickError>(())
    /// ```
    pub fn splits(&self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let hosts = self.depth_first();
        let (first, after) = self.spans();
        self.order[1..].iter().map(move |&v| {
            let mut side = hosts[first[v as usize]..after[v as usize]].to_vec();
            side.sort_unstable();
            (v, side)
        })
    }

    /// Splits between switches: those with two hosts or more on both sides.
    fn inner_splits(&self) -> BTreeSet<Vec<u32>> {
        let inner = |side: &Vec<u32>| side.len() > 1 && side.len() + 1 < self.hosts();
        self.splits().map(|(_, side)| side).filter(inner).collect()
    }

    /// Compares the shape with that of the true tree; hosts are told apart by their numbers, and
    /// latencies do not matter.
    pub fn difference(&self, truth: &Self) -> Difference {
        let (ours, theirs) = (self.inner_splits(), truth.inner_splits());
        Difference {
            missing: theirs.difference(&ours).cloned().collect(),
            extra: ours.difference(&theirs).cloned().collect(),
        }
    }

    /// Returns for each host and switch the positions in depth-first order of the first host below
    /// it and after the last.
    pub(crate) fn spans(&self) -> (Vec<usize>, Vec<usize>) {
        let hosts = self.hosts();
        let mut first = vec![0; self.order.len()];
        let mut after = vec![0; self.order.len()];
        let mut seen = 0;
        for &v in &self.order {
            first[v as usize] = seen;
            seen += usize::from((v as usize) < hosts);
            after[v as usize] = seen;
        }
        for &v in self.order[1..].iter().rev() {
            let parent = self.parents[v as usize] as usize;
            after[parent] = after[parent].max(after[v as usize]);
        }
        (first, after)
    }
}
