//! The types of data, and expressions over them.

use crate::draw::Draw;

/// A type of data that a kernel of the gallery computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `f32` or `f64`.
    Float(&'static str),
    /// A primitive integer.
    Integer(&'static str),
    /// `bool`.
    Bool,
    /// `Complex<f64>`.
    Complex,
    /// `Pair`, a struct of the gallery's own.
    Pair,
}

/// Expressions of magnitude at most about 2 for operands of at most 1.
const FLOAT: &[&str] = &[
    "0.5 * ({a} + {b})",
    "{a} * {b} - 0.25 * {c}",
    "{a}.mul_add({b}, 0.5 * {c})",
    "({a} + {b}).sin()",
    "{a}.powi(2) - 0.5 * {b}",
    "if {a} < {b} { {c} } else { 0.5 * {d} }",
    "{a} / (1.5 + {b} * {b})",
    "{a}.abs().sqrt() - 0.5 * {b}",
    "{a}.max({b})",
    "{a}.min({b}) - 0.125",
    "0.75 - {a}",
    "match {a} < {b} { true => {c}, false => -{d} }",
    "({a} - {b}).cos() * {c}",
    "if {a} > 0.0 && {b} > 0.0 { {c} } else { 0.5 - {a} }",
    "{a}.clamp(-0.5, 0.5) + 0.25 * {b}",
    "{a}.hypot({b}) - 0.75",
];

const FLOAT_COMPOUND: &[&str] = &[
    "+= 0.25 * ({e})",
    "-= 0.25 * ({e})",
    "*= 0.5 + 0.25 * ({e}).sin()",
    "/= 1.25 + ({e}).abs()",
    "%= 1.0 + ({e}).abs()",
];

const INTEGER: &[&str] = &[
    "{a}.wrapping_add({b})",
    "{a}.wrapping_mul({b}).wrapping_sub({c})",
    "{a} ^ ({b} >> 1)",
    "({a} & {b}) | !{c}",
    "{a}.rotate_left(3) ^ {b}",
    "{a}.max({b})",
    "{a}.min({b}) ^ {c}",
    "if {a} < {b} { {c} } else { {d}.wrapping_add(1) }",
    "{a} / (({b} & 7) + 1)",
    "{a} % (({b} & 15) + 2)",
    "match {a} & 3 { 0 => {b}, 1 => {c}, _ => {d}.wrapping_neg() }",
    "{a}.saturating_sub({b})",
    "{a}.overflowing_add({b}).0",
    "{a}.checked_mul({b}).unwrap_or({c})",
    "{a}.wrapping_shl(({b} & 3) as u32) ^ {c}",
    "{a}.swap_bytes().wrapping_add({b})",
];

const INTEGER_COMPOUND: &[&str] = &[
    "^= {e}",
    "|= ({e}) & 5",
    "&= ({e}) | 90",
    "<<= 1",
    ">>= 1",
    "%= (({e}) & 31) + 3",
    "/= (({e}) & 1) + 1",
];

const BOOL: &[&str] = &[
    "{a} ^ {b}",
    "{a} && !{b} || {c}",
    "{a} || {b}",
    "!{a}",
    "if {a} { {b} } else { !{c} }",
    "{a} != ({b} && {c})",
    "match ({a}, {b}) { (true, false) => {c}, (x, y) => x == y }",
];

const BOOL_COMPOUND: &[&str] = &["^= {e}", "|= {e}", "&= {e}"];

const COMPLEX: &[&str] = &[
    "0.7 * ({a} * {b})",
    "0.5 * ({a} + {b})",
    "{a}.conj() - {b}.scale(0.5)",
    "Complex::new({a}.re, -{b}.im)",
    "if {a}.re < {b}.re { {c} } else { {d} * Complex::i() }",
    "{a} / (2.0 + {b}.norm_sqr())",
    "Complex::new({a}.im * {b}.re, {c}.re.sin())",
];

const COMPLEX_COMPOUND: &[&str] = &[
    "+= 0.25 * ({e})",
    "-= 0.25 * ({e})",
    "*= 0.5 * ({e})",
    "/= 1.5 + ({e}).norm_sqr()",
];

const PAIR: &[&str] = &[
    "{a}.mix({b})",
    "Pair { x: 0.5 * {a}.x, n: {b}.n ^ 5 }",
    "0.5 * ({a} + {b})",
    "if {a}.n < {b}.n { {c} } else { {d}.mix({a}) }",
    "Pair { n: {a}.n.wrapping_add(1), ..{b} }",
    "Pair { x: {a}.x.max({b}.x), n: {c}.n.rotate_right(1) }",
];

const PAIR_COMPOUND: &[&str] = &["+= 0.25 * ({e})", "= ({e}).mix(Pair { x: 0.5, n: 3 })"];

impl Word {
    /// Every type, in an order that a family can walk through.
    pub const ALL: [Self; 14] = [
        Self::Float("f64"),
        Self::Integer("i32"),
        Self::Float("f32"),
        Self::Integer("u8"),
        Self::Complex,
        Self::Integer("i64"),
        Self::Bool,
        Self::Integer("u32"),
        Self::Pair,
        Self::Integer("i8"),
        Self::Integer("u64"),
        Self::Integer("i16"),
        Self::Integer("u16"),
        Self::Integer("usize"),
    ];

    /// The type's name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float(name) | Self::Integer(name) => name,
            Self::Bool => "bool",
            Self::Complex => "Complex<f64>",
            Self::Pair => "Pair",
        }
    }

    /// A constant.
    pub fn literal(self, draw: &mut Draw) -> String {
        let small = draw.between(1, 99);
        match self {
            Self::Float(name) => format!("0.{small:02}_{name}"),
            Self::Integer(name) => format!("{small}_{name}"),
            Self::Bool => (small < 50).to_string(),
            Self::Complex => format!("Complex::new(0.{small:02}, -0.5)"),
            Self::Pair => format!("(Pair {{ x: 0.{small:02}, n: {small} }})"),
        }
    }

    /// The control value `control` (a `usize`) as data: it becomes an operand of the task.
    pub fn from_control(self, control: &str) -> String {
        match self {
            Self::Float(name) => format!("({control} as {name} * 0.01)"),
            Self::Integer(name) => format!("({control} as {name})"),
            Self::Bool => format!("({control} % 2 == 0)"),
            Self::Complex => format!("Complex::new({control} as f64 * 0.01, 0.5)"),
            Self::Pair => format!("(Pair {{ x: {control} as f64 * 0.01, n: {control} as u32 }})"),
        }
    }

    /// An expression over some of `operands`.
    pub fn expression(self, draw: &mut Draw, operands: &[String]) -> String {
        let templates = match self {
            Self::Float(_) => FLOAT,
            Self::Integer(_) => INTEGER,
            Self::Bool => BOOL,
            Self::Complex => COMPLEX,
            Self::Pair => PAIR,
        };
        let mut text = draw.pick(templates).to_string();
        let first = draw.between(0, operands.len() - 1);
        for (place, hole) in ["{a}", "{b}", "{c}", "{d}"].iter().enumerate() {
            text = text.replace(hole, &operands[(first + place) % operands.len()]);
        }
        text
    }

    /// A compound assignment without its left side, ` op= ...`, whose right side uses `expression`.
    pub fn compound(self, draw: &mut Draw, expression: &str) -> String {
        let templates = match self {
            Self::Float(_) => FLOAT_COMPOUND,
            Self::Integer(_) => INTEGER_COMPOUND,
            Self::Bool => BOOL_COMPOUND,
            Self::Complex => COMPLEX_COMPOUND,
            Self::Pair => PAIR_COMPOUND,
        };
        draw.pick(templates).replace("{e}", expression)
    }
}
