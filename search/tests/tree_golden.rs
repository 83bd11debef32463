//! Tree algorithms give the figures of an independent reference implementation, digit for digit:
//! `golden/trees.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use superstep_reduction::{layered, postal};
use superstep_scheduler::tree::{Alg3Star, TreeSchedule, complete_tree};
use superstep_search::tree::bounds::{e, e_strong, e_with_all_delays, hu_makespan, thesis_bound};
use superstep_search::tree::{Alg1, Alg2, Alg3, FreeTree, Optimum, Py, Ties, Timetable};

/// Tables by a number, which is a string in JSON.
type By<T> = BTreeMap<u64, T>;

#[derive(Deserialize)]
struct Golden {
    table_4_2: Table42,
    per_tau: By<PerTau>,
    #[serde(rename = "ALG3")]
    alg3: By<By<Limited>>,
    bounds_p: By<Bounds>,
    schedules: BTreeMap<String, Explicit>,
    reduction_models: ReductionModels,
    postal_time: By<By<u64>>,
    logp_time: Vec<(u64, u64, u64, u64)>,
    layered_top: By<By<(u64, Vec<u64>)>>,
}

#[derive(Deserialize)]
struct Table42 {
    tau: Vec<u64>,
    e: By<Vec<u64>>,
    #[serde(rename = "E")]
    e_with_all_delays: By<Vec<u64>>,
    strong: By<Vec<u64>>,
}

/// Lists by height, from 1.
#[derive(Deserialize)]
struct PerTau {
    /// Levels of the tallest tree that has no more than tau tasks below its root.
    #[serde(rename = "U")]
    levels: usize,
    e: Vec<u64>,
    #[serde(rename = "E")]
    e_with_all_delays: Vec<u64>,
    strong: Vec<u64>,
    #[serde(rename = "OPT_start")]
    optimum: Vec<u64>,
    #[serde(rename = "ALG1_start")]
    alg1: Vec<u64>,
    #[serde(rename = "ALG1_j_smallest")]
    cut_smallest: Vec<Option<u32>>,
    #[serde(rename = "ALG1_PE_smallest")]
    processors_smallest: Vec<u64>,
    #[serde(rename = "ALG1_j_fewest_procs")]
    cut_fewest: Vec<Option<u32>>,
    #[serde(rename = "ALG1_PE_fewest_procs")]
    processors_fewest: Vec<u64>,
    #[serde(rename = "ALG2_makespan")]
    alg2: Vec<u64>,
    #[serde(rename = "ALG2_m")]
    layers: Vec<usize>,
    #[serde(rename = "ALG2_procs")]
    alg2_processors: Vec<u64>,
    #[serde(rename = "PY_start")]
    py: Vec<u64>,
    #[serde(rename = "PY_procs_cut_from_root")]
    py_processors: Vec<u64>,
    #[serde(rename = "PY_procs_cut_from_leaf")]
    py_processors_from_leaves: Vec<u64>,
    #[serde(rename = "NKF_time_2^h_operands")]
    nkf: Vec<u64>,
    #[serde(rename = "NKF_min_procs")]
    nkf_processors: Vec<u64>,
}

#[derive(Deserialize)]
struct Limited {
    makespan: Vec<u64>,
    plan: Vec<(String, u32)>,
    star: Vec<u64>,
}

#[derive(Deserialize)]
struct Bounds {
    #[serde(rename = "FB_thesis_start")]
    thesis: Vec<u64>,
    #[serde(rename = "Hu_tau0_makespan")]
    hu: Vec<u64>,
}

#[derive(Deserialize)]
struct Explicit {
    h: u32,
    tau: u64,
    p: Option<u64>,
    makespan: u64,
    procs: usize,
    /// Heap id, processor from 1, start.
    triples: Vec<(u32, u32, u64)>,
}

#[derive(Deserialize)]
struct ReductionModels {
    data: Vec<Model>,
}

/// Row of models: n, p, tau: ALG3, ALG3*, layered (time, processors, fan-ins), binomial, flat,
/// postal with equal blocks, LogP.
type Model = (
    u64,
    u64,
    u64,
    u64,
    u64,
    (u64, u64, Vec<u64>),
    u64,
    u64,
    u64,
    u64,
);

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/trees.json")).unwrap()
}

/// Returns the values of `figure` for heights from 1.
fn by_height<T>(heights: usize, figure: impl FnMut(u32) -> T) -> Vec<T> {
    (1..=heights as u32).map(figure).collect()
}

#[test]
fn bounds_are_those_of_table_4_2() {
    let table = golden().table_4_2;
    assert_eq!(table.e.len(), 10);
    for (&h, values) in &table.e {
        for (at, &tau) in table.tau.iter().enumerate() {
            let h = h as u32;
            let bounds = [e(h, tau), e_with_all_delays(h, tau), e_strong(h, tau)];
            let key = u64::from(h);
            let wanted = [
                values[at],
                table.e_with_all_delays[&key][at],
                table.strong[&key][at],
            ];
            assert_eq!(bounds, wanted, "h = {h}, tau = {tau}");
        }
    }
}

#[test]
fn algorithms_without_limit_give_the_reference_figures() {
    let golden = golden();
    assert_eq!(golden.per_tau.len(), 31);
    for (tau, wanted) in golden.per_tau {
        let n = wanted.e.len();
        let optimum = Optimum::new(n as u32, tau);
        let fewest = Alg1::new(n as u32, tau, Ties::FewestProcessors);
        let smallest = Alg1::new(n as u32, tau, Ties::Smallest);
        let nkf = |h: u32| FreeTree::placed_freely(1 << h, tau, u64::MAX);
        let same = |name: &str, found: Vec<u64>, wanted: &[u64]| {
            assert_eq!(found, wanted, "{name}, tau = {tau}");
        };
        same("e", by_height(n, |h| e(h, tau)), &wanted.e);
        same(
            "E",
            by_height(n, |h| e_with_all_delays(h, tau)),
            &wanted.e_with_all_delays,
        );
        same("e'", by_height(n, |h| e_strong(h, tau)), &wanted.strong);
        same(
            "optimum",
            by_height(n, |h| optimum.start(h)),
            &wanted.optimum,
        );
        same("ALG1", by_height(n, |h| fewest.start(h)), &wanted.alg1);
        same("ALG1", by_height(n, |h| smallest.start(h)), &wanted.alg1);
        same(
            "PE",
            by_height(n, |h| fewest.processors(h)),
            &wanted.processors_fewest,
        );
        same(
            "PE",
            by_height(n, |h| smallest.processors(h)),
            &wanted.processors_smallest,
        );
        assert_eq!(
            by_height(n, |h| fewest.cut(h)),
            wanted.cut_fewest,
            "tau = {tau}"
        );
        assert_eq!(
            by_height(n, |h| smallest.cut(h)),
            wanted.cut_smallest,
            "tau = {tau}"
        );
        same(
            "ALG2",
            by_height(n, |h| Alg2::new(h, tau).makespan()),
            &wanted.alg2,
        );
        same(
            "ALG2",
            by_height(n, |h| Alg2::new(h, tau).processors()),
            &wanted.alg2_processors,
        );
        assert_eq!(
            by_height(n, |h| Alg2::new(h, tau).layers().len()),
            wanted.layers
        );
        same("PY", by_height(n, |h| Py::new(h, tau).start()), &wanted.py);
        let uncut = by_height(n, |h| Py::new(h, tau).processors() == 1);
        let uncut = uncut.into_iter().filter(|&uncut| uncut).count();
        assert_eq!(uncut, wanted.levels, "tau = {tau}");
        same(
            "PY",
            by_height(n, |h| Py::new(h, tau).processors()),
            &wanted.py_processors,
        );
        let from_leaves = by_height(n, |h| Py::new(h, tau).processors_cut_from_leaves());
        same("PY", from_leaves, &wanted.py_processors_from_leaves);
        same("NKF", by_height(n, |h| nkf(h).makespan()), &wanted.nkf);
        same(
            "NKF",
            by_height(n, |h| nkf(h).processors()),
            &wanted.nkf_processors,
        );
    }
}

#[test]
fn algorithms_with_limit_give_the_reference_figures() {
    let golden = golden();
    for (&tau, by_processors) in &golden.alg3 {
        for (&p, wanted) in by_processors {
            let n = wanted.makespan.len();
            let alg3 = Alg3::new(n as u32, tau, p);
            let star = Alg3Star::new(n as u32, tau, p);
            let at = format!("tau = {tau}, p = {p}");
            assert_eq!(by_height(n, |h| alg3.makespan(h)), wanted.makespan, "{at}");
            assert_eq!(by_height(n, |h| star.makespan(h)), wanted.star, "{at}");
            let plan = by_height(n, |h| match alg3.cut(h) {
                Some(cut) => ("cut".to_owned(), cut),
                None => ("alg2".to_owned(), Alg2::new(h, tau).layers().len() as u32),
            });
            assert_eq!(plan, wanted.plan, "{at}");
        }
    }
    for (&p, wanted) in &golden.bounds_p {
        let n = wanted.thesis.len();
        assert_eq!(
            by_height(n, |h| thesis_bound(h, p)),
            wanted.thesis,
            "p = {p}"
        );
        assert_eq!(by_height(n, |h| hu_makespan(h, p)), wanted.hu, "p = {p}");
    }
}

/// Returns task, processor and start in the reference's numbers.
fn triples(timetable: &Timetable) -> Vec<(u32, u32, u64)> {
    let entries = timetable.entries().iter();
    entries
        .map(|entry| (entry.task + 1, entry.processor + 1, entry.start))
        .collect()
}

#[test]
fn schedules_are_those_of_the_figures_and_the_reference() {
    let golden = golden();
    assert_eq!(golden.schedules.len(), 14);
    for (name, wanted) in golden.schedules {
        let (h, tau) = (wanted.h, wanted.tau);
        let alg1 = |ties| Alg1::new(h, tau, ties).schedule(h);
        let schedule: Option<TreeSchedule> = match &name[..] {
            "fig4.1_PY_literal" => None,
            "ALG1_h6_tau4_smallest" => Some(alg1(Ties::Smallest)),
            alg1_name if alg1_name.contains("ALG1") => Some(alg1(Ties::FewestProcessors)),
            alg2 if alg2.contains("ALG2") => Some(Alg2::new(h, tau).schedule()),
            py if py.contains("PY") => Some(Py::new(h, tau).schedule()),
            _ => Some(Alg3::new(h, tau, wanted.p.unwrap()).schedule(h)),
        };
        let timetable = schedule
            .as_ref()
            .map_or_else(|| Py::new(h, tau).as_published(), Timetable::of);
        assert_eq!(triples(&timetable), wanted.triples, "{name}");
        let graph = complete_tree(h);
        assert_eq!(timetable.check(&graph, tau), Ok(()), "{name}");
        assert_eq!(timetable.makespan(&graph), wanted.makespan, "{name}");
        assert_eq!(timetable.processors(), wanted.procs, "{name}");
        if let Some(schedule) = schedule {
            assert_eq!(schedule.makespan(), wanted.makespan, "{name}");
            assert_eq!(schedule.processors() as usize, wanted.procs, "{name}");
        }
    }
}

#[test]
fn free_trees_give_the_reference_figures() {
    let golden = golden();
    for (&tau, times) in &golden.postal_time {
        for (&p, &time) in times {
            assert_eq!(postal::time(p, tau), time, "p = {p}, tau = {tau}");
        }
    }
    for (n, p, tau, time) in golden.logp_time {
        let tree = FreeTree::placed_freely(n, tau, p);
        assert_eq!(tree.makespan(), time, "n = {n}, p = {p}, tau = {tau}");
        assert!(tree.processors() <= p);
    }
    for (&tau, layers) in &golden.layered_top {
        for (&p, (time, fan_ins)) in layers {
            let found = layered::layers(p, tau, 0);
            assert_eq!(found.time, *time, "p = {p}, tau = {tau}");
            assert_eq!(&found.fan_ins, fan_ins, "p = {p}, tau = {tau}");
        }
    }
}

#[test]
fn models_of_reductions_compare_as_in_the_reference() {
    let golden = golden();
    assert_eq!(golden.reduction_models.data.len(), 130);
    for model in golden.reduction_models.data {
        let (n, p, tau, alg3, star, layered, binomial, flat, postal, logp) = model;
        let at = format!("n = {n}, p = {p}, tau = {tau}");
        let height = n.ilog2();
        let found = Alg3::new(height, tau, p).makespan(height);
        assert_eq!(found, alg3, "{at}");
        let found = Alg3Star::new(height, tau, p).makespan(height);
        assert_eq!(found, star, "{at}");
        assert_eq!(FreeTree::equal_blocks(n, tau, p).makespan(), postal, "{at}");
        assert_eq!(FreeTree::placed_freely(n, tau, p).makespan(), logp, "{at}");
        let with = |parts| n.div_ceil(parts) - 1 + layered::layers(parts, tau, 0).time;
        let best = (1..=p.min(n)).map(with).min().unwrap();
        assert_eq!((best, with(layered.1)), (layered.0, layered.0), "{at}");
        assert_eq!(
            layered::layers(layered.1, tau, 0).fan_ins,
            layered.2,
            "{at}"
        );
        // No model of ours loses to the textbook's trees, and none beats the optimum.
        assert!(best <= binomial.min(flat), "{at}");
        let free = FreeTree::best_equal_blocks(n, tau, p).makespan();
        for other in [alg3, star, best, binomial, flat, postal, free] {
            assert!(logp <= other, "{at}");
        }
        assert!(free <= postal.min(best), "{at}");
    }
}
