//! Prices of the functions that statements call.

/// What a call takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Price {
    /// So many instructions among the others, in vectors as well.
    Instructions(u32),
    /// As long as so many operations on floating-point numbers that wait for each other.
    Waits(f64),
}

/// A function that nobody knows, in operations that wait for each other: some 20 ns by the default
/// times.
///
/// Of the collection's functions, a step of three bodies takes 12 ns, the median of nine bytes 60, an
/// orbit by Newton's method 55: where the work of a call is taken to be less than it is, parallel
/// programs are not generated that would gain, and the first calls find out about the others.
const UNKNOWN: f64 = 40.0;

/// Returns what a call of a function, a method or a macro takes, by its name as written: `exp`,
/// `f64::exp`, `u32::rotate_left`.
///
/// Of the standard library's functions on numbers the prices are those of glibc's on a server of
/// 2025, to within a third.
pub(super) fn price(name: &str) -> Price {
    use Price::{Instructions, Waits};
    let last = name.rsplit("::").next().unwrap_or(name);
    let integers = [
        "wrapping_",
        "rotate_",
        "count_",
        "leading_",
        "trailing_",
        "swap_",
        "to_",
        "from_",
        "is_",
    ];
    if integers.iter().any(|start| last.starts_with(start)) {
        return Instructions(1);
    }
    let several = ["saturating_", "overflowing_", "checked_", "unsigned_"];
    if several.iter().any(|start| last.starts_with(start)) {
        return Instructions(2);
    }
    match last {
        "abs" | "copysign" | "signum" | "not" | "clone" | "into" | "from" | "as_ref" | "min"
        | "max" | "add" | "sub" | "mul" | "mul_add" | "reverse_bits" => Instructions(1),
        "abs_diff" | "clamp" | "unwrap" | "unwrap_or" | "total_cmp" | "partial_cmp" | "cmp" => {
            Instructions(2)
        }
        "floor" | "ceil" | "round" | "trunc" | "fract" => Waits(4.0),
        "recip" | "rem_euclid" | "div_euclid" | "div_ceil" | "ilog2" => Waits(6.0),
        "pow" | "powi" => Waits(8.0),
        "exp" | "exp2" | "exp_m1" | "ln" | "log2" | "log10" | "ln_1p" | "log" => Waits(12.0),
        "sin" | "cos" | "hypot" => Waits(15.0),
        "sin_cos" => Waits(20.0),
        "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "cbrt" => {
            Waits(25.0)
        }
        "powf" => Waits(40.0),
        // Macros check, or make a value in place.
        _ if last.ends_with('!') => Instructions(1),
        _ => Waits(UNKNOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_last_names() {
        assert_eq!(price("exp"), price("f64::exp"));
        assert_eq!(price("u32::rotate_left"), Price::Instructions(1));
        assert_eq!(price("median_of"), Price::Waits(UNKNOWN));
        assert_eq!(price("assert!"), Price::Instructions(1));
    }
}
