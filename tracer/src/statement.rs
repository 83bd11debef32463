//! The static side of a kernel: its arrays and statements, as the macro reads them off the source.

/// One kernel as written: what the macro knows without running it.
///
/// Tasks refer to [`statements`](Self::statements) and arrays by index, so that a trace carries no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Everything that holds data: parameters first, in order, then locals in order of declaration.
    pub arrays: Vec<Array>,
    /// One per assignment in the source (a statement with control-dependent operands may be several).
    pub statements: Vec<Statement>,
}

/// A parameter or local that holds data. A scalar is an array of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Name in the source, made unique within the kernel (a shadowing `t` becomes `t_2`): a valid Rust identifier, also the name
    /// of the field that holds it in a processor's memory.
    pub name: String,
    /// Type of one word, as Rust source.
    pub element: String,
    /// What the array is to the caller.
    pub role: Role,
    /// Number of words where the type says it (`T`: 1, `[T; N]`: N, nested arrays: the product), `None` for slices.
    pub length: Option<u32>,
    /// Line of the declaration, from 1.
    pub line: u32,
}

/// What an array is to the caller of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter that is read only: `&[T]`, `&[T; N]`, `&T` or `T`.
    Input,
    /// A `&mut` parameter: read and written. The last writer of each of its words is a result.
    InOut,
    /// Lives inside the kernel only.
    Local,
}

/// One assignment of the kernel's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
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
    /// Types of the control values that it reads, as Rust source; they are the statement function's arguments after the operands.
    /// Each is a primitive integer or `bool`.
    pub control: Vec<String>,
}
