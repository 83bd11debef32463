//! Calls whose times are made up.

use proptest::prelude::*;

use super::*;

/// Form of which nothing is known, and whose first call takes no longer than others.
const FORM: Option<Prospect> = Some(Prospect {
    predicted: None,
    first: 0,
});

const ALL: Forms = Forms {
    parallel: FORM,
    alone: FORM,
    planned: None,
    function: None,
};

/// Forms of calls that may make a plan beside the programs.
const ALL_AND_PLANNED: Forms = Forms {
    planned: FORM,
    ..ALL
};

/// Forms of calls that run one of two plans.
const TWO_PLANS: Forms = Forms {
    parallel: FORM,
    alone: None,
    planned: FORM,
    function: None,
};

/// Plays a call that takes these times, in nanoseconds, in each of the [`Form`]s: the form that the
/// rule chose, and its time.
fn call(fallback: &Fallback, forms: Forms, times: [u64; FORMS]) -> (Form, u64) {
    let next = fallback.next(forms, || false);
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

/// Counts as [`count`] does, for calls that may have plans too.
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

/// Returns the forms of a call that are predicted to take so long, and whose first calls take some
/// time longer.
fn predicted(function: Option<i64>, times: [Option<i64>; 3], first: i64) -> Forms {
    let prospect = |time: Option<i64>| {
        let predicted = Some(time?);
        Some(Prospect { predicted, first })
    };
    let [parallel, alone, planned] = times.map(prospect);
    Forms {
        parallel,
        alone,
        planned,
        function,
    }
}

#[test]
fn the_function_begins_and_then_other_forms_are_tried() {
    let fallback = Fallback::default();
    let forms: Vec<Form> = (0..12)
        .map(|_| call(&fallback, ALL, [500, 900, 1000, 0]).0)
        .collect();
    let wanted = [[Form::Written; 3], [Form::Parallel; 3], [Form::Alone; 3]].concat();
    assert_eq!(forms[..9], wanted);
    assert_eq!(forms[9..], [Form::Parallel; 3]);
}

#[test]
fn a_program_that_gains_more_than_its_first_call_takes_begins() {
    let begins = |function, first| {
        let forms = predicted(Some(function), [Some(600_000), Some(900_000), None], first);
        Fallback::default().next(forms, || false).form
    };
    assert_eq!(begins(1_000_000, 100_000), Form::Parallel);
    assert_eq!(begins(1_000_000, 500_000), Form::Written);
    assert_eq!(begins(500_000, 0), Form::Written);
    let forms = predicted(Some(1_000_000), [Some(600_000), None, None], 0);
    assert_eq!(Fallback::default().next(forms, || true).form, Form::Written);
}

/// Counts calls of 20 us until a form is tried whose first call takes so long beyond others.
/// Preparing it took some time of a call. Calls earn 1 us each, and 90 us in advance.
fn calls_without_trial(first: i64, prepared: u64) -> usize {
    let forms = predicted(None, [Some(12_000), None, None], first);
    let fallback = Fallback::default();
    fallback.prepared(Duration::from_nanos(prepared));
    let is_function = |_: &usize| {
        fallback.took(Form::Written, Duration::from_micros(20));
        fallback.next(forms, || false).form == Form::Written
    };
    (0..).take_while(is_function).count()
}

#[test]
fn a_form_whose_first_call_takes_long_waits_until_that_is_paid_for() {
    let waits = calls_without_trial(400_000, 0);
    assert!((300..330).contains(&waits), "{waits}");
    assert!(calls_without_trial(0, 0) < 4);
}

#[test]
fn time_that_calls_take_for_later_ones_is_paid_for_first() {
    let waits = calls_without_trial(0, 400_000);
    assert!((300..330).contains(&waits), "{waits}");
}

#[test]
fn of_two_forms_the_one_that_may_lose_least_is_tried_first() {
    let forms = predicted(None, [Some(12_000), Some(30_000), None], 10_000);
    let fallback = Fallback::default();
    let times = [15_000, 10_000, 20_000, 0];
    let forms: Vec<Form> = (0..9).map(|_| call(&fallback, forms, times).0).collect();
    let wanted = [[Form::Written; 3], [Form::Parallel; 3], [Form::Alone; 3]].concat();
    assert_eq!(forms, wanted);
}

#[test]
fn a_trial_that_took_a_thousand_times_its_prediction_is_followed_by_none() {
    let forms = predicted(None, [Some(300_000), None, None], 100_000);
    let fallback = Fallback::default();
    let slow = [300_000_000, 0, 500_000, 0];
    let counts = count_with_plans(&fallback, forms, slow, 10_000);
    assert_eq!(counts[0], 1, "{counts:?}");
}

#[test]
fn where_others_keep_the_cores_a_trial_waits_until_its_loss_is_paid_for() {
    let forms = predicted(None, [Some(300_000), None, None], 100_000);
    let first_trial = |function: u64, is_busy: bool| {
        let fallback = Fallback::default();
        (0..100_000).position(|_| {
            let next = fallback.next(forms, || is_busy);
            if next.timed {
                fallback.took(next.form, Duration::from_nanos(function));
            }
            next.form == Form::Parallel
        })
    };
    // Nobody waits for ever, as the cores may be others' that seem to be kept.
    assert_eq!(first_trial(500_000, false), Some(3));
    let waits = first_trial(500_000, true).expect("it is tried in the end");
    assert!((300..1200).contains(&waits), "{waits}");
    // Of long calls fewer are enough.
    let waits = first_trial(20_000_000, true).expect("it is tried");
    assert!((20..100).contains(&waits), "{waits}");
}

/// One input again and again, then others, with which the program that was faster is not.
#[test]
fn what_runs_is_timed_so_that_a_change_of_data_is_found() {
    for unit in [10, 100, 1000] {
        let fallback = Fallback::default();
        let forms = Forms {
            parallel: None,
            ..ALL
        };
        let before = [0, 68, 137, 0].map(|time| unit * time);
        let counts = count_with_plans(&fallback, forms, before, 3000);
        assert!(counts[1] > 2900, "{counts:?}");
        let after = [0, 227, 180, 0].map(|time| unit * time);
        count_with_plans(&fallback, forms, after, 200);
        let counts = count_with_plans(&fallback, forms, after, 3000);
        assert!(counts[2] > 2900, "{unit} {counts:?}");
    }
}

/// The form that does not run may have become faster by a change that the other one shows.
#[test]
fn a_change_has_the_other_forms_measured_at_once() {
    let fallback = Fallback::default();
    let forms = Forms {
        parallel: None,
        ..ALL
    };
    let counts = count_with_plans(&fallback, forms, [0, 70_000, 140_000, 0], 3000);
    assert!(counts[1] > 2900, "{counts:?}");
    let after = [0, 120_000, 60_000, 0];
    count_with_plans(&fallback, forms, after, 200);
    let counts = count_with_plans(&fallback, forms, after, 1000);
    assert!(counts[2] > 980, "{counts:?}");
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
    assert_eq!(fallback.next(ALL, || false).form, Form::Parallel);
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
    count(&fallback, times, 20);
    let day = [86_400 * second, second, second, 0];
    while call(&fallback, ALL, day).0 != Form::Parallel {}
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
        parallel: None,
        planned: None,
        ..ALL_AND_PLANNED
    };
    let (mut attempts, mut counts) = (0, [0; FORMS]);
    for _ in 0..1000 {
        let mut next = fallback.next(ALL_AND_PLANNED, || false);
        if next.form.is_parallel() {
            attempts += 1;
            fallback.lacks_threads();
            next = fallback.next(on_one_core, || false);
        }
        assert_eq!(next.lacks_threads, attempts > 0);
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
            let next = fallback.next(ALL_AND_PLANNED, || false);
            if next.timed {
                timed += 1;
                fallback.took(next.form, Duration::from_nanos(times[next.form as usize]));
            }
        }
        assert!(timed < 300, "{times:?}: {timed}");
    }
}

/// Patterns among the control arguments are compared in full for all but the function's own calls.
#[test]
fn a_function_that_runs_is_seldom_asked_for_other_forms() {
    for function in [500, 3000, 60_000] {
        let fallback = Fallback::default();
        let times = [3 * function, 2 * function, function, 3 * function];
        let mut asked = 0;
        for call in 0..20_000 {
            let next = fallback.next_if_written().unwrap_or_else(|| {
                asked += usize::from(call >= 10_000);
                fallback.next(ALL_AND_PLANNED, || false)
            });
            if next.timed {
                let time = Duration::from_nanos(times[next.form as usize]);
                fallback.took(next.form, time);
            }
        }
        assert!(asked < 10_000 / 25, "{function}: {asked}");
    }
}

/// Counts calls of a function that takes so long until one has a plan made.
fn calls_without_plan(function: u64) -> usize {
    let fallback = Fallback::default();
    let without = |_: &usize| {
        let next = fallback.next(ALL, || false);
        if next.timed {
            fallback.took(next.form, Duration::from_nanos(function));
        }
        !next.plans
    };
    (0..100_000).take_while(without).count()
}

#[test]
fn a_plan_is_made_after_some_calls_but_for_short_ones() {
    assert_eq!(calls_without_plan(50_000), 255);
    assert_eq!(calls_without_plan(1000), 100_000);
}

#[test]
fn a_plan_runs_if_it_is_the_fastest() {
    for parallel in [false, true] {
        let fallback = Fallback::default();
        let forms = Forms {
            parallel: FORM.filter(|_| parallel),
            planned: FORM,
            ..ALL
        };
        let times = [800, 1100, 1000, 500].map(|time| 100 * time);
        let counts = count_with_plans(&fallback, forms, times, 10_000);
        assert!(counts[3] > 9_500, "{counts:?}");
    }
}

#[test]
fn a_faster_plan_runs_at_once_where_the_allowance_has_paid_for_its_first_call() {
    let fallback = Fallback::default();
    let count = |planned, calls| {
        let times = [90_000, 130_000, 160_000, planned];
        count_with_plans(&fallback, ALL_AND_PLANNED, times, calls)
    };
    // A plan is made while others run, and its first call wakes the workers.
    let times = [90_000, 130_000, 160_000, u64::MAX];
    count_with_plans(&fallback, ALL, times, 300);
    while count(1_100_000, 1)[Form::Planned as usize] == 0 {}
    let [program, alone, written, planned] = count(60_000, 600);
    assert!(
        planned > 570 && alone + written < 30,
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

/// Calls of 50 ms, of which every seventh is interrupted for a while.
#[test]
fn after_twenty_calls_the_fastest_of_function_and_plans_runs() {
    for times in [
        [38, 0, 50, 31],
        [31, 0, 50, 38],
        [60, 0, 50, 55],
        [49, 0, 50, 42],
    ] {
        let fallback = Fallback::of_plans();
        let times = times.map(|time| 1_000_000 * time);
        let call = |number: u64| {
            let noise = if number % 7 == 3 { 12_000_000 } else { 0 };
            call(&fallback, TWO_PLANS, times.map(|time| time + noise)).0
        };
        for number in 0..20 {
            call(number);
        }
        let fastest = [Form::Parallel, Form::Written, Form::Planned];
        let fastest = fastest.into_iter().min_by_key(|&form| times[form as usize]);
        let later: Vec<Form> = (20..120).map(call).collect();
        let count = later.iter().filter(|&&form| Some(form) == fastest).count();
        assert!(count >= 88, "{times:?}: {count}");
    }
}

#[test]
fn of_two_plans_that_are_slower_than_the_function_none_runs() {
    let fallback = Fallback::of_plans();
    let counts = count_with_plans(&fallback, TWO_PLANS, [2000, 0, 1000, 1500], 10_000);
    assert!(counts[2] > 9_800, "{counts:?}");
}

/// With and without a program that is somewhat slower than the function.
#[test]
fn a_plan_whose_first_call_wakes_the_workers_is_not_hopeless() {
    for parallel in [false, true] {
        let fallback = Fallback::default();
        let forms = Forms {
            parallel: FORM.filter(|_| parallel),
            planned: FORM,
            ..ALL
        };
        let times = [200_000, 5000].map(|time| [12_000, 10_000, 10_000, time]);
        let [.., planned] = count_with_sleep(&fallback, forms, times);
        assert!(planned > 5_000, "{planned}");
    }
}

/// Returns the forms that a call may have.
fn forms() -> impl Strategy<Value = Forms> {
    let build = prop_oneof![Just((true, true)), Just((true, false)), Just((false, true))];
    (build, any::<bool>()).prop_map(|((parallel, alone), planned)| Forms {
        parallel: FORM.filter(|_| parallel),
        alone: FORM.filter(|_| alone),
        planned: FORM.filter(|_| planned),
        function: None,
    })
}

/// Returns a factor from a thousandth to ten thousand, and often one that is close to 1.
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

/// Returns the share by which calls 1,000 to 11,000 take more than the function, and that of the
/// longest of them alone. `noise` gives the factor by which a call is disturbed.
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

/// Returns pseudo-random numbers from 0 to 1, by a linear congruence.
fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

proptest! {
    /// From the first call on, for any function and programs whose predictions are at most by half
    /// too short. The bound is 1.05 times the function, two calls of it, and 50 us.
    #[test]
    fn the_first_calls_together_take_little_more_than_the_function(
        forms in forms(), function in 1e2..2e7f64, factors in [factor(), factor(), factor()],
        errors in [0.67..1.0f64, 0.67..1.0f64, 0.67..1.0f64], first in 0..300_000_i64, seed: u64
    ) {
        let time = |at: usize| (function * factors[at]).max(1.0);
        let prospect = |form: Option<Prospect>, at: usize| form.map(|_| Prospect {
            predicted: Some((time(at) * errors[at]).ceil() as i64),
            first,
        });
        let forms = Forms {
            parallel: prospect(forms.parallel, 0),
            alone: prospect(forms.alone, 1),
            planned: prospect(forms.planned, 2),
            function: None,
        };
        let fallback = Fallback::default();
        let mut number = numbers(seed);
        let (mut total, mut is_new) = (0.0, [true; FORMS]);
        for call in 1..=3000 {
            let next = fallback.next(forms, || false);
            let mut took = match next.form {
                Form::Parallel => time(0),
                Form::Alone => time(1),
                Form::Written => function,
                Form::Planned => time(2),
            };
            if std::mem::take(&mut is_new[next.form as usize]) && next.form != Form::Written {
                took += first as f64 * number();
            }
            if next.timed {
                fallback.took(next.form, Duration::from_nanos(took as u64));
            }
            total += took;
            let most = 1.05 * f64::from(call) * function + 2.0 * function + 50_000.0;
            prop_assert!(total <= most + 10.0, "call {}: {} of {}", call, total, most);
        }
    }

    /// For any function and whatever programs there are of it, if predictions are right within
    /// three.
    #[test]
    fn calls_take_at_most_three_hundredths_more_than_the_function(
        forms in forms(), function in 1e3..2e7f64, factors in [factor(), factor(), factor()],
        errors in [0.33..3.0f64, 0.33..3.0f64, 0.33..3.0f64]
    ) {
        let [parallel, alone, planned] = [0, 1, 2].map(|at| (function * factors[at] * errors[at]) as i64);
        let have = |form: Option<Prospect>, time| form.map(|_| time);
        let times = [
            have(forms.parallel, parallel),
            have(forms.alone, alone),
            have(forms.planned, planned),
        ];
        let (beyond, _) = beyond_the_function(predicted(None, times, 0), function, factors, || 1.0);
        prop_assert!(beyond <= 0.03, "{}", beyond);
    }

    /// With times that vary by a tenth, and every hundredth call interrupted, for programs that
    /// take at most 50 times as long. Beside it one interrupted trial may take 1.5 % by itself.
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
        let forms = Forms { planned: FORM.filter(|_| planned), ..ALL };
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
