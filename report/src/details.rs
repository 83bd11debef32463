//! Details of a program: what each processor runs in each superstep, when, and which words cross.
//!
//! They stand in a file of their own beside the report, as only a page shows them.

use superstep_order::{Timeline, Times, number, take};
use superstep_plan::{Code, DecodeError, Plan};

use crate::Dependences;

/// First bytes of a file of details: a name and the version of the encoding.
const MAGIC: &[u8; 5] = b"BSPD\x02";

/// Timelines of a program, at most: one that is predicted, and one that was recorded.
const MOST_TIMELINES: u64 = 2;

/// Words that cross from one processor to another after a superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Traffic {
    /// The superstep in which they are computed.
    pub superstep: u32,
    /// Processor that computes them.
    pub from: u32,
    /// Processor that uses them.
    pub to: u32,
    /// Number of words.
    pub words: u64,
}

/// Details of a program, as a page draws them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Tables of what each processor runs, in loops; of iterations or tasks of a graph, whose one
    /// component is their number, no memory is known.
    pub plan: Plan,
    /// Times of the run: predicted, then recorded, as far as they are known. Each processor has all
    /// supersteps.
    pub timelines: Vec<Timeline>,
    /// Words that cross, ascending.
    pub traffic: Vec<Traffic>,
    /// Dependences of iterations, or of tasks of a graph, where a page has room for them.
    pub dependences: Option<Dependences>,
}

/// Errors of reading details.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DetailsError {
    /// The file is of something else, or of another version.
    #[error("no details of a program of this version of superstep")]
    Magic,
    /// The file is cut off, or a number is out of range.
    #[error("its {0} is damaged")]
    Damaged(&'static str),
    /// The tables are damaged.
    #[error("its plan is damaged: {0}")]
    Plan(#[from] DecodeError),
}

impl Details {
    /// Counts the task instances of each superstep, processor by processor. Costs some nanoseconds
    /// for each run.
    pub fn tasks(&self) -> Vec<u64> {
        let bodies = &self.plan.bodies;
        let count = |code: &Code| {
            let mut tasks = 0;
            code.walk(bodies, &mut |body, run| {
                tasks += (run.count() * bodies[body].statements().len()) as u64;
            });
            tasks
        };
        self.plan.code.iter().map(count).collect()
    }

    /// Writes details: the length of each of four sections in four bytes, lowest first, and the
    /// sections. The last is empty where no dependences are known.
    pub fn encode(&self) -> Vec<u8> {
        let dependences = self.dependences.as_ref().map(Dependences::encode);
        let sections = [
            self.plan.encode(),
            self.times(),
            self.traffic(),
            dependences.unwrap_or_default(),
        ];
        let mut bytes = MAGIC.to_vec();
        for section in &sections {
            bytes.extend((section.len() as u32).to_le_bytes());
        }
        bytes.extend(sections.concat());
        bytes
    }

    /// Reads details.
    ///
    /// # Errors
    /// If the bytes are none. Memory stays in proportion to them.
    pub fn decode(bytes: &[u8]) -> Result<Self, DetailsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(DetailsError::Magic)?;
        let (head, mut rest) = rest.split_at_checked(16).ok_or(DetailsError::Magic)?;
        let mut section = |at: usize, name| {
            let length = head[4 * at..][..4].iter().rev();
            let length = length.fold(0, |length, &byte| length << 8 | usize::from(byte));
            let (section, after) = rest
                .split_at_checked(length)
                .ok_or(DetailsError::Damaged(name))?;
            rest = after;
            Ok::<_, DetailsError>(section)
        };
        let (plan, times, traffic, dependences) = (
            section(0, "plan")?,
            section(1, "timeline")?,
            section(2, "traffic")?,
            section(3, "dependences")?,
        );
        let plan = Plan::decode(plan)?;
        let timelines = timelines(times, &plan).ok_or(DetailsError::Damaged("timeline"))?;
        let traffic = read_traffic(traffic, &plan).ok_or(DetailsError::Damaged("traffic"))?;
        let dependences = match dependences {
            [] => None,
            bytes => {
                let read = Dependences::decode(bytes);
                Some(read.ok_or(DetailsError::Damaged("list of dependences"))?)
            }
        };
        Ok(Self {
            plan,
            timelines,
            traffic,
            dependences,
        })
    }

    /// Writes the timelines as numbers of 7 bits a byte, lowest first. First stands how many there
    /// are. Each has, superstep by superstep, each processor's waiting, copying and working.
    pub fn times(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, self.timelines.len() as u64);
        for timeline in &self.timelines {
            for superstep in 0..self.plan.supersteps as usize {
                for processor in 0..timeline.processors() {
                    let Times { wait, copy, work } = timeline.steps_of(processor)[superstep];
                    [wait, copy, work]
                        .into_iter()
                        .for_each(|part| number(&mut bytes, part));
                }
            }
        }
        bytes
    }

    /// Writes the traffic in the same way: first how many entries there are. Each has the
    /// superstep, counted from that of the entry before, sender, receiver and words.
    pub fn traffic(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, self.traffic.len() as u64);
        let mut before = 0;
        for &Traffic {
            superstep,
            from,
            to,
            words,
        } in &self.traffic
        {
            for part in [superstep - before, from, to] {
                number(&mut bytes, part.into());
            }
            number(&mut bytes, words);
            before = superstep;
        }
        bytes
    }
}

fn timelines(mut bytes: &[u8], plan: &Plan) -> Option<Vec<Timeline>> {
    let count = take(&mut bytes).filter(|&count| count <= MOST_TIMELINES)?;
    let (processors, supersteps) = (plan.processors as usize, plan.supersteps as usize);
    let mut timelines = Vec::new();
    for _ in 0..count {
        // Each step takes three bytes, and so there are not more than there can be.
        let steps = processors.checked_mul(supersteps)?;
        if bytes.len() / 3 < steps {
            return None;
        }
        let mut times = vec![Times::default(); steps];
        for superstep in 0..supersteps {
            for processor in 0..processors {
                times[processor * supersteps + superstep] = Times {
                    wait: take(&mut bytes)?,
                    copy: take(&mut bytes)?,
                    work: take(&mut bytes)?,
                };
            }
        }
        let first = |processor| processor * plan.supersteps;
        timelines.push(Timeline::new(
            (0..=plan.processors).map(first).collect(),
            times,
        ));
    }
    bytes.is_empty().then_some(timelines)
}

fn read_traffic(mut bytes: &[u8], plan: &Plan) -> Option<Vec<Traffic>> {
    let count = take(&mut bytes)?;
    let mut superstep = 0_u32;
    let mut all = Vec::new();
    for _ in 0..count {
        let mut below = |most: u32| {
            let value = u32::try_from(take(&mut bytes)?).ok()?;
            (value < most).then_some(value)
        };
        superstep = superstep.checked_add(below(plan.supersteps)?)?;
        let (from, to) = (below(plan.processors)?, below(plan.processors)?);
        let words = take(&mut bytes)?;
        (superstep < plan.supersteps).then_some(())?;
        all.push(Traffic {
            superstep,
            from,
            to,
            words,
        });
    }
    bytes.is_empty().then_some(all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn details(times: Vec<u64>, traffic: Vec<Traffic>) -> Details {
        let steps: Vec<Times> = times
            .chunks_exact(3)
            .map(|part| Times {
                wait: part[0],
                copy: part[1],
                work: part[2],
            })
            .collect();
        let supersteps = (steps.len() / 2) as u32;
        let plan = Plan {
            processors: 2,
            supersteps,
            scatter: vec![Vec::new(); 2],
            gather: vec![Vec::new(); 2],
            code: vec![Code::default(); steps.len()],
            ..Plan::default()
        };
        Details {
            plan,
            timelines: vec![Timeline::new(vec![0, supersteps, 2 * supersteps], steps)],
            traffic,
            dependences: None,
        }
    }

    /// Returns groups, each of which comes after some before or behind it.
    fn dependences() -> impl Strategy<Value = Option<Dependences>> {
        let groups = prop::collection::vec((0..9_u32, 0..4_usize, any::<u32>()), 1..20);
        prop::option::of(groups.prop_map(|groups| {
            let before = |group: u32| {
                let (_, count, seed) = groups[group as usize];
                let count = 0..count as u32;
                let of = count.map(|each| seed.wrapping_mul(each) % groups.len() as u32);
                of.collect::<Vec<u32>>()
            };
            Dependences::new(groups.iter().map(|group| group.0), before).expect("they are few")
        }))
    }

    fn some() -> impl Strategy<Value = Details> {
        let times = prop::collection::vec(any::<u64>(), 6 * 3);
        let traffic = prop::collection::btree_set((0..3_u32, 0..2_u32, 0..2_u32), 0..9);
        (times, traffic, dependences()).prop_map(|(times, traffic, dependences)| {
            let traffic = traffic.into_iter().map(|(superstep, from, to)| Traffic {
                superstep,
                from,
                to,
                words: u64::from(superstep) << 40,
            });
            Details {
                dependences,
                ..details(times, traffic.collect())
            }
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(details in some()) {
            prop_assert_eq!(Details::decode(&details.encode()), Ok(details));
        }

        #[test]
        fn spoiled_details_are_errors_or_others(details in some(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
            let mut bytes = details.encode();
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            if let Ok(read) = Details::decode(&bytes) {
                prop_assert_eq!(Details::decode(&read.encode()), Ok(read));
            }
        }
    }
}
