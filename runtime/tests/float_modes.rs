//! Workers compute in the floating-point mode of their caller, whatever it was when their team was
//! founded.

#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#![expect(unsafe_code, reason = "only assembly sets the mode")]

mod ring;

use std::arch::asm;
use std::hint::black_box;

use ring::{Data, Shape, TRANSPORTS};
use superstep_runtime::options::Options;
use superstep_runtime::reduce::{self, Tree};

/// The register that holds the mode.
#[cfg(target_arch = "x86_64")]
mod register {
    pub(super) const FLUSH_TO_ZERO: u64 = 0x8040;
    pub(super) const UPWARDS: u64 = 0x4000;

    pub(super) fn read() -> u64 {
        let mut bits = 0u32;
        // SAFETY: stores the register in a word of ours.
        unsafe { super::asm!("stmxcsr [{}]", in(reg) &mut bits) };
        u64::from(bits)
    }

    pub(super) fn write(bits: u64) {
        // SAFETY: none of the bits that this test sets is reserved.
        unsafe { super::asm!("ldmxcsr [{}]", in(reg) &(bits as u32)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    pub(super) const FLUSH_TO_ZERO: u64 = 1 << 24;
    pub(super) const UPWARDS: u64 = 1 << 22;

    pub(super) fn read() -> u64 {
        let bits;
        // SAFETY: reads the register.
        unsafe { super::asm!("mrs {}, fpcr", out(reg) bits) };
        bits
    }

    pub(super) fn write(bits: u64) {
        // SAFETY: none of the bits that this test sets is reserved.
        unsafe { super::asm!("msr fpcr, {}", in(reg) bits) };
    }
}

/// Runs `f` with these bits of the mode set.
#[inline(never)]
fn in_mode<R>(bits: u64, f: impl FnOnce() -> R) -> R {
    let before = register::read();
    register::write(before | bits);
    let result = black_box(f)();
    register::write(before);
    result
}

/// Modes to set, the usual one last, so that what a call sets is not kept for the next.
const MODES: [u64; 5] = [
    0,
    register::FLUSH_TO_ZERO,
    register::UPWARDS,
    register::FLUSH_TO_ZERO,
    0,
];

#[test]
fn programs_run_in_the_mode_of_the_call() {
    for processors in 2..=4 {
        let shape = Shape {
            processors,
            supersteps: 40,
            reach: 2,
            every: 1,
        };
        // So small that numbers are subnormal, or not.
        let data = |scale: f64| {
            let mut data = Data::new(shape, 3);
            data.y.iter_mut().for_each(|y| *y *= black_box(scale));
            data
        };
        let sequential = |bits, scale| {
            let mut data = data(scale);
            in_mode(bits, || shape.sequential(&mut data));
            data.bits()
        };
        for (bits, scale) in [(register::FLUSH_TO_ZERO, 1e-309), (register::UPWARDS, 1.0)] {
            assert_ne!(
                sequential(bits, scale),
                sequential(0, scale),
                "the mode matters"
            );
        }
        for transport in TRANSPORTS {
            let options = Options::new()
                .exactly(processors as usize)
                .transport(transport);
            let prepared = shape.prepared(options);
            for bits in MODES {
                for scale in [1e-309, 1.0] {
                    let mut found = data(scale);
                    let ran = in_mode(bits, || ring::run(&prepared, &mut found));
                    assert!(ran.expect("no panic"));
                    assert_eq!(
                        found.bits(),
                        sequential(bits, scale),
                        "{transport:?}, {bits:x}"
                    );
                }
            }
        }
    }
}

#[test]
fn reductions_run_in_the_mode_of_the_call() {
    let term = |i: usize| black_box(1e-307) / (i + 1) as f64;
    let sum = |bits, processors| {
        let tree = Tree::fixed(20_000, processors);
        let sum = in_mode(bits, || reduce::reduce(&tree, term, |a, b| a + b));
        sum.expect("nothing panics").map(f64::to_bits)
    };
    for bits in [register::FLUSH_TO_ZERO, register::UPWARDS] {
        assert_ne!(sum(bits, 1), sum(0, 1), "the mode matters");
    }
    for bits in MODES {
        for processors in 2..=4 {
            assert_eq!(sum(bits, processors), sum(bits, 1));
            let run = || reduce::run(processors, |_| register::read() & black_box(!0x3f));
            let modes = in_mode(bits, run).expect("nothing panics");
            assert!(modes.iter().all(|&mode| mode == modes[0]), "{modes:x?}");
        }
    }
}
