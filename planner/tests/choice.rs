//! The choice among plans, and what the report says of it.

mod support;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use superstep_planner::{
    Algorithm, Costs, Graph, OtherLevel, Plan, PlanError, RIVALS, Report, Track, UNLIKELY, Windows,
    Within, by_level, choose, plan, plans, prove, rivals,
};
use support::{Body, Kernel, Pattern};

fn grid(side: usize) -> Kernel {
    let n = side * side;
    Kernel::new(Body::Lower(Pattern::new((0..n).map(|i| {
        let above = i.checked_sub(side);
        let left = (i % side > 0).then(|| i - 1);
        above.into_iter().chain(left).collect()
    }))))
}

fn chains(n: usize, chains: usize) -> Kernel {
    let before = |i: usize| i.checked_sub(chains).into_iter().collect();
    Kernel::new(Body::Lower(Pattern::new((0..n).map(before))))
}

/// Makes a 5-point grid in the order of nested dissection: both halves, then the line between them.
fn dissected(side: usize) -> Kernel {
    fn dissect([left, right, above, below]: [usize; 4], side: usize, order: &mut Vec<usize>) {
        let (width, height) = (right - left, below - above);
        if width * height <= 8 {
            let rows = (above..below).flat_map(|y| (left..right).map(move |x| y * side + x));
            order.extend(rows);
        } else if width > height {
            let middle = left + width / 2;
            dissect([left, middle, above, below], side, order);
            dissect([middle + 1, right, above, below], side, order);
            order.extend((above..below).map(|y| y * side + middle));
        } else {
            let middle = above + height / 2;
            dissect([left, right, above, middle], side, order);
            dissect([left, right, middle + 1, below], side, order);
            order.extend((left..right).map(|x| middle * side + x));
        }
    }
    let mut order = Vec::new();
    dissect([0, side, 0, side], side, &mut order);
    let mut places = vec![0; order.len()];
    (0..)
        .zip(&order)
        .for_each(|(place, &at)| places[at] = place);
    Kernel::new(Body::Lower(Pattern::new(order.iter().map(|&at| {
        let (x, y) = (at % side, at / side);
        let near = [
            (x > 0).then(|| at - 1),
            (x + 1 < side).then_some(at + 1),
            (y > 0).then(|| at - side),
            (y + 1 < side).then_some(at + side),
        ];
        let near = near.into_iter().flatten().map(|other| places[other]);
        near.filter(|&other| other < places[at]).collect()
    }))))
}

fn report(kernel: &Kernel, processors: u32) -> Report {
    plan(kernel, processors, &Costs::default(), u64::MAX)
        .expect("a good kernel")
        .1
}

#[test]
fn grids_are_dealt_in_whole_lines() {
    // Sides that are no multiple of a grain: rows joined across the ends of lines would leave no
    // parallelism.
    for side in [301, 400] {
        let kernel = grid(side);
        let graph = Graph::new(&kernel, &Costs::default()).expect("a good kernel");
        let (chosen, report) = choose(&graph, 2, &Costs::default()).expect("processors");
        assert!(report.chosen().ratio < 0.65, "{report}");
        assert!(report.parallelism > 20.0, "{report}");
        // Each line begins with a grain.
        for line in 0..side {
            let first = (line * side) as u32;
            assert!(chosen.boundaries.contains(&first), "line {line}");
        }
        let kept = 4 * (chosen.boundaries.len() + chosen.grains.items.len())
            + 8 * (chosen.grains.offsets.len() + chosen.order.waits.items.len());
        assert!(kept < 10 * side * side, "at most 10 bytes a row");
        assert!(prove(&kernel, chosen).is_ok());
    }
}

#[test]
fn more_processors_are_never_predicted_slower_on_grids() {
    let kernel = grid(300);
    let ratios = [1, 2, 4, 8].map(|processors| report(&kernel, processors).chosen().ratio);
    assert!(ratios.is_sorted_by(|a, b| a > b), "{ratios:?}");
}

#[test]
fn independent_iterations_are_divided_evenly() {
    let kernel = chains(20_000, 20_000);
    let report = report(&kernel, 4);
    assert_eq!(report.levels, 1);
    assert!(report.chosen().ratio < 0.35, "{report}");
}

#[test]
fn chains_that_do_not_meet_are_a_farm_of_even_parts() {
    for (rows, long, processors) in [(40_000, 1, 2), (40_000, 100, 3), (30_001, 17, 20)] {
        let before = |i: usize| {
            (!i.is_multiple_of(long))
                .then(|| i - 1)
                .into_iter()
                .collect()
        };
        let kernel = Kernel::new(Body::Lower(Pattern::new((0..rows).map(before))));
        let costs = Costs::default();
        let graph = Graph::new(&kernel, &costs).expect("a good kernel");
        let (plan, report) = choose(&graph, processors, &costs).expect("processors");
        assert_eq!(report.chosen().algorithm, Algorithm::Farm, "{report}");
        assert!(plan.order.is_free());
        let parts = plan.order.processors() as u32;
        let most = (16 * processors).min(Plan::MOST_PROCESSORS);
        assert!(processors < parts && parts <= most, "{parts} {report}");
        let works = (0..parts).map(|part| {
            let grains = plan
                .order
                .steps_of(part)
                .flat_map(|chunk| plan.grains_of(chunk));
            grains
                .map(|&grain| graph.work()[grain as usize])
                .sum::<u32>()
        });
        // A part has its share, and half of a chain at either end.
        let share = graph.work().iter().sum::<u32>() / parts;
        assert!(works.max() <= Some(share * 5 / 4), "{share} {report}");
        assert!(prove(&kernel, plan).is_ok());
    }
}

#[test]
fn a_farm_with_a_part_that_takes_nearly_all_is_no_candidate() {
    // Nine rows in ten need the first one, and there are many of them side by side.
    let n = 20_000;
    let before = |i: usize| (0 < i && i < 9 * n / 10).then_some(0).into_iter().collect();
    let kernel = Kernel::new(Body::Lower(Pattern::new((0..n).map(before))));
    let report = report(&kernel, 4);
    let mut candidates = report.candidates.iter();
    assert!(
        candidates.all(|each| each.algorithm != Algorithm::Farm),
        "{report}"
    );
    assert!(report.chosen().ratio < 0.5, "{report}");
}

#[test]
fn a_chain_among_others_is_one_part_of_a_farm() {
    // The first half of all rows depend on each other.
    let n = 20_000;
    let before = |i: usize| (0 < i && i < n / 2).then(|| i - 1).into_iter().collect();
    let kernel = Kernel::new(Body::Lower(Pattern::new((0..n).map(before))));
    let report = report(&kernel, 4);
    let farm = report.candidates.iter();
    let farm: Vec<_> = farm
        .filter(|each| each.algorithm == Algorithm::Farm)
        .collect();
    assert!(
        farm.len() == 1 && farm[0].ratio > 0.5 && farm[0].ratio < 0.7,
        "{report}"
    );
}

#[test]
fn a_report_says_why_a_plan_is_sequential() {
    let why = |kernel: &Kernel, processors| report(kernel, processors).why_sequential();
    let says = |reason: &str| Some(reason.to_owned());
    assert_eq!(
        why(&chains(5000, 1), 2),
        says("one long chain: parallelism 1.0")
    );
    assert_eq!(why(&chains(5000, 1000), 1), says("one processor"));
    assert_eq!(why(&chains(3, 3), 2), says("too little work: 18 ns"));
    assert_eq!(why(&grid(100), 2), None);
    let waits = why(&grid(14), 8).expect("too small");
    assert!(
        waits.starts_with("waits cost more than 8 processors gain: the best is"),
        "{waits}"
    );
}

#[test]
fn nothing_is_scheduled_that_cannot_pay_within_the_expected_calls() {
    let kernel = grid(100);
    let planned = |calls| {
        let (proved, report) = plan(&kernel, 2, &Costs::default(), calls).expect("a good kernel");
        (proved.plan().order.processors(), report)
    };
    let (processors, report) = planned(1);
    let [expected, least] = report
        .unpaid
        .expect("one call gains less than a proof takes");
    assert_eq!((processors, expected, report.candidates.len()), (1, 1, 1));
    let reason = report.why_sequential().expect("it is sequential");
    let says = format!("expected calls: 1; a schedule pays after {least} at the earliest");
    assert_eq!(reason, says);
    assert_eq!(planned(least - 1).0, 1);
    let (processors, report) = planned(least);
    assert_eq!((processors, report.unpaid), (2, None));
    // A chain is one however many calls there are.
    let chain = plan(&chains(5000, 1), 2, &Costs::default(), 1).expect("a good kernel");
    assert!(chain.1.is_chain() && chain.1.unpaid.is_none());
}

#[test]
fn a_report_is_a_table() {
    let text = report(&chains(100, 1), 2).to_string();
    assert_eq!(
        text,
        "100 iterations in 13 grains, 13 levels, parallelism 1.0\n\
         on 2 processors, predicted over sequential, in place and loaded:\n\
         * sequential                1.00  1.00         1 chunks        0 waits\n\
         sequential: one long chain: parallelism 1.0\n"
    );
}

#[test]
fn reports_tell_of_other_levels_and_of_plans_that_are_tried_all_the_same() {
    let inside = report(&grid(100), 2);
    let chain = report(&chains(30_000, 1), 2);
    assert!(chain.others.is_empty());
    let outside = Report {
        others: vec![OtherLevel {
            level: 1,
            best: Some((Algorithm::Owners(1), 2.0 * chain.nanoseconds)),
            ..OtherLevel::from(&inside)
        }],
        ..chain
    };
    let told = outside.to_string();
    let line = "loops in 1 others: 10000 iterations, parallelism ";
    assert!(
        told.contains(line) && told.contains(", owners 1 2.00\n"),
        "{told}"
    );
    let reason = "sequential: one long chain: parallelism 1.0, and the loops inside gain nothing\n";
    assert!(told.ends_with(reason), "{told}");

    let best = inside.chosen();
    let time = best.ratio * inside.nanoseconds;
    assert_eq!(OtherLevel::from(&inside).best, Some((best.algorithm, time)));
    let mut slower = inside.clone();
    assert!(!slower.to_string().contains("calls try it"));
    assert!(slower.to_string().contains("\n* "));
    slower.candidates[slower.chosen].ratio = 1.1;
    let told = slower.to_string();
    assert!(told.contains("wrong: calls try it\n"), "{told}");
    assert!(told.contains("\n? ") && !told.contains("\n* "), "{told}");
    slower.candidates[slower.chosen].ratio = 1.7;
    let told = slower.to_string();
    assert!(
        told.contains("unless it is loaded: calls try it\n"),
        "{told}"
    );
}

#[test]
fn dissected_grids_are_pipelines() {
    let report = report(&dissected(100), 2);
    let chosen = report.chosen();
    assert_eq!(chosen.algorithm, Algorithm::Pipeline, "{report}");
    assert!(chosen.ratio < 0.65, "{report}");
}

#[test]
fn few_wide_levels_are_supersteps() {
    // Each row of the second half needs two neighbours of the first.
    let half = 20_000;
    let before = |i: usize| match i.checked_sub(half) {
        Some(at) => vec![at, (at + 1) % half],
        None => vec![],
    };
    let kernel = Kernel::new(Body::Lower(Pattern::new((0..2 * half).map(before))));
    let report = report(&kernel, 2);
    let chosen = report.chosen();
    assert_eq!(chosen.algorithm, Algorithm::Levels, "{report}");
    assert!(chosen.ratio < 0.55, "{report}");
}

#[test]
fn the_chosen_plan_has_the_best_prediction() {
    for seed in 0..40 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = Kernel::new(Body::Lower(Pattern::family(seed as usize, 600, random)));
        let report = report(&kernel, 4);
        let best = report.candidates.iter().map(|each| each.ratio);
        assert_eq!(report.chosen().ratio, best.fold(f64::INFINITY, f64::min));
        assert_eq!(report.candidates[0].algorithm, Algorithm::Sequential);
    }
}

#[test]
fn rivals_are_the_best_in_place_and_the_best_loaded_of_another_algorithm() {
    let (mut several, mut others_in_place) = (0, 0);
    for seed in 0..80 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = Kernel::new(Body::Lower(Pattern::family(seed as usize, 600, random)));
        // Waits that cost little: most patterns gain by more than one algorithm.
        let costs = Costs {
            wait: 20.0,
            chunk: 5.0,
            jump: 8.0,
            crossing: 1.0,
            least: 8.0,
            ..Costs::default()
        };
        let graph = Graph::new(&kernel, &costs).expect("a good kernel");
        let all = rivals(&graph, 3, &costs).expect("processors");
        let (chosen, report) = choose(&graph, 3, &costs).expect("processors");
        assert!((1..=RIVALS).contains(&all.len()));
        for (plan, report) in &all {
            let told = report.chosen();
            assert_eq!(plan.grains.len(), told.chunks);
            assert_eq!(plan.order.waits.items.len(), told.waits);
            assert!(prove(&kernel, plan.clone()).is_ok());
            let is_likely = told.ratio <= UNLIKELY || told.loaded <= 1.0;
            assert!(plan.order.processors.len() > 2 && is_likely || all.len() == 1);
            assert!(told.loaded <= told.ratio);
        }
        if let [(_, first), (_, second)] = &all[..] {
            several += 1;
            let [first, second] = [first.chosen(), second.chosen()];
            assert!(!alike(first.algorithm, second.algorithm));
            assert_ne!(first.algorithm, Algorithm::GrowLocal);
            assert!(first.ratio <= second.ratio);
            let others = report.candidates[1..].iter().filter(|other| {
                !alike(other.algorithm, first.algorithm)
                    && !alike(other.algorithm, second.algorithm)
            });
            assert!(others.clone().all(|other| other.loaded >= second.loaded));
            others_in_place += u32::from(others.clone().any(|other| other.ratio < second.ratio));
        }
        if report.chosen().algorithm != Algorithm::Sequential {
            assert_eq!((&all[0].0, all[0].1.chosen()), (&chosen, report.chosen()));
        }
        let proved = plans(&kernel, 3, &costs, u64::MAX).expect("a good kernel");
        let proved = proved
            .into_iter()
            .map(|(plan, report)| (plan.plan().clone(), report));
        assert_eq!(proved.collect::<Vec<_>>(), all);
    }
    assert!(several > 9, "{several}");
    assert!(others_in_place > 2, "{others_in_place}");
}

/// Returns whether algorithms differ in numbers at most.
fn alike(one: Algorithm, other: Algorithm) -> bool {
    let numbered = |algorithm| match algorithm {
        Algorithm::Doacross(windows) => Algorithm::Doacross(Windows {
            grains: 1,
            chunks: 1,
            ..windows
        }),
        Algorithm::Owners(_) => Algorithm::Owners(1),
        other => other,
    };
    numbered(one) == numbered(other)
}

#[test]
fn grids_by_level_in_windows_that_stay_in_the_cache_are_tried_loaded() {
    let graph = Graph::new(&grid(400), &Costs::default()).expect("a good kernel");
    let all = rivals(&graph, 2, &Costs::default()).expect("processors");
    let [(_, first), (plan, second)] = &all[..] else {
        panic!("{} plans", all.len());
    };
    let within = |report: &Report| match report.chosen().algorithm {
        Algorithm::Doacross(windows) => Some(windows.within),
        _ => None,
    };
    assert_eq!(within(first), Some(Within::Run), "{first}");
    assert_eq!(within(second), Some(Within::Levels), "{second}");
    // In place each grain behind another one of memory costs a jump; 32 KB are 4096 of the words.
    let [told, in_run] = [second, first].map(Report::chosen);
    assert!(told.ratio > in_run.ratio && told.loaded < 0.6, "{second}");
    assert_eq!(second.predicted_loaded(), told.loaded * second.nanoseconds);
    let Algorithm::Doacross(windows) = told.algorithm else {
        unreachable!("by level");
    };
    let rows = plan.boundaries[windows.grains as usize];
    assert!((3000..5000).contains(&rows), "{rows}");
}

#[test]
fn grids_with_long_lines_run_by_level_in_larger_windows_and_chains_in_order() {
    for (side, window) in [(200, 2048), (600, 8192)] {
        let kernel = grid(side);
        let in_order = Plan::sequential([0, kernel.iterations()].into());
        let plan = by_level(&kernel, &in_order).expect("a good kernel");
        let plan = plan.expect("levels are wide");
        let (first, second) = plan.grains.items.split_at(window as usize);
        assert!(first.iter().all(|&row| row < window) && second.iter().all(|&row| row >= window));
        let mut levels = first[..window as usize / 4].iter();
        assert!(levels.any(|&row| row >= window / 4), "windows are smaller");
        prove(&kernel, plan).expect("a plan");
    }
    let chain = chains(10_000, 1);
    let in_order = Plan::sequential([0, chain.iterations()].into());
    assert_eq!(by_level(&chain, &in_order), Ok(None));
}

#[test]
fn what_cannot_be_planned_for_is_refused() {
    let kernel = chains(10, 2);
    let refused =
        |processors, costs: &Costs| plan(&kernel, processors, costs, u64::MAX).map(|_| ());
    for processors in [0, 257, u32::MAX] {
        assert_eq!(
            refused(processors, &Costs::default()),
            Err(PlanError::Processors { processors })
        );
    }
    for word in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let costs = Costs {
            word,
            ..Costs::default()
        };
        assert!(matches!(refused(2, &costs), Err(PlanError::Costs { .. })));
    }
    let costs = Costs {
        wait: -1.0,
        ..Costs::default()
    };
    let message = refused(2, &costs).expect_err("no costs").to_string();
    assert!(message.ends_with("are no costs"), "{message}");
}
