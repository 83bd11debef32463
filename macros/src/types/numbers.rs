//! Types of the constants and methods of primitive numbers, by their names.
//!
//! All methods here give a value of their arguments alone, and change nothing. Of any other method
//! inference knows nothing.

use super::primitive::is_integer;

/// Returns the type of a constant of a primitive number: `f64` of `f64::MAX` and of
/// `std::f64::consts::PI`, `u32` of `u64::BITS`.
pub(super) fn constant(path: &syn::Path) -> Option<String> {
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let ty = match segments.len() {
        0 | 1 => return None,
        length if segments[length - 2] == "consts" && length > 2 => &segments[length - 3],
        length => &segments[length - 2],
    };
    let is_number = is_integer(ty) || ty == "f64" || ty == "f32";
    let ty = match segments.last().map(String::as_str) {
        Some("BITS" | "DIGITS" | "MANTISSA_DIGITS" | "RADIX") => "u32",
        Some("MAX_EXP" | "MIN_EXP" | "MAX_10_EXP" | "MIN_10_EXP") => "i32",
        _ => ty,
    };
    is_number.then(|| ty.to_owned())
}

/// Types of a method of numbers.
pub(super) struct Method {
    /// Name of the result's type; the receiver's where there is none.
    pub result: Option<&'static str>,
    /// Name of the arguments' type; the receiver's where there is none.
    pub argument: Option<&'static str>,
}

/// Returns whether a method is one of the primitive numbers'.
pub(crate) fn is_method_of_numbers(name: &str) -> bool {
    method(name).is_some()
}

/// Returns the types of a method; none if no primitive number has it, or it is not known here.
pub(super) fn method(name: &str) -> Option<Method> {
    let (result, argument) = match name {
        "powi" => (None, Some("i32")),
        "pow" | "rotate_left" | "rotate_right" | "wrapping_shl" | "wrapping_shr"
        | "wrapping_pow" | "saturating_pow" => (None, Some("u32")),
        "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones"
        | "trailing_ones" | "ilog2" | "ilog10" | "ilog" => (Some("u32"), None),
        "is_nan" | "is_finite" | "is_infinite" | "is_sign_negative" | "is_sign_positive"
        | "is_power_of_two" | "is_positive" | "is_negative" | "is_multiple_of" => {
            (Some("bool"), None)
        }
        "abs" | "min" | "max" | "clamp" | "sqrt" | "cbrt" | "sin" | "cos" | "tan" | "asin"
        | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "asinh" | "acosh" | "atanh"
        | "exp" | "exp2" | "exp_m1" | "ln" | "ln_1p" | "log" | "log2" | "log10" | "powf"
        | "hypot" | "floor" | "ceil" | "round" | "round_ties_even" | "trunc" | "fract"
        | "recip" | "signum" | "mul_add" | "copysign" | "rem_euclid" | "div_euclid"
        | "to_degrees" | "to_radians" | "wrapping_add" | "wrapping_sub" | "wrapping_mul"
        | "wrapping_neg" | "wrapping_div" | "wrapping_rem" | "wrapping_abs" | "saturating_add"
        | "saturating_sub" | "saturating_mul" | "saturating_div" | "swap_bytes"
        | "reverse_bits" | "isqrt" | "next_power_of_two" | "div_ceil" | "next_multiple_of"
        | "midpoint" | "to_be" | "to_le" => (None, None),
        _ => return None,
    };
    Some(Method { result, argument })
}

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn constants_have_the_types_of_the_language() {
        for (path, ty) in [
            ("f64::MAX", Some("f64")),
            ("std::f64::consts::PI", Some("f64")),
            ("u64::BITS", Some("u32")),
            ("core::f32::MAX_EXP", Some("i32")),
            ("PI", None),
            ("Colour::MAX", None),
        ] {
            let path = syn::parse_str(path).unwrap();
            assert_eq!(constant(&path).as_deref(), ty, "{path:?}");
        }
    }
}
