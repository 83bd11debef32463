//! The static side of a kernel: its arrays and statements, as the macro reads them off the source.

use std::fmt;

use crate::{Element, Operations};

/// One kernel as written: what the macro knows without running it.
///
/// Tasks refer to [`statements`](Self::statements) and arrays by index, so that a trace carries no
/// text.
///
/// The macro writes the tables out in full; a kernel made by hand is put together step by step:
///
/// ```
/// use superstep_tracer::{Kernel, Role};
///
/// let mut kernel = Kernel::new("scale");
/// let x = kernel.add_array("x", Role::InOut, None);
/// let factor = kernel.add_array("factor", Role::Input, Some(1));
/// let multiply = kernel.add_statement("x[i] *= factor", x, &[x, factor]);
/// assert_eq!(kernel.statement(multiply).operands, [x, factor]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kernel {
    /// Name of the function.
    pub name: String,
    /// Name of the generated file without its ending: the function's name and a hash of where it
    /// stands and of its tokens. The same in both expansions.
    pub id: String,
    /// Source file, as the compiler names it.
    pub file: String,
    /// Line of the function's name, from 1.
    pub line: u32,
    /// Arrays, which hold all data: parameters first, in order, then locals in order of
    /// declaration.
    pub arrays: Vec<Array>,
    /// One per assignment in the source (a statement with control-dependent operands may be
    /// several).
    pub statements: Vec<Statement>,
    /// Names of the loop variables, for messages:
    /// [`Recorder::iteration`](crate::Recorder::iteration) refers to them.
    pub variables: Vec<String>,
}

impl Kernel {
    /// Makes a kernel without arrays and statements, from no file.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            id: name.clone(),
            name,
            ..Self::default()
        }
    }

    /// Adds an array of `f64` and returns its index; `length` in words, `None` for a slice.
    ///
    /// # Panics
    /// When the kernel has 2^16 arrays already.
    pub fn add_array(&mut self, name: &str, role: Role, length: Option<u32>) -> u16 {
        self.arrays.push(Array {
            name: name.into(),
            element: Element::default(),
            role,
            length,
            line: 0,
        });
        last_index(self.arrays.len())
    }

    /// Adds a statement that writes `target` and reads `operands` (indices of arrays), and returns
    /// its index.
    ///
    /// Nobody parses the text: the statement is a [value](Form::Value) without operations, which
    /// costs nothing beyond its words. [`add_statement_with`](Self::add_statement_with) says more.
    ///
    /// # Panics
    /// When the kernel has 2^16 statements already.
    pub fn add_statement(&mut self, text: &str, target: u16, operands: &[u16]) -> u16 {
        self.add_statement_with(text, target, operands, Form::Value, Operations::default())
    }

    /// Adds a statement of that form with those operations, and returns its index.
    ///
    /// # Panics
    /// When the kernel has 2^16 statements already.
    ///
    /// ```
    /// use superstep_tracer::{Form, Kernel, Operations, Role};
    ///
    /// let mut kernel = Kernel::new("product");
    /// let [a, x] = ["a", "x"].map(|name| kernel.add_array(name, Role::Input, None));
    /// let sum = kernel.add_array("sum", Role::InOut, Some(1));
    /// let update = Operations { additions: 1, multiplications: 1, ..Operations::default() };
    /// kernel.add_statement_with("sum += a[i] * x[i]", sum, &[sum, a, x], Form::Compound, update);
    /// ```
    pub fn add_statement_with(
        &mut self,
        text: &str,
        target: u16,
        operands: &[u16],
        form: Form,
        operations: Operations,
    ) -> u16 {
        self.statements.push(Statement {
            file: None,
            line: 0,
            column: 0,
            text: text.into(),
            target,
            operands: operands.to_vec(),
            control: Vec::new(),
            form,
            operations,
        });
        last_index(self.statements.len())
    }

    /// Returns the statement of that index.
    ///
    /// # Panics
    /// When the kernel has no such statement.
    pub fn statement(&self, statement: u16) -> &Statement {
        &self.statements[usize::from(statement)]
    }

    /// Returns the array of that index.
    ///
    /// # Panics
    /// When the kernel has no such array.
    pub fn array(&self, array: u16) -> &Array {
        &self.arrays[usize::from(array)]
    }

    /// Returns the kernel with lines counted from its own, and without columns: equal to that of
    /// the same kernel at another place in its file.
    #[must_use]
    pub fn without_place(&self) -> Self {
        let mut kernel = self.clone();
        let from = kernel.line;
        kernel.id = kernel.text_id().to_owned();
        kernel.line = 0;
        for array in &mut kernel.arrays {
            array.line = array.line.wrapping_sub(from);
        }
        for statement in &mut kernel.statements {
            statement.column = 0;
            if statement.file.is_none() {
                statement.line = statement.line.wrapping_sub(from);
            }
        }
        kernel
    }

    /// Returns the part of the id that tells the name and the tokens. Its last eight digits, half
    /// of the two hashes that the macro writes (`macros/src/identity.rs`), tell the place.
    fn text_id(&self) -> &str {
        let of_text = self.id.len().checked_sub(8);
        of_text
            .and_then(|end| self.id.get(..end))
            .unwrap_or(&self.id)
    }

    /// Returns the location of a statement, as compilers write it: `src/kernels.rs:12`.
    ///
    /// # Panics
    /// When the kernel has no such statement.
    pub fn location(&self, statement: u16) -> String {
        let statement = self.statement(statement);
        let file = statement.file.as_ref().unwrap_or(&self.file);
        format!("{file}:{}", statement.line)
    }
}

fn last_index(length: usize) -> u16 {
    u16::try_from(length - 1).expect("a kernel has at most 2^16 arrays and 2^16 statements")
}

/// Prints `lu (src/kernels.rs:5): 1 array, 2 statements`.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (arrays, statements) = (self.arrays.len(), self.statements.len());
        write!(f, "{} ({}:{}): ", self.name, self.file, self.line)?;
        write!(f, "{arrays} array{}, ", plural(arrays))?;
        write!(f, "{statements} statement{}", plural(statements))
    }
}

/// A parameter or local that holds data. A scalar is an array of one word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Array {
    /// Name in the source, made unique within the kernel (a shadowing `t` becomes `t_2`). It is a
    /// valid Rust identifier, also the name of the field that holds it in a processor's memory.
    pub name: String,
    /// Type of one word.
    pub element: Element,
    /// Role of the array for the caller.
    pub role: Role,
    /// Number of words where the type says it (`T`: 1, `[T; N]`: N, nested arrays: the product),
    /// `None` for slices.
    pub length: Option<u32>,
    /// Line of the declaration, from 1.
    pub line: u32,
}

/// Role of an array for the caller of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// A parameter that is read only: `&[T]`, `&[T; N]`, `&T` or `T`.
    Input,
    /// A `&mut` parameter: read and written. The last writer of each of its words is a result.
    InOut,
    /// Local: it lives inside the kernel only.
    Local,
}

/// One assignment of the kernel's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statement {
    /// Source file, where it is another than the kernel's: that of a kernel which this one calls.
    pub file: Option<String>,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1.
    pub column: u32,
    /// The assignment as written, on one line.
    pub text: String,
    /// Array that it writes: index into [`Kernel::arrays`].
    pub target: u16,
    /// Arrays that it reads, one per operand, in the order of the statement function's arguments.
    pub operands: Vec<u16>,
    /// Types of the control values that it reads, as Rust source; they are the statement function's
    /// arguments after the operands. Each is a primitive integer or `bool`.
    pub control: Vec<String>,
    /// Form: the way in which the word gets its value.
    pub form: Form,
    /// Operations of the value, and of a compound assignment.
    pub operations: Operations,
}

/// Form: the way in which a statement gives a word its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Form {
    /// A word, or a field of it, is put into another place as it is: `x[i] = y[j].part`.
    Move,
    /// Any other value: `x[i] = y[j] + 1.0`.
    #[default]
    Value,
    /// The word is changed by a compound assignment: `x[i] += y[j]`.
    Compound,
}
