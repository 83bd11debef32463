//! Prices of the functions that statements call.

use superstep_tuning::tuned;

/// Time of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Price {
    /// Throughput: so many instructions, which vectorise with those around them.
    Instructions(u32),
    /// Latency, in dependent floating-point operations ([`wait`](superstep_machine::Times::wait)).
    Latency(f64),
}

tuned! {
    /// Latency of a call that is not in the table: 20 ns by the default `Times`.
    ///
    /// The collection's own functions take 7 ns in the geometric mean: `bezier`, inlined in
    /// vectors, 1, `pyramid` 2, `reed_solomon` 8, `line` 12, `median` 54, `planets` 57. Three times
    /// that is generous: a program that loses is found out by the first calls, and one that is not
    /// generated never runs. With free calls `median` and `planets`, small, lacked the program for
    /// two processors. They took 1.02 and 0.73 of the function, not 0.60 and 0.55. No kernel of the
    /// collection loses.
    const UNKNOWN: f64 = 25.0, off 0.0;
}

/// Returns the time of a call of a function, a method or a macro, by its name as written: `exp`,
/// `f64::exp`, `u32::rotate_left`.
///
/// Prices of functions on `f64` are glibc's on a server core of 2022 (Zen 4), the longest of three
/// arguments. They are measured in a chain in which each call waits for the one before, less an
/// addition.
pub(super) fn price(name: &str) -> Price {
    use Price::{Instructions, Latency};
    let last = name.rsplit("::").next().unwrap_or(name);
    // Methods of integers by prefix. Only these prefixes: names in `is_` or `to_` are users' own,
    // unless listed below.
    let families = [
        ("wrapping_", 1),
        ("rotate_", 1),
        ("leading_", 1),
        ("trailing_", 1),
        ("saturating_", 2),
        ("overflowing_", 2),
        ("checked_", 2),
    ];
    let family = families.iter().find(|(start, _)| last.starts_with(start));
    if let Some(&(_, instructions)) = family {
        return Instructions(instructions);
    }
    match last {
        "abs" | "copysign" | "signum" | "clone" | "into" | "from" | "as_ref" | "mul_add"
        | "reverse_bits" | "swap_bytes" | "count_ones" | "count_zeros" | "to_bits"
        | "from_bits" | "to_radians" | "to_degrees" | "unsigned_abs" | "is_nan" | "is_finite"
        | "is_infinite" | "is_sign_negative" | "is_sign_positive" => Instructions(1),
        "abs_diff" | "clamp" | "unwrap" | "unwrap_or" | "total_cmp" | "partial_cmp" | "cmp" => {
            Instructions(2)
        }
        "floor" | "ceil" | "round" | "trunc" | "fract" => Latency(2.0),
        "recip" | "div_ceil" | "ilog2" => Latency(5.0),
        "pow" | "powi" => Latency(6.0),
        "exp" | "exp2" | "rem_euclid" | "div_euclid" => Latency(11.0),
        "ln" | "log2" | "sin" | "cos" => Latency(15.0),
        "log" | "asin" | "acos" | "atan" => Latency(20.0),
        "exp_m1" | "log10" | "hypot" | "sin_cos" => Latency(23.0),
        "ln_1p" | "tan" | "atan2" | "cosh" => Latency(26.0),
        "powf" | "sinh" | "cbrt" => Latency(30.0),
        "tanh" => Latency(40.0),
        // Macros check, or make a value in place.
        _ if last.ends_with('!') => Instructions(1),
        _ => Latency(UNKNOWN.get()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_last_names() {
        assert_eq!(price("exp"), price("f64::exp"));
        assert_eq!(price("u32::rotate_left"), Price::Instructions(1));
        assert_eq!(price("saturating_add"), Price::Instructions(2));
        assert_eq!(price("assert!"), Price::Instructions(1));
    }

    #[test]
    fn functions_of_users_are_not_taken_for_those_of_numbers() {
        for name in [
            "median_of",
            "is_inside",
            "to_grid",
            "from_polar",
            "field::mul",
        ] {
            assert_eq!(price(name), Price::Latency(UNKNOWN.get()), "{name}");
        }
    }
}
