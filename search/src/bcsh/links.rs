//! Links: the classes of each group, as linked lists.

use super::NONE;

/// Links of the classes that each group shares with other groups, as linked lists. A class that is
/// shared no more is dropped when it is met.
#[derive(Clone)]
pub(super) struct Links {
    first: Vec<u32>,
    last: Vec<u32>,
    len: Vec<u32>,
    next: Vec<u32>,
    class: Vec<u32>,
    /// First link that is free; the others follow.
    free: u32,
}

impl Links {
    /// Returns lists without classes, for that many groups.
    pub(super) fn new(groups: usize) -> Self {
        Self {
            first: vec![NONE; groups],
            last: vec![NONE; groups],
            len: vec![0; groups],
            next: Vec::new(),
            class: Vec::new(),
            free: NONE,
        }
    }

    /// Returns the room taken: number of links, free ones included.
    pub(super) fn count(&self) -> usize {
        self.next.len()
    }

    /// Returns the number of classes that a group shares, or did when it was last visited.
    pub(super) fn len(&self, group: u32) -> u32 {
        self.len[group as usize]
    }

    /// Adds a class to those of a group.
    pub(super) fn push(&mut self, group: u32, class: u32) {
        let link = self.free;
        if link == NONE {
            self.next.push(NONE);
            self.class.push(class);
            self.attach(group, self.next.len() as u32 - 1);
        } else {
            self.free = std::mem::replace(&mut self.next[link as usize], NONE);
            self.class[link as usize] = class;
            self.attach(group, link);
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

    /// Visits the classes of a group and drops those for which `keep` does not hold.
    pub(super) fn retain(&mut self, group: u32, keep: impl FnMut(u32) -> bool) {
        let first = std::mem::replace(&mut self.first[group as usize], NONE);
        self.last[group as usize] = NONE;
        self.len[group as usize] = 0;
        self.append_links(first, group, keep);
    }

    /// Moves the classes of `from` for which `keep` holds to `to`, and drops the others.
    pub(super) fn append(&mut self, from: u32, to: u32, keep: impl FnMut(u32) -> bool) {
        self.append_links(self.first[from as usize], to, keep);
    }

    fn append_links(&mut self, mut link: u32, to: u32, mut keep: impl FnMut(u32) -> bool) {
        while link != NONE {
            let next = std::mem::replace(&mut self.next[link as usize], NONE);
            if keep(self.class[link as usize]) {
                self.attach(to, link);
            } else {
                self.next[link as usize] = self.free;
                self.free = link;
            }
            link = next;
        }
    }
}
