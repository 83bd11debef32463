//! Groups of connected members, none heavier than a limit.

use petgraph::unionfind::UnionFind;

/// Groups of members by number, each in one of its own at first: some 10 bytes per member.
pub(crate) struct Groups {
    connected: UnionFind<u32>,
    /// Weight of each group, at the member that stands for it.
    weights: Vec<u32>,
    /// Most weight that a group may have.
    most: u32,
}

impl Groups {
    /// Makes a group of each member, of those weights.
    pub(crate) fn new(weights: Vec<u32>, most: u32) -> Self {
        let connected = UnionFind::new(weights.len());
        Self {
            connected,
            weights,
            most,
        }
    }

    /// Puts two members into one group; `None` if that would be too heavy.
    pub(crate) fn connect(&mut self, a: u32, b: u32) -> Option<()> {
        let (a, b) = (self.connected.find_mut(a), self.connected.find_mut(b));
        if a != b {
            let weight = self.weights[a as usize] + self.weights[b as usize];
            if weight > self.most {
                return None;
            }
            self.connected.union(a, b);
            self.weights[self.connected.find_mut(a) as usize] = weight;
        }
        Some(())
    }

    /// Numbers the groups of these members as they appear.
    pub(crate) fn numbers(&self, members: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut numbers = vec![u32::MAX; self.weights.len()];
        let mut groups = 0;
        let number = |member| {
            let number = &mut numbers[self.connected.find(member) as usize];
            if *number == u32::MAX {
                *number = groups;
                groups += 1;
            }
            *number
        };
        members.map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn groups_are_what_is_connected_and_not_too_heavy() {
        let mut groups = Groups::new(vec![1, 1, 2, 1, 3], 5);
        assert_eq!(groups.connect(3, 0), Some(()));
        assert_eq!(groups.connect(0, 2), Some(()));
        assert_eq!(groups.connect(2, 3), Some(()), "they are together");
        assert_eq!(groups.numbers(0..5), [0, 1, 0, 0, 2]);
        assert_eq!(groups.connect(4, 3), None, "seven are too many");
        assert_eq!(groups.connect(4, 1), Some(()));
        assert_eq!(groups.numbers([4, 3, 1].into_iter()), [0, 1, 0]);
    }
}
