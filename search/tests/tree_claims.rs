//! Claims of the thesis about its tree algorithms, over the whole ranges that it names, with the
//! reference's figures (`golden/trees.json`).

use serde_json::Value;
use superstep_scheduler::tree::Alg3Star;
use superstep_search::tree::bounds::{e, e_with_all_delays, hu_makespan, thesis_bound};
use superstep_search::tree::{Alg1, Alg2, Alg3, Py, Ties};

/// Height of the tallest tree of the thesis's experiments.
const TALLEST: u32 = 20;

fn golden() -> Value {
    let mut golden: Value = serde_json::from_str(include_str!("golden/trees.json")).unwrap();
    golden["claims_measured"].take()
}

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

/// Results of a scan of ALG3: ratios of makespans to bounds.
#[derive(Default)]
struct Scan {
    instances: u64,
    /// Worst ratio by the thesis's bound, and its tau, p and height.
    worst: (f64, (u64, u64, u32)),
    /// Worst ratio by the bounds of ours.
    worst_by_ours: f64,
    /// Worst mean over the heights, and its tau and p.
    worst_mean: (f64, (u64, u64)),
    sum: f64,
}

impl Scan {
    /// Scans ALG3, and makes sure that ALG3* is never slower than it, nor than one processor.
    fn new(taus: impl Iterator<Item = u64>, processors: impl Iterator<Item = u64> + Clone) -> Self {
        let mut scan = Self::default();
        for tau in taus {
            for p in processors.clone() {
                scan.add(tau, p);
            }
        }
        scan
    }

    fn add(&mut self, tau: u64, p: u64) {
        let (alg3, star) = (Alg3::new(TALLEST, tau, p), Alg3Star::new(TALLEST, tau, p));
        let mut sum = 0.0;
        for height in 1..=TALLEST {
            let makespan = alg3.makespan(height);
            assert!(star.makespan(height) <= makespan.min((1 << height) - 1));
            let delay = e_with_all_delays(height, tau) + 1;
            let by_thesis = ratio(makespan, delay.max(thesis_bound(height, p) + 1));
            let by_ours = ratio(makespan, delay.max(hu_makespan(height, p)));
            sum += by_thesis;
            if by_thesis > self.worst.0 {
                self.worst = (by_thesis, (tau, p, height));
            }
            self.worst_by_ours = self.worst_by_ours.max(by_ours);
        }
        let mean = sum / f64::from(TALLEST);
        if mean > self.worst_mean.0 {
            self.worst_mean = (mean, (tau, p));
        }
        self.instances += u64::from(TALLEST);
        self.sum += sum;
    }

    fn assert_worst(&self) {
        let wanted = &golden()["ALG3_6.1M"];
        let (tau, p, height) = self.worst.1;
        assert_eq!(wanted["argmax"], serde_json::json!([tau, p, height]));
        same(self.worst.0, &wanted["max_ratio_thesis_LB"], 4);
    }

    fn assert_worst_mean(&self) {
        assert_eq!(self.worst_mean.1, (3, 2));
        same(self.worst_mean.0, &golden()["ALG3_6.1M"]["max_avg"], 4);
    }
}

/// Asserts equality to that many digits.
fn same(found: f64, wanted: &Value, digits: usize) {
    let wanted = wanted.as_f64().unwrap();
    assert_eq!(format!("{found:.digits$}"), format!("{wanted:.digits$}"));
}

#[test]
fn alg3_star_is_never_slower_and_alg3_is_as_bad_as_known() {
    Scan::new([244].into_iter(), [500, 511, 512, 513, 1000].into_iter()).assert_worst();
    Scan::new(2..5, 2..20).assert_worst_mean();
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn alg3_star_is_never_slower_over_the_full_scan() {
    let scan = Scan::new(2..=300, 2..=1024);
    assert_eq!(scan.instances, 6_117_540);
    scan.assert_worst();
    scan.assert_worst_mean();
    let wanted = &golden()["ALG3_6.1M"];
    same(scan.sum / scan.instances as f64, &wanted["mean_avg"], 4);
    same(scan.worst_by_ours, &wanted["max_ratio_strong_LB"], 4);
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn alg1_beats_py_over_the_full_scan() {
    for tau in 2..=10_000 {
        let alg1 = Alg1::new(TALLEST, tau, Ties::default());
        for height in 1..=TALLEST {
            let faster = alg1.start(height) < Py::new(height, tau).start();
            assert_eq!(
                faster,
                height > (tau + 2).ilog2(),
                "h = {height}, tau = {tau}"
            );
        }
    }
}

/// Returns least, mean and largest over the taus of the mean over the heights.
fn over(taus: std::ops::RangeInclusive<u64>, from_first: bool, name: &str) -> [f64; 3] {
    let count = taus.clone().count() as f64;
    let (mut least, mut sum, mut most) = (f64::MAX, 0.0, 0.0f64);
    for tau in taus {
        let alg1 = Alg1::new(TALLEST, tau, Ties::default());
        let one = |height| {
            let bound = e_with_all_delays(height, tau) + 1;
            match name {
                "ALG1/E" => ratio(alg1.start(height) + 1, bound),
                "ALG1/e" => ratio(alg1.start(height) + 1, e(height, tau) + 1),
                "ALG2/E" => ratio(Alg2::new(height, tau).makespan(), bound),
                _ => ratio(Py::new(height, tau).start() + 1, bound),
            }
        };
        let first = if from_first { 1 } else { (tau + 2).ilog2() + 1 };
        let mean = (first..=TALLEST).map(one).sum::<f64>() / f64::from(TALLEST + 1 - first);
        least = least.min(mean);
        most = most.max(mean);
        sum += mean;
    }
    [least, sum / count, most]
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn makespans_by_their_bounds_are_on_average_what_the_reference_finds() {
    let golden = golden();
    for (experiment, taus, from_first) in [
        ("fig4.4_mean_over_h>U(2<=tau<=10000)", 2..=10_000, false),
        ("fig4.4_mean_over_h>U(300<=tau<=10000)", 300..=10_000, false),
        ("fig4.4_mean_over_h=1..20(2<=tau<=10000)", 2..=10_000, true),
    ] {
        let wanted = golden[experiment].as_object().unwrap();
        assert!(wanted.len() >= 3, "{experiment}");
        for (name, wanted) in wanted {
            let found = over(taus.clone(), from_first, name);
            for (found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
                same(found, wanted, 3);
            }
        }
    }
}
