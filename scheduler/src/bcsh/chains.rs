//! The classes of each group.

use super::{NONE, classes::Classes};

/// For each group the classes that it shares with other groups, as linked lists. A class that came to be of one group alone is dropped when
/// it is met: nothing is left to find in it, and a group that swallows one neighbour after the other must not carry it along.
#[derive(Default)]
pub(super) struct Chains {
    first: Vec<u32>,
    last: Vec<u32>,
    len: Vec<u32>,
    next: Vec<u32>,
    class: Vec<u32>,
}

impl Chains {
    /// Starts from those classes, for that many groups.
    pub(super) fn build(&mut self, groups: usize, classes: &Classes) {
        self.next.clear();
        self.class.clear();
        self.first.clear();
        self.first.resize(groups, NONE);
        self.last.clear();
        self.last.resize(groups, NONE);
        self.len.clear();
        self.len.resize(groups, 0);
        for (members, class) in classes.iter().zip(0..) {
            if members.len() == 1 {
                continue;
            }
            for &group in members {
                let link = self.next.len() as u32;
                self.next.push(NONE);
                self.class.push(class);
                self.attach(group, link);
            }
        }
    }

    fn attach(&mut self, group: u32, link: u32) {
        match self.last[group as usize] {
            NONE => self.first[group as usize] = link,
            last => self.next[last as usize] = link,
        }
        self.last[group as usize] = link;
        self.len[group as usize] += 1;
    }

    /// Number of classes that a group shares, or did when it was last visited.
    pub(super) fn len(&self, group: u32) -> u32 {
        self.len[group as usize]
    }

    /// Visits the classes of a group and drops those for which `keep` does not hold.
    pub(super) fn retain(&mut self, group: u32, mut keep: impl FnMut(u32) -> bool) {
        let mut link = std::mem::replace(&mut self.first[group as usize], NONE);
        self.last[group as usize] = NONE;
        self.len[group as usize] = 0;
        while link != NONE {
            let next = std::mem::replace(&mut self.next[link as usize], NONE);
            if keep(self.class[link as usize]) {
                self.attach(group, link);
            }
            link = next;
        }
    }

    /// Moves the classes of `from` for which `keep` holds to `to`.
    pub(super) fn append(&mut self, from: u32, to: u32, mut keep: impl FnMut(u32) -> bool) {
        let mut link = self.first[from as usize];
        while link != NONE {
            let next = std::mem::replace(&mut self.next[link as usize], NONE);
            if keep(self.class[link as usize]) {
                self.attach(to, link);
            }
            link = next;
        }
    }
}
