//! Who computes what, and who sends which value to whom after which superstep.

use superstep_scheduler::Schedule;
use superstep_tracer::{Address, INPUT, Trace};

/// Not (yet) there.
const NEVER: u32 = u32::MAX;

/// Where every value of a trace is computed and where it travels.
///
/// Invariants: the tasks of a list are in an order that respects flow (at first trace order), and a processor computes no value twice or after having received it; sends are
/// ascending by (superstep, from, to), and within such a packet by home address; inputs and results are ascending by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    processors: usize,
    /// `supersteps * processors + 1` offsets into `tasks`.
    offsets: Vec<usize>,
    tasks: Vec<u32>,
    sends: Vec<Send>,
    inputs: Vec<Vec<Address>>,
    results: Vec<Vec<(Address, u32)>>,
}

/// One word in one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Send {
    /// The superstep after whose computation it is sent.
    pub superstep: u32,
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
    /// The task whose value is sent.
    pub task: u32,
}

/// Why a schedule gives no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// A task of the schedule is not in the trace.
    #[error("the schedule runs task {0}, which the trace does not have")]
    Unknown(u32),
    /// A value is used before any processor could have sent it.
    #[error(
        "processor {processor} needs the value of task {task} in superstep {superstep}, before any other processor could send it"
    )]
    Late {
        /// The task whose value is missing.
        task: u32,
        /// Where it is missing.
        processor: u32,
        /// When it is missing.
        superstep: u32,
    },
    /// A result is computed nowhere.
    #[error("no processor computes task {0}, whose value is a result")]
    Missing(u32),
}

impl Placement {
    /// Places the values of `trace` where `schedule` computes them, with *lazy* messages: a value that a processor does not compute in
    /// time is sent once, in the superstep before its first use, by the lowest processor that has computed it by then.
    ///
    /// A processor that would compute a value again, or after it received it, keeps the first one. Cost: about 10 ns for each operand of
    /// each task instance.
    ///
    /// # Errors
    /// When the schedule is not one of this trace.
    pub fn new(trace: &Trace, schedule: &Schedule) -> Result<Self, PlacementError> {
        let processors = schedule.processors();
        let supersteps = schedule.supersteps();
        let lists =
            || (0..supersteps).flat_map(|s| (0..processors).map(move |q| schedule.tasks(s, q)));
        if let Some(&task) = lists()
            .flatten()
            .find(|&&task| task as usize >= trace.tasks())
        {
            return Err(PlacementError::Unknown(task));
        }
        let places = Places::new(trace.tasks(), schedule);
        let mut sends = Vec::new();
        let mut kept = vec![Vec::new(); supersteps * processors];
        let mut inputs = Vec::new();
        let mut here = vec![NEVER; trace.tasks()];
        for q in 0..processors {
            let mut needs = Needs::new(trace, &mut here);
            for s in 0..supersteps {
                needs.compute(s as u32, schedule.tasks(s, q));
            }
            for s in 0..supersteps {
                let mut tasks = schedule.tasks(s, q).to_vec();
                tasks.sort_unstable();
                tasks.dedup();
                tasks.retain(|&task| needs.run(s as u32, task));
                kept[s * processors + q] = tasks;
            }
            let first = sends.len();
            for (task, superstep) in needs.missing {
                let late = PlacementError::Late {
                    task,
                    processor: q as u32,
                    superstep,
                };
                let from = places.lowest_before(task, superstep).ok_or(late)?;
                sends.push(Send {
                    superstep: superstep - 1,
                    from,
                    to: q as u32,
                    task,
                });
            }
            inputs.push(needs.inputs.addresses());
            for s in 0..supersteps {
                schedule
                    .tasks(s, q)
                    .iter()
                    .for_each(|&task| here[task as usize] = NEVER);
            }
            sends[first..]
                .iter()
                .for_each(|send: &Send| here[send.task as usize] = NEVER);
        }
        sends.sort_unstable_by_key(|send| {
            (
                send.superstep,
                send.from,
                send.to,
                trace.written(send.task),
                send.task,
            )
        });
        let mut results = vec![Vec::new(); processors];
        for (address, task) in trace.results() {
            let q = places
                .lowest_before(task, NEVER)
                .ok_or(PlacementError::Missing(task))?;
            results[q as usize].push((address, task));
        }
        let mut offsets = vec![0];
        for list in &kept {
            offsets.push(offsets[offsets.len() - 1] + list.len());
        }
        Ok(Self {
            processors,
            offsets,
            tasks: kept.concat(),
            sends,
            inputs,
            results,
        })
    }

    /// Number of processors, idle ones included.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Number of supersteps.
    pub fn supersteps(&self) -> usize {
        (self.offsets.len() - 1) / self.processors.max(1)
    }

    /// What `processor` runs in `superstep`, in order.
    pub fn tasks(&self, superstep: usize, processor: usize) -> &[u32] {
        let at = superstep * self.processors + processor;
        &self.tasks[self.offsets[at]..self.offsets[at + 1]]
    }

    /// All lists with their superstep and processor, in the order of supersteps.
    pub fn lists(&self) -> impl Iterator<Item = (usize, usize, &[u32])> {
        let all = 0..self.offsets.len() - 1;
        all.map(|at| (at / self.processors, at % self.processors, self.list(at)))
    }

    /// List number `at` of [`lists`](Self::lists).
    pub(crate) fn list(&self, at: usize) -> &[u32] {
        &self.tasks[self.offsets[at]..self.offsets[at + 1]]
    }

    /// The same to change its order.
    pub(crate) fn list_mut(&mut self, at: usize) -> &mut [u32] {
        &mut self.tasks[self.offsets[at]..self.offsets[at + 1]]
    }

    /// Number of task instances, copies included.
    pub fn instances(&self) -> usize {
        self.tasks.len()
    }

    /// Every word that is sent.
    pub fn sends(&self) -> &[Send] {
        &self.sends
    }

    /// The inputs that `processor` reads.
    pub fn inputs(&self, processor: usize) -> &[Address] {
        &self.inputs[processor]
    }

    /// The results that are gathered from `processor`, with the tasks that compute them. Each result is gathered from the lowest
    /// processor that computes it.
    pub fn results(&self, processor: usize) -> &[(Address, u32)] {
        &self.results[processor]
    }
}

/// What one processor needs and has.
struct Needs<'a> {
    trace: &'a Trace,
    /// Per task: the superstep from which the processor has its value.
    here: &'a mut [u32],
    /// (task, superstep of the first use) of the values that come from elsewhere.
    missing: Vec<(u32, u32)>,
    inputs: Touched,
}

impl<'a> Needs<'a> {
    fn new(trace: &'a Trace, here: &'a mut [u32]) -> Self {
        Self {
            trace,
            here,
            missing: Vec::new(),
            inputs: Touched::new(trace.extents()),
        }
    }

    fn compute(&mut self, superstep: u32, tasks: &[u32]) {
        for &task in tasks {
            let here = &mut self.here[task as usize];
            *here = superstep.min(*here);
        }
    }

    /// Notes what `task` needs in `superstep`; whether it is to run there at all.
    fn run(&mut self, superstep: u32, task: u32) -> bool {
        if self.here[task as usize] != superstep {
            return false;
        }
        let record = self.trace.task(task);
        for (operand, &value) in record.operands.iter().enumerate() {
            if value & INPUT != 0 {
                self.inputs.touch(self.trace.read(&record, operand));
            } else if self.here[value as usize] > superstep {
                self.here[value as usize] = superstep;
                self.missing.push((value, superstep));
            }
        }
        true
    }
}

/// Which words of each array were touched.
struct Touched(Vec<Vec<bool>>);

impl Touched {
    fn new(extents: &[u32]) -> Self {
        Self(
            extents
                .iter()
                .map(|&words| vec![false; words as usize])
                .collect(),
        )
    }

    fn touch(&mut self, address: Address) {
        self.0[usize::from(address.array)][address.index as usize] = true;
    }

    fn addresses(&self) -> Vec<Address> {
        let words = |(array, words): (usize, &Vec<bool>)| {
            let touched: Vec<u32> = (0..words.len() as u32)
                .filter(|&i| words[i as usize])
                .collect();
            touched.into_iter().map(move |index| Address {
                array: array as u16,
                index,
            })
        };
        self.0.iter().enumerate().flat_map(words).collect()
    }
}

/// For each task the (processor, superstep) pairs that compute it, by processor.
struct Places {
    offsets: Vec<u32>,
    places: Vec<(u32, u32)>,
}

impl Places {
    fn new(tasks: usize, schedule: &Schedule) -> Self {
        let mut offsets = vec![0_u32; tasks + 2];
        let lists = || {
            (0..schedule.processors()).flat_map(|q| (0..schedule.supersteps()).map(move |s| (q, s)))
        };
        for (q, s) in lists() {
            schedule
                .tasks(s, q)
                .iter()
                .for_each(|&task| offsets[task as usize + 2] += 1);
        }
        for at in 2..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut places = vec![(0, 0); schedule.instances()];
        for (q, s) in lists() {
            for &task in schedule.tasks(s, q) {
                let next = &mut offsets[task as usize + 1];
                places[*next as usize] = (q as u32, s as u32);
                *next += 1;
            }
        }
        Self { offsets, places }
    }

    /// The lowest processor that computes `task` before `superstep`.
    fn lowest_before(&self, task: u32, superstep: u32) -> Option<u32> {
        let range = self.offsets[task as usize] as usize..self.offsets[task as usize + 1] as usize;
        self.places[range]
            .iter()
            .find(|(_, s)| *s < superstep)
            .map(|&(q, _)| q)
    }
}
