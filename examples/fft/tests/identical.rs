//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_fft::{kernels, signal, twiddles};
use superstep_side_by_side::Check;

const N: usize = 8192;

#[test]
fn every_program_is_identical() {
    let (x, twiddles) = (signal(N), twiddles(N));
    let check = Check::new(&x, |x| kernels::fft(N, &twiddles, x));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, x| {
        kernels::fft::with()
            .exactly(processors)
            .transport(transport)
            .run(N, &twiddles, x)
    });
    // Supersteps, and processors that worked.
    assert_eq!(shapes, [(1, 1), (3, 2), (4, 3), (4, 4), (12, 7), (5, 8)]);
}

/// Sizes that nothing was built for have plans.
#[test]
fn plans_are_identical() {
    for n in [2, 8, 128, 1024] {
        let (x, twiddles) = (signal(n), twiddles(n));
        let check = Check::new(&x, |x| kernels::fft(n, &twiddles, x));
        for processors in 1..=8 {
            let plan = kernels::fft::plan(n).exactly(processors).build();
            let plan = plan.expect("it can be planned");
            let mut found = x.clone();
            plan.run(&twiddles, &mut found).expect("it runs");
            assert!(check.accepts(&found), "n = {n}, P = {processors}");
            let ran = superstep::last_run().map_or(1, |ran| ran.processors);
            assert!(n < 1024 || ran == processors, "P = {processors}");
        }
    }
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let (x, mut twiddles) = (signal(N), twiddles(N));
    let check = Check::new(&x, |x| kernels::fft(N, &twiddles, x));
    twiddles[0].re = twiddles[0].re.next_up();
    let fft = kernels::fft::with().exactly(4);
    assert!(!check.accepts_run(&x, |x| fft.run(N, &twiddles, x)));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    // A processor keeps what it had in place of the word: nothing of this signal, which no other
    // test has.
    let (mut x, twiddles) = (signal(N), twiddles(N));
    x.reverse();
    let check = Check::new(&x, |x| kernels::fft(N, &twiddles, x));
    // The program with private memory.
    let fft = kernels::fft::with().exactly(3);
    let prepared = fft.prepare(N).expect("it was built");
    let lossy = prepared.altered(|plan| plan.messages[0].lose(0));
    let lossy = lossy.expect("the tables are good");
    assert!(!check.accepts_run(&x, |x| lossy.run(&twiddles, x)));
    assert!(check.accepts_run(&x, |x| fft.run(N, &twiddles, x)));
}
