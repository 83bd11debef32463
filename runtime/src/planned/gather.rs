//! Plans of kernels whose scatters are gathers.
//!
//! A scatter is a loop in which each iteration updates words of later ones. Gathered, the updates
//! run word by word, in the order in which the loop makes them. The macro finds such loops, and
//! prints the kernel with gathers beside the kernel (`macros/src/gather.rs`).
//!
//! Control of the kernel as written is recorded once, when a plan is made. If each word is updated
//! only before its own iteration, the kernel with gathers is planned, and the plan keeps that
//! order. This takes 8 bytes for each iteration and update. Otherwise the kernel is planned as it
//! is written.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use superstep_order::Rows;

use super::{FileError, Grains, PlanningError, Report, Settings};
use crate::call::Outcome;
use crate::error::RunError;
use crate::kernel::Kernel;

/// Kernel whose scatters are gathers in another one. Implemented by `#[kernel]`.
pub trait Scatters: Grains {
    /// The kernel with gathers, which has the same bits.
    type Gathered: Grains;

    /// Number of loops that scatter.
    const LOOPS: usize;

    /// Records the updates of each of those loops.
    fn record_updates(control: Self::Control<'_>, recorders: &mut [Recorder]);

    /// Returns the control of the kernel with gathers.
    fn gathered_control<'c: 's, 's>(
        control: Self::Control<'c>,
        gatherings: &'s [Gathering],
    ) -> <Self::Gathered as Grains>::Control<'s>;

    /// Returns the arguments of the kernel with gathers.
    fn gathered_arguments(
        arguments: Self::Arguments<'_>,
    ) -> <Self::Gathered as Kernel>::Arguments<'_>;

    /// Returns the values of the kernel with gathers.
    fn gathered_values(values: Self::Values<'_>) -> <Self::Gathered as Grains>::Values<'_>;
}

/// Updates of a loop, word by word.
#[derive(Debug)]
pub struct Gathering {
    /// The loop's values in its order.
    pub iterations: Box<[u32]>,
    /// First update of each iteration's own word, and the end.
    pub starts: Box<[u32]>,
    /// The loop's value in which each update is made.
    pub sources: Box<[u32]>,
    /// The inner loop's value in which each update is made.
    pub entries: Box<[u32]>,
}

/// Recorder of a loop's updates in its order.
#[derive(Debug, Default)]
pub struct Recorder {
    /// The loop's values, each with the place of its own word.
    iterations: Vec<(u32, u32)>,
    updates: Vec<Update>,
    /// Set if a number does not fit 32 bits.
    is_wide: bool,
}

#[derive(Clone, Copy, Debug)]
struct Update {
    /// Index of the word.
    target: u32,
    /// Position of the iteration, and the inner loop's value.
    position: u32,
    entry: u32,
}

/// Position that no iteration has.
const NONE: u32 = u32::MAX;

impl Recorder {
    fn number(&mut self, number: usize) -> u32 {
        let fits = u32::try_from(number).ok().filter(|&it| it != NONE);
        self.is_wide |= fits.is_none();
        fits.unwrap_or(0)
    }

    /// Notes that an iteration begins, which has this word as its own.
    #[inline]
    pub fn begin(&mut self, iteration: usize, own: usize) {
        let noted = (self.number(iteration), self.number(own));
        self.iterations.push(noted);
    }

    /// Notes that the iteration updates a word.
    #[inline]
    pub fn update(&mut self, entry: usize, target: usize) {
        let position = self.number(self.iterations.len().saturating_sub(1));
        let update = Update {
            target: self.number(target),
            position,
            entry: self.number(entry),
        };
        self.updates.push(update);
    }

    /// Returns the updates word by word. None if a word has two iterations of its own, or if an
    /// updated word has none. None, too, if a word is updated in its own iteration or behind it.
    ///
    /// Cost: a few passes over the updates. Memory beside the result: 8 bytes an update, 4 a word.
    fn gathered(self) -> Option<Gathering> {
        let words = self.iterations.iter().map(|&(_, own)| own);
        let words = words.max().map_or(0, |last| last as usize + 1);
        let mut positions = vec![NONE; words];
        let mut is_once = !self.is_wide && u32::try_from(self.updates.len()).is_ok();
        for (position, &(_, own)) in (0..).zip(&self.iterations) {
            is_once &= positions[own as usize] == NONE;
            positions[own as usize] = position;
        }
        let owner = |update: &Update| {
            let owner = positions.get(update.target as usize).copied();
            owner.filter(|&owner| owner != NONE && owner > update.position)
        };
        if !is_once || !self.updates.iter().all(|update| owner(update).is_some()) {
            return None;
        }
        let read = |update: &Update| {
            let source = self.iterations[update.position as usize].0;
            Some((owner(update)? as usize, (source, update.entry)))
        };
        let by_owner = self.updates.iter().filter_map(read);
        let Rows { offsets, items } = Rows::sorted(self.iterations.len(), by_owner);
        Some(Gathering {
            iterations: self.iterations.iter().map(|&(it, _)| it).collect(),
            starts: offsets.into(),
            sources: items.iter().map(|&(source, _)| source).collect(),
            entries: items.iter().map(|&(_, entry)| entry).collect(),
        })
    }
}

/// Records the updates of a kernel's loops; none if they cannot be gathered.
fn gathered<K: Scatters>(
    control: K::Control<'_>,
) -> Result<Option<Arc<[Gathering]>>, PlanningError> {
    PlanningError::catch(K::NAME, || {
        let mut recorders: Vec<Recorder> = (0..K::LOOPS).map(|_| Recorder::default()).collect();
        K::record_updates(control, &mut recorders);
        Ok(recorders.into_iter().map(Recorder::gathered).collect())
    })
}

/// Plan of a kernel as it is written, or with gathers where the pattern allows it.
pub enum Either<W, G> {
    /// The kernel as it is written.
    Written(W),
    /// The kernel with gathers, and their order.
    Gathered(Arc<[Gathering]>, G),
}

impl<W: fmt::Debug, G: fmt::Debug> fmt::Debug for Either<W, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written(plan) => plan.fmt(f),
            Self::Gathered(_, plan) => plan.fmt(f),
        }
    }
}

/// Proved plan of a kernel.
pub type Planned<K> = Either<super::Planned<K>, super::Planned<<K as Scatters>::Gathered>>;

/// Loaded plan of a kernel.
pub type Loaded<K> = Either<super::Loaded<K>, super::Loaded<<K as Scatters>::Gathered>>;

impl<K: Scatters> Planned<K> {
    /// Plans as [`Planned::new`](super::Planned::new) does.
    ///
    /// # Errors
    /// As it has.
    pub fn new(control: K::Control<'_>, settings: Settings) -> Result<Self, PlanningError> {
        Ok(match gathered::<K>(control)? {
            Some(orders) => {
                let gathered = K::gathered_control(control, &orders);
                let plan = super::Planned::new(gathered, settings)?;
                Self::Gathered(orders, plan)
            }
            None => Self::Written(super::Planned::new(control, settings)?),
        })
    }

    /// Opens a plan as [`Planned::open`](super::Planned::open) does.
    ///
    /// # Errors
    /// As it has.
    pub fn open(
        control: K::Control<'_>,
        settings: Settings,
        path: &Path,
    ) -> Result<Self, FileError> {
        let orders = gathered::<K>(control).map_err(|source| FileError::Planning {
            path: path.into(),
            source,
        })?;
        Ok(match orders {
            Some(orders) => {
                let gathered = K::gathered_control(control, &orders);
                let plan = super::Planned::open(gathered, settings, path)?;
                Self::Gathered(orders, plan)
            }
            None => Self::Written(super::Planned::open(control, settings, path)?),
        })
    }

    /// Saves the plan as [`Planned::save`](super::Planned::save) does.
    ///
    /// # Errors
    /// As it has.
    pub fn save(&self, control: K::Control<'_>, path: &Path) -> Result<(), FileError> {
        match self {
            Self::Written(plan) => plan.save(control, path),
            Self::Gathered(orders, plan) => plan.save(K::gathered_control(control, orders), path),
        }
    }

    /// Returns all that there is to say of the plan, as somebody asks for it.
    pub fn whole_report<'p>(&'p self, control: K::Control<'p>) -> Report<'p> {
        match self {
            Self::Written(plan) => plan.whole_report(control),
            Self::Gathered(orders, plan) => Report {
                is_gathered: true,
                ..plan.whole_report(K::gathered_control(control, orders))
            },
        }
    }

    /// Runs the plan as [`Planned::run`](super::Planned::run) does.
    ///
    /// # Errors
    /// As it has.
    pub fn run<'p>(
        &'p self,
        control: K::Control<'_>,
        arguments: K::Arguments<'_>,
    ) -> Result<Outcome<'p, ()>, RunError> {
        match self {
            Self::Written(plan) => plan.run(control, arguments).map(Outcome::without_arguments),
            Self::Gathered(orders, plan) => {
                let control = K::gathered_control(control, orders);
                let ran = plan.run(control, K::gathered_arguments(arguments));
                ran.map(Outcome::without_arguments)
            }
        }
    }

    /// Loads the plan as [`Planned::load`](super::Planned::load) does.
    ///
    /// # Errors
    /// As it has.
    pub fn load(
        &self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Loaded<K>, PlanningError> {
        Ok(match self {
            Self::Written(plan) => Loaded::Written(plan.load(control, values)?),
            Self::Gathered(orders, plan) => {
                let control = K::gathered_control(control, orders);
                let loaded = plan.load(control, K::gathered_values(values))?;
                Loaded::Gathered(Arc::clone(orders), loaded)
            }
        })
    }
}

impl<K: Scatters> Loaded<K> {
    /// Loads other values as [`Loaded::update`](super::Loaded::update) does.
    ///
    /// # Errors
    /// As it has.
    pub fn update(
        &mut self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<(), PlanningError> {
        match self {
            Self::Written(loaded) => loaded.update(control, values),
            Self::Gathered(orders, loaded) => {
                let control = K::gathered_control(control, orders);
                loaded.update(control, K::gathered_values(values))
            }
        }
    }

    /// Returns all that there is to say of the plan, as somebody asks for it.
    pub fn whole_report<'p>(&'p self, control: K::Control<'p>) -> Report<'p> {
        match self {
            Self::Written(loaded) => loaded.whole_report(control),
            Self::Gathered(orders, loaded) => Report {
                is_gathered: true,
                ..loaded.whole_report(K::gathered_control(control, orders))
            },
        }
    }

    /// Returns the bytes of all tapes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Written(loaded) => loaded.bytes(),
            Self::Gathered(_, loaded) => loaded.bytes(),
        }
    }

    /// Runs the plan as [`Loaded::run`](super::Loaded::run) does.
    ///
    /// # Errors
    /// As it has.
    pub fn run<'p>(
        &'p self,
        control: K::Control<'_>,
        arguments: K::Arguments<'_>,
    ) -> Result<Outcome<'p, ()>, RunError> {
        match self {
            Self::Written(loaded) => loaded
                .run(control, arguments)
                .map(Outcome::without_arguments),
            Self::Gathered(orders, loaded) => {
                let control = K::gathered_control(control, orders);
                let ran = loaded.run(control, K::gathered_arguments(arguments));
                ran.map(Outcome::without_arguments)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records a solve with the columns of a lower triangle.
    fn recorded(columns: &[&[usize]]) -> Recorder {
        let mut recorder = Recorder::default();
        let mut entry = 0;
        for (column, rows) in columns.iter().enumerate() {
            recorder.begin(column, column);
            for &row in *rows {
                recorder.update(entry, row);
                entry += 1;
            }
        }
        recorder
    }

    #[test]
    fn updates_of_a_word_keep_their_order() {
        let gathering = recorded(&[&[2, 1], &[3, 2, 3], &[3], &[]]).gathered();
        let gathering = gathering.expect("all are updated before their own iterations");
        assert_eq!(*gathering.iterations, [0, 1, 2, 3]);
        assert_eq!(*gathering.starts, [0, 0, 1, 3, 6]);
        assert_eq!(*gathering.sources, [0, 0, 1, 1, 1, 2]);
        assert_eq!(*gathering.entries, [1, 0, 3, 2, 4, 5]);
    }

    #[test]
    fn words_without_an_iteration_to_come_are_not_gathered() {
        for columns in [
            // In its own iteration, behind it, and of a word that has none.
            &[&[1][..], &[1], &[]][..],
            &[&[1], &[0], &[]],
            &[&[3], &[], &[]],
        ] {
            assert!(recorded(columns).gathered().is_none(), "{columns:?}");
        }
        let mut twice = recorded(&[&[1], &[]]);
        twice.begin(2, 0);
        assert!(twice.gathered().is_none(), "two iterations of one word");
        let mut wide = recorded(&[&[1], &[]]);
        wide.begin(1 << 40, 2);
        assert!(wide.gathered().is_none(), "what does not fit 32 bits");
    }
}
