//! Groups of a layer: growth by a level, and merging.

mod merging;

use superstep_dag::Dag;

use super::{
    classes::{self, Classes},
    dealing::deal,
    links::Links,
    roster::Roster,
    watch::Watch,
    weights::Weights,
};

/// Mark of a note on a task of a finished layer.
const FINISHED: u32 = 1 << 31;

/// Class of each task of the layer that is being collected; for each task of a finished layer the
/// note of the finisher.
pub(super) struct TaskClasses(Vec<u32>);

impl TaskClasses {
    pub(super) fn new(tasks: usize) -> Self {
        Self(vec![0; tasks])
    }

    /// Returns the class of a task of this layer, or the note on one of a finished layer.
    pub(super) fn get(&self, task: u32) -> u32 {
        self.0[task as usize] & !FINISHED
    }

    /// Notes what the finisher wants to know of a task.
    pub(super) fn finish(&mut self, task: u32, note: u32) {
        self.0[task as usize] = FINISHED | note;
    }
}

/// Groups of a layer.
///
/// To take in a level costs time for its edges and for the groups that it makes heavier. It costs
/// time for the groups that may find a partner, and nothing for the others.
pub(super) struct Groups {
    classes: Classes,
    roster: Roster,
    /// Classes that each group shares.
    links: Links,
    watch: Watch,
    sweep: merging::Sweep,
    /// Steps taken so far: edges followed, members of classes met.
    pub(super) steps: u64,
}

/// State that [`Groups::restore`] needs.
pub(super) struct Saved {
    classes: classes::Saved,
    roster: Roster,
    links: Links,
    watch: Watch,
}

impl Groups {
    /// Makes one group for each task of a level.
    pub(super) fn new(graph: &Dag, level: &[u32], tasks: &mut TaskClasses) -> Self {
        let weights: Vec<u64> = level
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .collect();
        for (&task, class) in level.iter().zip(0..) {
            tasks.0[task as usize] = class;
        }
        Self {
            classes: Classes::singletons(&weights),
            roster: Roster::new(weights),
            links: Links::new(level.len()),
            watch: Watch::new(level.len()),
            sweep: merging::Sweep::new(level.len()),
            steps: 0,
        }
    }

    /// Takes a level in: each task joins every group that has a successor of it in this layer.
    pub(super) fn grow(&mut self, graph: &Dag, level: &[u32], tasks: &mut TaskClasses) {
        let known = self.classes.sets.len();
        self.classes.sets.forget_unions();
        for &task in level {
            self.classes.sets.begin_union();
            let successors = graph.successors(task);
            self.steps += successors.len() as u64;
            for &successor in successors {
                let class = tasks.0[successor as usize];
                if class & FINISHED == 0 {
                    self.classes.unite(class);
                }
            }
            tasks.0[task as usize] = self.classes.add(u64::from(graph.weight(task)));
        }
        for class in known as u32..self.classes.sets.len() as u32 {
            for &group in self.classes.sets.get(class).0 {
                self.links.push(group, class);
            }
        }
        self.classes.sets.end_level(|members, added, had_weight| {
            self.steps += members.len() as u64;
            for &group in members {
                self.roster.grow(group, added);
                if !had_weight && members.len() > 1 {
                    self.watch.alert(group);
                }
            }
        });
        self.roster.settle();
    }

    /// Returns about the number of steps that it takes to copy the groups.
    pub(super) fn size(&self) -> u64 {
        (self.classes.sets.len() + self.links.count() + self.watch.len()) as u64
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            classes: self.classes.save(),
            roster: self.roster.clone(),
            links: self.links.clone(),
            watch: self.watch.clone(),
        }
    }

    /// Takes back all growth and merging since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.classes.restore(saved.classes);
        self.roster = saved.roster;
        self.links = saved.links;
        self.watch = saved.watch;
    }

    /// Returns the weights of the groups.
    pub(super) fn weights(&self) -> &Weights {
        &self.roster.settled
    }

    /// Deals the groups, known by their seeds, to processors.
    pub(super) fn deal(&self, processors: u32) -> (Vec<(u32, u32)>, u64) {
        deal(self.roster.groups().collect(), processors)
    }

    /// Returns the seed of the group with that label.
    pub(super) fn seed(&self, label: u32) -> u32 {
        self.roster.rank(label).1
    }

    /// Returns the labels of the groups of each class; none for a class that tasks are in no more.
    pub(super) fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.classes.sets.iter().map(|(groups, _)| groups)
    }

    /// Returns the index in [`classes`](Self::classes) of the class that a task was given.
    pub(super) fn class_of(&mut self, class: u32) -> u32 {
        self.classes.find(class)
    }
}
