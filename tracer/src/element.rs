//! Types of words.

/// Type of an array's words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Element {
    /// The type as Rust source, for messages and printed programs.
    pub text: String,
    /// Numbers that its values are.
    pub kind: ElementKind,
    /// Bytes of a word.
    pub bytes: usize,
}

/// Numbers that the values of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ElementKind {
    /// A primitive integer.
    Integer,
    /// `f32` or `f64`.
    Float,
    /// A complex number: a type of the name `Complex`, `Complex32` or `Complex64`.
    Complex,
    /// `bool`.
    Bool,
    /// Any other type.
    Other,
}

impl Element {
    /// Puts a type together.
    pub fn new(text: impl Into<String>, kind: ElementKind, bytes: usize) -> Self {
        let text = text.into();
        Self { text, kind, bytes }
    }
}

/// Returns `f64`.
impl Default for Element {
    fn default() -> Self {
        Self::new("f64", ElementKind::Float, 8)
    }
}
