//! Cables with latencies and bandwidths: frames queue for each link of their way.

use std::time::{Duration, Instant};

use superstep_network::topology::Tree;

/// Longest queue of a link, by the time that it takes: what comes later is lost.
const QUEUE: Duration = Duration::from_millis(30);

/// Links of a tree, each of them both ways.
pub(crate) struct Cables {
    tree: Tree,
    /// Mbit/s of each link, by its far end as seen from host 0.
    mbits: Vec<f64>,
    /// Times at which each link is free again, towards host 0 and away from it.
    free: Vec<[Instant; 2]>,
}

impl Cables {
    pub(crate) fn new(tree: Tree, mbits: Vec<f64>) -> Self {
        let free = vec![[Instant::now(); 2]; mbits.len()];
        Self { tree, mbits, free }
    }

    /// Sends so many bytes, and returns how long they are on their way; `None` if a queue is full.
    pub(crate) fn send(&mut self, from: u32, to: u32, bytes: usize) -> Option<Duration> {
        let begun = Instant::now();
        let mut now = begun;
        let from_root = self.tree.path(0, from);
        for link in self.tree.path(from, to) {
            let away = usize::from(!from_root.contains(&link));
            let free = &mut self.free[link as usize][away];
            if *free > now + QUEUE {
                return None;
            }
            // Mbit/s are bits of a microsecond.
            let sent = 8.0 * bytes as f64 / self.mbits[link as usize];
            *free = now.max(*free) + Duration::from_secs_f64(sent / 1e6);
            now = *free + Duration::from_secs_f64(self.tree.latency(link) / 1e6);
        }
        Some(now - begun)
    }
}
