//! Kernels in source form, with what builds and tests them. Control parameters decide loops and
//! indices, data is computed; an instance is a kernel at fixed control arguments.

use std::fmt::Write;

use crate::word::Word;

/// One kernel of the gallery.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the function, unique in the gallery.
    pub name: String,
    /// Description, in a sentence.
    pub doc: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Its body: lines of Rust without indentation; braces at line ends tell the depth.
    pub body: String,
    /// Statements that compute structure arguments, before a call or an instance.
    pub setup: String,
    /// Set if its overflowing arithmetic panics where overflow is checked.
    pub overflows: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
}

/// Kind of a parameter.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A control integer: its type and the value of the one instance.
    Size(&'static str, usize),
    /// A `#[structure]` slice (control that the caller gives), by its element type. `setup` binds
    /// it.
    Structure(&'static str),
    /// Data: an element type and what surrounds it.
    Data(Word, Shape),
}

/// The shape of a data parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `&[T]` of that many words.
    Input(usize),
    /// As `Input`, but its length is control: the kernel calls `len()`.
    Measured(usize),
    /// `&mut [T]` of that many words.
    InOut(usize),
    /// `&[T; N]` or `&[[T; N]; M]`, outermost first.
    InputArray(Vec<usize>),
    /// `&mut [T; N]` or deeper.
    InOutArray(Vec<usize>),
    /// `T`.
    Scalar,
    /// `&mut T`.
    InOutScalar,
}

/// Returns the type `[[word; N]; M]` for the dimensions M, N.
pub fn array_type(word: &str, dimensions: &[usize]) -> String {
    dimensions
        .iter()
        .rev()
        .fold(word.to_string(), |inner, length| {
            format!("[{inner}; {length}]")
        })
}

impl Kernel {
    /// A kernel without parameters yet.
    pub fn new(name: impl Into<String>, doc: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            doc: doc.into(),
            parameters: Vec::new(),
            body: String::new(),
            setup: String::new(),
            overflows: false,
        }
    }

    fn parameter(mut self, name: &str, kind: Kind) -> Self {
        self.parameters.push(Parameter {
            name: name.into(),
            kind,
        });
        self
    }

    /// Adds a `usize` size.
    pub fn size(self, name: &str, value: usize) -> Self {
        self.parameter(name, Kind::Size("usize", value))
    }

    /// Adds a size of another integer type.
    pub fn typed_size(self, name: &str, integer: &'static str, value: usize) -> Self {
        self.parameter(name, Kind::Size(integer, value))
    }

    /// Adds a `#[structure]` slice.
    pub fn structure(self, name: &str, element: &'static str) -> Self {
        self.parameter(name, Kind::Structure(element))
    }

    /// Adds a data parameter.
    pub fn data(self, name: &str, word: Word, shape: Shape) -> Self {
        self.parameter(name, Kind::Data(word, shape))
    }

    /// Adds `&[T]`.
    pub fn input(self, name: &str, word: Word, words: usize) -> Self {
        self.data(name, word, Shape::Input(words))
    }

    /// Adds `&mut [T]`.
    pub fn inout(self, name: &str, word: Word, words: usize) -> Self {
        self.data(name, word, Shape::InOut(words))
    }

    /// Sets the statements that compute structure arguments.
    pub fn setup(mut self, setup: impl Into<String>) -> Self {
        self.setup = setup.into();
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        self
    }

    /// Says that it overflows.
    pub fn overflowing(mut self) -> Self {
        self.overflows = true;
        self
    }

    /// Writes the function as Rust source.
    pub fn source(&self) -> String {
        let mut source = String::new();
        let parameters: Vec<String> = self.parameters.iter().map(Parameter::declaration).collect();
        let signature = format!("pub fn {}({}) {{", self.name, parameters.join(", "));
        writeln!(source, "\n/// {}\n#[kernel]", self.doc).expect("a string takes everything");
        source.push_str(&indented(
            &format!("{signature}\n{}\n}}", self.body.trim()),
            0,
        ));
        source
    }

    /// Arguments of `instance`: the control parameters.
    pub fn control_arguments(&self) -> String {
        let arguments: Vec<String> = self
            .parameters
            .iter()
            .filter_map(Parameter::control_argument)
            .collect();
        arguments.join(", ")
    }
}

impl Parameter {
    fn declaration(&self) -> String {
        let (name, kind) = (&self.name, &self.kind);
        match kind {
            Kind::Size(integer, _) => format!("{name}: {integer}"),
            Kind::Structure(integer) => format!("#[structure] {name}: &[{integer}]"),
            Kind::Data(word, shape) => {
                let word = word.name();
                match shape {
                    Shape::Input(_) | Shape::Measured(_) => format!("{name}: &[{word}]"),
                    Shape::InOut(_) => format!("{name}: &mut [{word}]"),
                    Shape::InputArray(dimensions) => {
                        format!("{name}: &{}", array_type(word, dimensions))
                    }
                    Shape::InOutArray(dimensions) => {
                        format!("{name}: &mut {}", array_type(word, dimensions))
                    }
                    Shape::Scalar => format!("{name}: {word}"),
                    Shape::InOutScalar => format!("{name}: &mut {word}"),
                }
            }
        }
    }

    fn control_argument(&self) -> Option<String> {
        match &self.kind {
            Kind::Size(_, value) => Some(value.to_string()),
            Kind::Structure(_) => Some(format!("&{}", self.name)),
            Kind::Data(_, Shape::Measured(words)) => Some(words.to_string()),
            Kind::Data(..) => None,
        }
    }

    /// Returns whether the kernel may write it.
    pub fn is_written(&self) -> bool {
        matches!(
            &self.kind,
            Kind::Data(
                _,
                Shape::InOut(_) | Shape::InOutArray(_) | Shape::InOutScalar
            )
        )
    }

    /// Returns the argument of a call; data are bound to the parameter's name, `&mut` where
    /// written.
    pub fn call_argument(&self) -> String {
        let name = &self.name;
        match &self.kind {
            Kind::Size(_, value) => value.to_string(),
            Kind::Structure(_)
            | Kind::Data(_, Shape::Input(_) | Shape::Measured(_) | Shape::InputArray(_)) => {
                format!("&{name}")
            }
            Kind::Data(..) => name.clone(),
        }
    }

    /// The type and the value of pseudo-random data for it.
    pub fn data(&self) -> Option<(String, String)> {
        let Kind::Data(word, shape) = &self.kind else {
            return None;
        };
        let word = word.name();
        Some(match shape {
            Shape::Input(words) | Shape::Measured(words) | Shape::InOut(words) => {
                (format!("Vec<{word}>"), format!("draw.words({words})"))
            }
            Shape::InputArray(dimensions) | Shape::InOutArray(dimensions) => {
                (array_type(word, dimensions), "draw.word()".into())
            }
            Shape::Scalar | Shape::InOutScalar => (word.into(), "draw.word()".into()),
        })
    }
}

/// Indents each line by its depth in braces, from `depth` on.
pub fn indented(text: &str, mut depth: usize) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with(['}', ')', ']']) {
            depth -= 1;
        }
        writeln!(out, "{:1$}{line}", "", 4 * depth).expect("a string takes everything");
        if line.ends_with(['{', '(', '[']) {
            depth += 1;
        }
    }
    out
}
