//! The machine that a network's tree makes.

use super::{Partition, Tree, levels};
use superstep_machine::{InvalidValue, Level, Machine};

/// Facts about the hosts of a tree that its latencies do not tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hosts {
    /// Processors of each host, at least 1.
    pub processors: u32,
    /// Latency of a boundary inside a host, in microseconds; of no account where hosts have one
    /// processor.
    pub latency: f64,
    /// Nanoseconds of a task of weight 1.
    pub task: f64,
    /// Cost of a word, in tasks (g).
    pub gap: f64,
}

impl Hosts {
    /// Most processors: machine files, which have at most 256 KiB, have no groups for more.
    pub const MOST: u32 = 1 << 16;

    /// Makes the machine of all processors of all hosts, host by host in the order of the tree's
    /// names. It has a level for hosts with several processors, and one for each of the tree's
    /// [levels](levels()). The latency of such a level is the longest round trip in it.
    ///
    /// # Errors
    /// When there are no processors or too many, or a number is out of range.
    ///
    /// ```
    /// use superstep_network::topology::{Hosts, Tree};
    ///
    /// let tree: Tree = "(a:10,b:10,(c:10,d:10):500);".parse()?;
    /// let hosts = Hosts { processors: 2, latency: 0.5, task: 2.0, gap: 1.0 };
    /// let machine = hosts.machine(&tree, 2.0)?;
    /// assert_eq!((machine.processors, machine.latency), (8, 520_000.0));
    /// // One host, one site, both.
    /// assert_eq!([1, 2, 4].map(|other| machine.level(0, other)), [0, 1, 2]);
    /// assert!((machine.latency_of(1) - 20_000.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn machine(&self, tree: &Tree, ratio: f64) -> Result<Machine, InvalidValue> {
        self.machine_of(tree, &levels(tree, ratio))
    }

    /// Makes the machine as [`machine`](Self::machine) does, of levels that are known.
    pub(crate) fn machine_of(
        &self,
        tree: &Tree,
        levels: &[Partition],
    ) -> Result<Machine, InvalidValue> {
        InvalidValue::first_not_positive(&[("task", self.task)])?;
        let hosts = tree.hosts() as u32;
        let count = u64::from(hosts) * u64::from(self.processors);
        if count > u64::from(Self::MOST) {
            let wanted = "at most 65536 in all";
            return Err(InvalidValue::new("processors", count as f64, wanted));
        }
        let processors = count as u32;
        let group = |of_host: &dyn Fn(u32) -> u32| {
            let hosts = (0..processors).map(|processor| processor / self.processors);
            hosts.map(of_host).collect::<Vec<u32>>()
        };
        let mut found: Vec<(Vec<u32>, f64)> = Vec::new();
        if self.processors > 1 {
            found.push((group(&|host| host), self.latency));
        }
        for part in levels {
            found.push((group(&|host| part.groups[host as usize]), part.round_trip));
        }
        let (_, whole) = found.pop().unwrap_or_default();
        let level = |(groups, latency): (Vec<u32>, f64)| Level {
            groups,
            latency: latency / whole,
            gap: 1.0,
        };
        let machine = Machine {
            gap: self.gap,
            latency: 1e3 * whole / self.task,
            levels: found.into_iter().map(level).collect(),
            ..Machine::new(processors)
        };
        machine.validate()?;
        Ok(machine)
    }
}
