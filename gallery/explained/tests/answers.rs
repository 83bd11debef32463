//! Answers about kernels with one trouble each are true: the same kernel without the
//! trouble is predicted to take what the answer says.

use superstep::build::Instance;
use superstep_compiler::{Options, Pass, Passes, Request, compile};
use superstep_explain::{Explained, Subject, explain};
use superstep_explained::kernels::{after, before, gathers, renumbered, rows, sorted};
use superstep_machine::Memory;
use superstep_report::Answer;
use superstep_scheduler::Algorithm;

fn options() -> Options {
    Options {
        algorithms: superstep_search::ALL,
        ..Options::default()
    }
}

fn told(instance: &Instance, request: Request, options: &Options) -> Explained {
    let trace = instance.record().expect("it is small");
    let subject = Subject {
        trace: &trace,
        options,
        request,
        cores: 2,
    };
    explain(&subject, Answer::LEAST_GAIN, &mut |_| {}).expect("programs are made")
}

/// Nanoseconds that a program is predicted to take.
fn predicted(instance: &Instance, request: Request, options: &Options) -> f64 {
    let trace = instance.record().expect("it is small");
    let compiled = compile(&trace, &[request], options).expect("programs are made");
    let last = compiled.programs.last().expect("there is one");
    assert_eq!(last.report.processors, request.processors);
    last.report.predicted()
}

/// Prints all answers, as commands do.
fn text(explained: &Explained) -> String {
    let line = |answer: &Answer| {
        let Answer {
            title, body, help, ..
        } = answer;
        let statement = answer
            .statement
            .map_or(String::new(), |at| format!(", statement {at}"));
        let step = answer
            .step
            .map_or(String::new(), |at| format!(", superstep {at}"));
        let gain = 100.0 * answer.gain;
        let line = answer.line.unwrap_or(0);
        format!("{gain:.0} %: {title} (line {line}{statement}{step})\n  {body}\n  help: {help}\n")
    };
    explained.answers.iter().map(line).collect()
}

/// Compares an answer with what is predicted where it was followed.
fn is_true(explained: &Explained, title: &str, after: f64) {
    let named = explained
        .answers
        .iter()
        .find(|answer| answer.title.contains(title));
    let answer = named.unwrap_or_else(|| panic!("{:#?}", explained.answers));
    let told = (1.0 - answer.gain) * explained.predicted;
    assert!(
        (told / after - 1.0).abs() < 0.01,
        "told {told}, and it is {after}"
    );
}

#[test]
fn a_sum_is_a_chain_and_a_tree_is_none() {
    let (options, request) = (options(), Request::exactly(2));
    let explained = told(&before::total::instance(200_000), request, &options);
    let after = predicted(&after::total::instance(200_000), request, &options);
    insta::assert_snapshot!("chain", text(&explained));
    is_true(&explained, "#[reduce]", after);
}

#[test]
fn loops_that_go_down_columns_are_exchanged() {
    let (options, request) = (options(), Request::exactly(1));
    let explained = told(&before::scaled::instance(300), request, &options);
    let after = predicted(&after::scaled::instance(300), request, &options);
    insta::assert_snapshot!("columns", text(&explained));
    is_true(&explained, "exchange", after);
}

#[test]
fn a_matrix_that_is_written_by_columns_is_transposed() {
    let (options, request) = (options(), Request::exactly(1));
    let explained = told(&before::scaled::instance(300), request, &options);
    let after = predicted(&after::transposed::instance(300), request, &options);
    is_true(&explained, "keep `a` transposed", after);
}

#[test]
fn rows_of_different_lengths_are_sorted() {
    let (options, request) = (options(), Request::exactly(1));
    let (row, col) = rows(3000);
    let explained = told(&before::rows::instance(3000, &row, &col), request, &options);
    let (row, col, order) = sorted(&row, &col);
    let after = after::rows::instance(3000, &order, &row, &col);
    let after = predicted(&after, request, &options);
    insta::assert_snapshot!("rows", text(&explained));
    is_true(&explained, "order of their lengths", after);
}

#[test]
fn grains_that_are_too_large_are_cut() {
    let (options, request) = (options(), Request::exactly(2));
    let explained = told(&before::strips::instance(40_000), request, &options);
    let after = predicted(&after::strips::instance(40_000), request, &options);
    insta::assert_snapshot!("grains", text(&explained));
    is_true(&explained, "#[grain]", after);
}

#[test]
fn too_little_work_is_for_one_processor() {
    let options = options();
    let explained = told(&before::few::instance(200), Request::exactly(4), &options);
    let after = predicted(&before::few::instance(200), Request::exactly(1), &options);
    insta::assert_snapshot!("few", text(&explained));
    is_true(&explained, "one processor", after);
}

#[test]
fn another_scheduler_is_better_than_one_that_was_named() {
    let options = options();
    let named = Request {
        algorithm: Some(Algorithm::GrowLocal),
        ..Request::exactly(4)
    };
    let instance = before::lu::instance(48);
    let explained = told(&instance, named, &options);
    let after = predicted(&instance, Request::exactly(4), &options);
    insta::assert_snapshot!("named_scheduler", text(&explained));
    is_true(&explained, "choose the scheduler", after);
}

#[test]
fn a_pass_that_was_left_out_is_missed() {
    let without = Pass::ALL
        .iter()
        .fold(Passes::ALL, |passes, &pass| passes.without(pass));
    let few = Options {
        passes: without,
        ..options()
    };
    let instance = before::lu::instance(48);
    let explained = told(&instance, Request::exactly(2), &few);
    let after = predicted(&instance, Request::exactly(2), &options());
    insta::assert_snapshot!("passes", text(&explained));
    is_true(&explained, "passes", after);
}

#[test]
fn memories_of_their_own_cost_more_than_they_save() {
    let options = options();
    let private = Request {
        memory: Memory::Private,
        ..Request::exactly(2)
    };
    let instance = before::lu::instance(48);
    let explained = told(&instance, private, &options);
    let after = predicted(&instance, Request::exactly(2), &options);
    insta::assert_snapshot!("private", text(&explained));
    is_true(&explained, "share the caller", after);
}

#[test]
fn more_cores_are_used() {
    let options = options();
    let instance = after::total::instance(200_000);
    let explained = told(&instance, Request::exactly(1), &options);
    let after = predicted(&instance, Request::exactly(2), &options);
    insta::assert_snapshot!("cores", text(&explained));
    is_true(&explained, "use 2 processors", after);
}

#[test]
fn strides_of_a_power_of_two_are_told() {
    let explained = told(
        &before::scaled::instance(512),
        Request::exactly(1),
        &options(),
    );
    insta::assert_snapshot!("power_of_two", text(&explained));
}

#[test]
fn channels_that_share_cache_lines_are_kept_apart() {
    let (options, request) = (options(), Request::exactly(2));
    let explained = told(&before::filtered::instance(20_000), request, &options);
    let after = predicted(&after::filtered::instance(20_000), request, &options);
    insta::assert_snapshot!("channels", text(&explained));
    is_true(&explained, "keep `x` transposed", after);
}

#[test]
fn words_that_are_gathered_are_numbered_anew() {
    let (options, request) = (options(), Request::exactly(2));
    let col = gathers(20_000);
    let explained = told(&before::gathered::instance(20_000, &col), request, &options);
    let after = before::gathered::instance(20_000, &renumbered(&col));
    let after = predicted(&after, request, &options);
    insta::assert_snapshot!("gathers", text(&explained));
    is_true(&explained, "number `x`", after);
}

#[test]
fn words_that_are_overwritten_too_early_are_kept_apart() {
    let (options, request) = (options(), Request::exactly(2));
    let explained = told(&before::shifted::instance(200_000), request, &options);
    let after = predicted(&after::shifted::instance(200_000), request, &options);
    insta::assert_snapshot!("overwritten", text(&explained));
    is_true(&explained, "keep each value of `x`", after);
}

#[test]
fn memories_of_their_own_save_messages() {
    let (options, request) = (options(), Request::exactly(4));
    let instance = before::swept::instance(2000, 30);
    let explained = told(&instance, request, &options);
    let private = Request {
        memory: Memory::Private,
        ..request
    };
    let after = predicted(&instance, private, &options);
    insta::assert_snapshot!("swept", text(&explained));
    is_true(&explained, "memories of their own", after);
}

#[test]
fn where_nothing_gains_the_limit_is_told() {
    use superstep_bench_kernels::{lu, matmul};
    let options = options();
    let path = told(&lu::lu::instance(128), Request::exactly(2), &options);
    let call = told(&matmul::matmul::instance(48), Request::exactly(2), &options);
    let step = told(&lu::lu::instance(128), Request::exactly(8), &options);
    insta::assert_snapshot!("limits", [path, call, step].each_ref().map(text).concat());
}

#[test]
fn kernels_without_trouble_have_nothing_to_gain() {
    use superstep_bench_kernels::{lu, matmul};
    let options = options();
    for (instance, processors) in [
        (lu::lu::instance(128), 2),
        (matmul::matmul::instance(64), 2),
        (after::scaled::instance(300), 1),
        (after::strips::instance(40_000), 2),
    ] {
        let explained = told(&instance, Request::exactly(processors), &options);
        let [only] = &explained.answers[..] else {
            panic!("{:#?}", explained.answers)
        };
        assert_eq!(
            (&*only.title, only.gain),
            ("nothing to gain", 0.0),
            "{only:#?}"
        );
    }
}
