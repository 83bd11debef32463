//! Calls whose times are made up.

use proptest::prelude::*;

use super::*;

const ALL: Forms = Forms {
    parallel: true,
    alone: true,
    planned: false,
};

/// Forms of calls that may make a plan beside the programs.
const ALL_AND_PLANNED: Forms = Forms {
    planned: true,
    ..ALL
};

/// Forms of calls that run one of two plans.
const TWO_PLANS: Forms = Forms {
    parallel: true,
    alone: false,
    planned: true,
};

/// Plays a call that takes these times, in nanoseconds, in each of the [`Form`]s: the form that the
/// rule chose, and its time.
fn call(fallback: &Fallback, forms: Forms, times: [u64; FORMS]) -> (Form, u64) {
    let next = fallback.next(forms);
    let time = times[next.form as usize];
    if next.timed {
        fallback.took(next.form, Duration::from_nanos(time));
    }
    (next.form, time)
}

/// Counts of `calls` with these times those in each form.
fn count(fallback: &Fallback, times: [u64; 3], calls: usize) -> [usize; 3] {
    let [parallel, alone, written] = times;
    let times = [parallel, alone, written, u64::MAX];
    let [counts @ .., planned] = count_with_plans(fallback, ALL, times, calls);
    assert_eq!(planned, 0);
    counts
}

/// As [`count`], of calls that may have plans too.
fn count_with_plans(
    fallback: &Fallback,
    forms: Forms,
    times: [u64; FORMS],
    calls: usize,
) -> [usize; FORMS] {
    let mut counts = [0; FORMS];
    for _ in 0..calls {
        counts[call(fallback, forms, times).0 as usize] += 1;
    }
    counts
}

/// Counts 10,000 calls by form. They take the first times where workers sleep, as they do after any
/// call on one core, and the second where they do not.
fn count_with_sleep(
    fallback: &Fallback,
    forms: Forms,
    [asleep, awake]: [[u64; FORMS]; 2],
) -> [usize; FORMS] {
    let (mut is_asleep, mut counts) = (true, [0; FORMS]);
    for _ in 0..10_000 {
        let times = if is_asleep { asleep } else { awake };
        let (form, _) = call(fallback, forms, times);
        is_asleep = !form.is_parallel();
        counts[form as usize] += 1;
    }
    counts
}

#[test]
fn a_program_begins_and_then_the_other_forms_are_measured() {
    let fallback = Fallback::default();
    let forms: Vec<Form> = (0..12)
        .map(|_| call(&fallback, ALL, [500, 900, 1000, 0]).0)
        .collect();
    let wanted = [[Form::Parallel; 3], [Form::Written; 3], [Form::Alone; 3]].concat();
    assert_eq!(forms[..9], wanted);
    assert_eq!(forms[9..], [Form::Parallel; 3]);
}

#[test]
fn a_faster_program_keeps_running_but_for_ever_rarer_measurements() {
    let fallback = Fallback::default();
    let [parallel, alone, written] = count(&fallback, [500, 900, 1000], 1_000_000);
    assert!(alone <= 30 && written <= 30, "{alone} {written}");
    assert_eq!(parallel + alone + written, 1_000_000);
}

#[test]
fn the_fastest_form_runs_whichever_it_is() {
    for fastest in 0..3 {
        let fallback = Fallback::default();
        let mut times = [1000; 3];
        times[fastest] = 500;
        let counts = count(&fallback, times, 10_000);
        assert!(counts[fastest] > 9_800, "{counts:?}");
    }
}

#[test]
fn a_form_that_is_hopeless_costs_few_calls() {
    let fallback = Fallback::default();
    let [parallel, alone, _] = count(&fallback, [100_000, 20_000, 1000], 11_000);
    assert!(parallel <= 6 && alone <= 8, "{parallel} {alone}");
}

#[test]
fn a_single_interruption_changes_nothing() {
    let fallback = Fallback::default();
    let times = [500, 1000, 1000];
    count(&fallback, times, 40);
    call(&fallback, ALL, [4900, 1000, 1000, 0]);
    assert_eq!(fallback.next(ALL).form, Form::Parallel);
}

#[test]
fn time_slices_that_others_take_change_nothing_where_as_much_was_gained() {
    let fallback = Fallback::default();
    let times = [25_000, 50_000, 50_000];
    count(&fallback, times, 2000);
    call(&fallback, ALL, [8_000_000, 50_000, 50_000, 0]);
    let [parallel, ..] = count(&fallback, times, 1000);
    assert!(parallel > 980, "{parallel}");
    // But cores that others keep soon run the function.
    let [parallel, ..] = count(&fallback, [4_000_000, 50_000, 50_000], 1000);
    assert!(parallel < 10, "{parallel}");
}

#[test]
fn workers_that_have_to_be_woken_do_not_end_a_turn() {
    let fallback = Fallback::default();
    // On a busy machine the parallel form rests, and the workers go to sleep.
    count(&fallback, [20_000, 1000, 1000], 40);
    let times = [3000, 500].map(|time| [time, 1000, 1000, 0]);
    let [parallel, ..] = count_with_sleep(&fallback, ALL, times);
    assert!(parallel > 5_000, "{parallel}");
}

#[test]
fn a_slower_program_gives_way_and_comes_back_when_the_machine_is_idle_again() {
    let fallback = Fallback::default();
    let [parallel, ..] = count(&fallback, [20_000, 1000, 1000], 10_000);
    assert!((4..=14).contains(&parallel), "{parallel}");
    let idle = [500, 1000, 1000];
    count(&fallback, idle, 100 * 2 * 20);
    let [parallel, ..] = count(&fallback, idle, 100);
    assert!(parallel >= 94, "{parallel}");
}

#[test]
fn after_a_call_that_was_stopped_for_a_day_the_next_parallel_one_comes_within_minutes() {
    let fallback = Fallback::default();
    let second = 1_000_000_000;
    let times = [second / 2, second, second];
    count(&fallback, times, 12);
    call(&fallback, ALL, [86_400 * second, second, second, 0]);
    let [parallel, ..] = count(&fallback, times, 290);
    assert!(parallel <= 1, "{parallel}");
    assert!(count(&fallback, times, 40)[0] > 10);
}

#[test]
fn a_first_measurement_that_was_slow_is_corrected_by_the_next() {
    let fallback = Fallback::default();
    count(&fallback, [1500, 5000, 5000], 9);
    let [parallel, _, written] = count(&fallback, [1500, 1000, 1000], 1000);
    assert!(written > 900 && parallel < 40, "{parallel} {written}");
}

#[test]
fn without_threads_the_forms_on_one_core_are_measured() {
    let fallback = Fallback::default();
    let on_one_core = Forms {
        parallel: false,
        planned: false,
        ..ALL_AND_PLANNED
    };
    let (mut attempts, mut counts) = (0, [0; FORMS]);
    for _ in 0..1000 {
        let mut next = fallback.next(ALL_AND_PLANNED);
        if next.form.is_parallel() {
            attempts += 1;
            fallback.lacks_threads();
            next = fallback.next(on_one_core);
        }
        assert!(next.lacks_threads);
        counts[next.form as usize] += 1;
        if next.timed {
            let time = [0, 2000, 1000][next.form as usize];
            fallback.took(next.form, Duration::from_nanos(time));
        }
    }
    assert_eq!([counts[0], counts[3]], [0, 0]);
    assert!((50..=1000 / 16 + 1).contains(&attempts), "{attempts}");
    assert!(counts[1] < 20, "{counts:?}");
}

#[test]
fn short_functions_are_seldom_timed() {
    for (parallel, alone) in [(400, 60), (400, 52), (55, 500), (51, 51), (3000, 800)] {
        let fallback = Fallback::default();
        let times = [parallel, alone, 50, 700];
        count_with_plans(&fallback, ALL_AND_PLANNED, times, 1000);
        let mut timed = 0;
        for _ in 0..10_000 {
            let next = fallback.next(ALL_AND_PLANNED);
            if next.timed {
                timed += 1;
                fallback.took(next.form, Duration::from_nanos(times[next.form as usize]));
            }
        }
        assert!(timed < 300, "{times:?}: {timed}");
    }
}

#[test]
fn a_plan_is_made_after_some_calls_and_runs_if_it_is_the_fastest() {
    for parallel in [false, true] {
        let fallback = Fallback::default();
        let forms = Forms {
            parallel,
            planned: true,
            ..ALL
        };
        let times = [800, 1100, 1000, 500].map(|time| 100 * time);
        let counts = count_with_plans(&fallback, forms, times, 256);
        assert_eq!(counts[3], 0, "{counts:?}");
        let counts = count_with_plans(&fallback, forms, times, 10_000);
        assert!(counts[3] > 9_500, "{counts:?}");
    }
}

#[test]
fn a_program_that_gains_runs_until_the_first_call_of_a_faster_plan_is_paid_for() {
    let fallback = Fallback::default();
    let count = |planned, calls| {
        let times = [90_000, 130_000, 160_000, planned];
        count_with_plans(&fallback, ALL_AND_PLANNED, times, calls)
    };
    // The first call of the plan, which wakes the workers.
    while count(1_100_000, 1)[Form::Planned as usize] == 0 {}
    let [program, alone, written, _] = count(60_000, 600);
    assert!(
        program > 500 && alone + written < 30,
        "{program} {alone} {written}"
    );
    let [program, alone, written, planned] = count(60_000, 2_000);
    assert!(
        planned > 1_000 && alone + written < 30,
        "{program} {alone} {written} {planned}"
    );
}

#[test]
fn of_two_plans_the_faster_one_runs_from_the_first_calls_on() {
    // Also of calls of a microsecond: both are made already.
    for times in [[800, 0, 1000, 500], [500, 0, 1000, 800]] {
        for unit in [1, 1000] {
            let fallback = Fallback::of_plans();
            assert_eq!(fallback.faster_plan(), None);
            let times = times.map(|time| unit * time);
            // A single call of the second decides nothing: it makes memories.
            for _ in 0..8 {
                call(&fallback, TWO_PLANS, times);
                assert_eq!(fallback.faster_plan(), None);
            }
            let counts = count_with_plans(&fallback, TWO_PLANS, times, 4);
            assert!(counts[3] >= 1, "{counts:?}");
            let faster = match times[0] < times[3] {
                true => Form::Parallel,
                false => Form::Planned,
            };
            assert_eq!(fallback.faster_plan(), Some(faster));
            let counts = count_with_plans(&fallback, TWO_PLANS, times, 10_000);
            assert!(counts[faster as usize] > 9_900, "{counts:?}");
        }
    }
}

#[test]
fn of_two_plans_that_are_slower_than_the_function_none_runs() {
    let fallback = Fallback::of_plans();
    let counts = count_with_plans(&fallback, TWO_PLANS, [2000, 0, 1000, 1500], 10_000);
    assert!(counts[2] > 9_800, "{counts:?}");
}

#[test]
fn no_plan_is_made_of_short_calls() {
    let fallback = Fallback::default();
    let counts = count_with_plans(&fallback, ALL_AND_PLANNED, [800, 1100, 1000, 500], 100_000);
    assert_eq!(counts[3], 0, "{counts:?}");
}

/// With and without a program that is somewhat slower than the function.
#[test]
fn a_plan_whose_first_call_wakes_the_workers_is_not_hopeless() {
    for parallel in [false, true] {
        let fallback = Fallback::default();
        let forms = Forms {
            parallel,
            planned: true,
            ..ALL
        };
        let times = [200_000, 5000].map(|time| [12_000, 10_000, 10_000, time]);
        let [.., planned] = count_with_sleep(&fallback, forms, times);
        assert!(planned > 5_000, "{planned}");
    }
}

#[test]
fn without_a_plan_nobody_asks_for_one_again() {
    let fallback = Fallback::default();
    let mut attempts = 0;
    for _ in 0..10_000 {
        let mut next = fallback.next(ALL_AND_PLANNED);
        if next.form == Form::Planned {
            attempts += 1;
            fallback.lacks_plan();
            next = fallback.next(ALL);
        }
        if next.timed {
            fallback.took(next.form, Duration::from_micros(100));
        }
    }
    assert_eq!(attempts, 1);
}

/// The forms that a call may have.
fn forms() -> impl Strategy<Value = Forms> {
    let build = prop_oneof![Just((true, true)), Just((true, false)), Just((false, true))];
    (build, any::<bool>()).prop_map(|((parallel, alone), planned)| Forms {
        parallel,
        alone,
        planned,
    })
}

/// A factor from a thousandth to ten thousand, and often one that is close to 1.
fn factor() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-3.0..4.0f64).prop_map(|power| 10f64.powf(power)),
        0.8..1.6f64,
        1.0..20.0f64
    ]
}

/// Times of calls, the parallel one from much less to much more than those on one core, in any
/// mixture.
fn times() -> impl Strategy<Value = Vec<[u64; FORMS]>> {
    let parallel = || prop_oneof![0..1000_u64, 900..1700_u64, 1000..100_000_u64];
    let on_one_core = (1000..2000_u64, 1000..2000_u64);
    let runs = (parallel(), on_one_core, parallel(), 1..400_usize).prop_map(
        |(parallel, (alone, written), planned, calls)| {
            vec![[parallel, alone, written, planned]; calls]
        },
    );
    prop::collection::vec(runs, 1..60).prop_map(|runs| runs.concat())
}

/// The share by which calls 1,000 to 11,000 take more than the function, and that of the longest of
/// them alone. `noise` gives the factor by which a call is disturbed.
fn beyond_the_function(
    forms: Forms,
    function: f64,
    factors: [f64; 3],
    mut noise: impl FnMut() -> f64,
) -> (f64, f64) {
    let fallback = Fallback::default();
    let (mut total, mut written, mut longest) = (0.0, 0.0, 0.0);
    for number in 0..11_000 {
        let [parallel, alone, planned] = factors;
        let times = [parallel, alone, 1.0, planned].map(|factor| {
            let time: f64 = function * factor * noise();
            time.max(1.0) as u64
        });
        let (_, time) = call(&fallback, forms, times);
        if number >= 1000 {
            total += time as f64;
            longest = f64::max(longest, time as f64);
            written += times[2] as f64;
        }
    }
    (total / written - 1.0, longest / written)
}

/// Pseudo-random numbers from 0 to 1, by a linear congruence.
fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

proptest! {
    /// For any function and whatever programs there are of it.
    #[test]
    fn calls_take_at_most_three_hundredths_more_than_the_function(
        forms in forms(), function in 1e3..2e7f64, factors in [factor(), factor(), factor()]
    ) {
        let (beyond, _) = beyond_the_function(forms, function, factors, || 1.0);
        prop_assert!(beyond <= 0.03, "{}", beyond);
    }

    /// With times that vary by a tenth, and every hundredth call interrupted: for programs that take
    /// at most 50 times as long, and beside one interrupted trial, which may take 1.5 % by itself.
    #[test]
    fn so_they_do_where_times_vary(
        forms in forms(), function in 1e3..2e7f64, factors in [factor(), factor(), factor()], seed: u64
    ) {
        let factors = factors.map(|factor| factor.min(50.0));
        let mut number = numbers(seed);
        let noise = || match number() {
            rare if rare < 0.01 => 3.0,
            usual => 1.0 + 0.1 * usual,
        };
        let (beyond, longest) = beyond_the_function(forms, function, factors, noise);
        prop_assert!(beyond <= 0.03 + longest, "{} {}", beyond, longest);
    }

    /// The bounds that the page of the rule states.
    #[test]
    fn calls_together_take_little_more_than_in_the_base_form(times in times(), planned: bool) {
        let fallback = Fallback::default();
        let forms = Forms { planned, ..ALL };
        let calls: Vec<(Form, u64)> = times.iter().map(|&times| call(&fallback, forms, times)).collect();
        // Before there are measurements nothing is known, and a call can be of any length.
        let judged = calls.get(9..).unwrap_or_default();
        let mut longest: Vec<u64> = judged.iter().map(|&(_, time)| time).collect();
        longest.sort_unstable();
        let longest: u64 = longest.iter().rev().take(2).sum();
        let total: u64 = judged.iter().map(|&(_, time)| time).sum();
        let base = 2000 * judged.len() as u64;
        prop_assert!(
            total <= base + base / 50 + longest,
            "{} calls took {}", judged.len(), total
        );
    }

    #[test]
    fn the_median_stays_within_half_as_much_again(
        parallel in prop::collection::vec(prop_oneof![0..1000_u64, 900..1700_u64, 1000..100_000_u64], 60..2000)
    ) {
        let fallback = Fallback::default();
        let calls: Vec<u64> = parallel.iter().map(|&time| call(&fallback, ALL, [time, 1000, 1000, 0]).1).collect();
        let slow = calls.iter().filter(|&&time| time > 1500).count();
        prop_assert!(slow <= calls.len() / 3 + 10, "{} of {}", slow, calls.len());
        prop_assert!(2 * slow < calls.len());
    }
}
