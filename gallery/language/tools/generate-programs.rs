//! Generates the programs of the kernels, for up to three processors.

// What is public in the crate is not in its build script.
#[allow(unreachable_pub)]
#[path = "../src/calls.rs"]
mod calls;

#[allow(unreachable_pub)]
#[path = "../src/environment.rs"]
mod environment;

#[allow(unreachable_pub)]
#[path = "../src/grains.rs"]
mod grains;

#[allow(unreachable_pub)]
#[path = "../src/kernels.rs"]
mod kernels;

#[allow(unreachable_pub)]
#[path = "../src/near.rs"]
mod near;

#[allow(unreachable_pub)]
#[path = "../src/panics.rs"]
mod panics;

#[allow(unreachable_pub)]
#[path = "../src/plans.rs"]
mod plans;

#[allow(unreachable_pub)]
#[path = "../src/reductions.rs"]
mod reductions;

use kernels::*;
use reductions::*;

fn main() -> std::process::ExitCode {
    println!("cargo::rustc-check-cfg=cfg(in_the_crate)");
    println!("cargo::rustc-cfg=in_the_crate");
    let instances = [
        one::scale::instance(9),
        two::scale::instance(9),
        scalars::instance(9),
        shapes::instance(),
        fields::instance(4),
        lengths::instance(5, 4),
        arms::instance(6, &[0, 1, 2, -1, -2, 3]),
        guards::instance(6, &[0, 1, 2, -1, -2, 3]),
        edges::instance(&[[0, 1], [1, 2], [3, 0]], &[true, false, true]),
        integers::instance(8),
        ways::instance(5, 7, true),
        ways::instance(5, 7, false),
        smooth::instance(6, &[0, 1, 2]),
        by_value::instance(10),
        hygiene::instance(2, &[0, 1, 2, 3], 5, 2),
        local_type::instance(5),
        untouched::instance(5),
        distances::instance(3, 20),
        solve::instance(24),
        products::instance(40),
        flags::instance(70, &[7; 70]),
        names::instance(20),
        count::instance(42),
        environment::strided::instance(64),
        environment::widened::instance(60),
        environment::asked::instance(60),
        environment::sized::instance(),
        environment::scaled::instance(30),
        grains::jumps::instance(24),
        near::combs::instance(400),
        near::meeting::instance(40),
        panics::risks::instance(12),
        calls::borrows::instance(5, 40),
        calls::constants::instance(3, &calls::AT),
        calls::controlled::instance(6),
        calls::elsewhere::instance(12),
        calls::mixed::instance(6, 30),
        calls::running::instance(40, 30),
        calls::total::instance(30),
        calls::hygiene::instance(9, true),
        calls::hygiene::instance(9, false),
        calls::nested::instance(5, &calls::ROW, &calls::NEXT),
    ];
    let lengths = reductions::LENGTHS.into_iter();
    let reductions = lengths.flat_map(|n| [dot::instance(n), largest::instance(n.max(1))]);
    let near = [5, 6, 60].map(near::both_sides::instance).into_iter();
    let near = near.chain([2, 3, 40].map(near::triangle::instance));
    let near = near.chain([3, 24].map(near::paths::instance));
    let gathered = [0, 1, 61, 118, 119].map(|into| near::gathered::instance(40, into));
    let sums = [(0, 1), (1, 1), (0, 47), (5, 121), (121, 0)];
    let sums = sums.map(|(a, b)| near::sums::instance(40, a, b));
    let near = near.chain(gathered).chain(sums);
    // Boundaries are as cheap as a task, so that even these sizes are worth messages.
    let mut builder = steps::build::Builder::new()
        .algorithm(steps::build::Algorithm::Bcsh)
        .latency(1.0);
    for instance in instances.into_iter().chain(reductions).chain(near) {
        builder = builder.kernel(instance.exactly([1, 2, 3]));
    }
    let many = [
        product::instance(600),
        text::instance(201),
        dot::instance(3000),
    ];
    for instance in many {
        builder = builder.kernel(instance.exactly(1..=16));
    }
    let grains = [
        grains::lu::instance(40),
        grains::jacobi::instance(20, 5),
        grains::fft::instance(128, 8),
        grains::lcs::instance(60, 7),
        calls::blocks::instance(12, 3),
        calls::cholesky::instance(8, 4),
    ];
    for instance in grains {
        builder = builder.kernel(instance.exactly(1..=8));
    }
    let (first, places) = plans::pattern();
    let plans = plans::SIZES.map(plans::rows::instance).into_iter();
    let gathered = plans::gathered::instance(&first, &places, plans::ROWS);
    for instance in plans.chain([gathered]) {
        builder = builder.kernel(instance.processors([1, 2]));
    }
    // Both kinds of memory for one number of processors.
    let both = || {
        let instance = grains::lu::instance(33).exactly([2]);
        instance.algorithm(steps::build::Algorithm::Owners)
    };
    let builder = builder.kernel(both()).kernel(both().private_memory([2]));
    builder.run()
}
