//! Stars: from which hosts to which others pings are sent.
//!
//! A boundary of a level waits for the slowest path from one host of a group to its others. So each
//! group of each level needs samples of the paths of one star.

use crate::topology::{Partition, Tree};

/// Host in the middle of a group, and all others of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Star {
    pub(super) middle: u32,
    pub(super) others: Vec<u32>,
}

/// Returns stars by which each group of each level has paths from one of its hosts to all others.
///
/// The middle is the center of the group: the host of least eccentricity, the distance to the
/// farthest other host. A group that has the middle of a wider star needs none of its own, as the
/// paths of that star are enough. This takes levels that are nested, the innermost first.
pub(super) fn stars(tree: &Tree, levels: &[Partition]) -> Vec<Star> {
    let mut stars: Vec<Star> = Vec::new();
    for level in levels.iter().rev() {
        for group in 0..level.count() as u32 {
            let is_in = |host: &u32| level.groups[*host as usize] == group;
            let hosts: Vec<u32> = (0..tree.hosts() as u32).filter(is_in).collect();
            if hosts.len() < 2 || stars.iter().any(|star| hosts.contains(&star.middle)) {
                continue;
            }
            let farthest = |&middle: &u32| {
                let distances = hosts.iter().map(|&other| tree.distance(middle, other));
                distances.fold(0.0, f64::max)
            };
            let nearer = |a: &&u32, b: &&u32| farthest(a).total_cmp(&farthest(b));
            if let Some(&middle) = hosts.iter().min_by(nearer) {
                let others = hosts.iter().copied().filter(|&host| host != middle);
                let others = others.collect();
                stars.push(Star { middle, others });
            }
        }
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::levels;

    #[test]
    fn each_group_has_a_star() {
        let sites = "((a:10,b:10,(c:10,d:10):100):1000,(e:10,f:10,(g:9,h:10):100):1000);";
        let tree: Tree = sites.parse().expect("it is a tree");
        let levels = levels(&tree, levels::RATIO);
        assert_eq!(levels.len(), 3);
        let stars = stars(&tree, &levels);
        let star = |middle, others: &[u32]| Star {
            middle,
            others: others.to_vec(),
        };
        // Hosts a, b, e and f are equally central, and the first is taken; others are behind one
        // more switch.
        assert_eq!(stars[0], star(0, &[1, 2, 3, 4, 5, 6, 7]));
        for level in &levels {
            for group in 0..level.count() as u32 {
                let is_in = |host: u32| level.groups[host as usize] == group;
                let hosts = (0..8).filter(|&host| is_in(host)).count();
                let has_all = |star: &Star| {
                    is_in(star.middle)
                        && star.others.iter().filter(|&&other| is_in(other)).count() + 1 == hosts
                };
                assert!(hosts < 2 || stars.iter().any(has_all), "{level:?} {group}");
            }
        }
        assert_eq!(stars.len(), 4);
    }
}
