//! Element types of arrays. A word is one element, of whatever size.

/// Type of an array's words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Element {
    /// The type as Rust source, for messages and printed programs.
    pub text: String,
    /// Kind of number.
    pub kind: ElementKind,
    /// Size of one element, in bytes.
    pub bytes: usize,
}

/// Kind of number of an element type.
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
    /// Makes an element type.
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
