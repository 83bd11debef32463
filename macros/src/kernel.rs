//! Kernel as parsed: its names, and its body as a tree of control around assignments.
//!
//! Every name that the kernel binds is replaced in expressions by one that says which [`Binding`]
//! it is ([`marked`], [`marked_id`]). So later passes need no scopes. Printed code has the names of
//! the source again ([`Bindings::restore`]).

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Label, Lifetime, Pat, Type};

use crate::attributes::Marks;

/// Index into [`Bindings`].
pub(crate) type Id = usize;

/// A kernel whose names are resolved, not yet classified.
pub(crate) struct Kernel {
    pub name: Ident,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    pub bindings: Bindings,
    /// The `E` of `Result<(), E>`, where the kernel can give up.
    pub error: Option<Type>,
    pub body: Vec<Step>,
}

impl Kernel {
    /// Calls `f` for all steps in order, an outer one before those in it.
    pub(crate) fn each_step<'s>(&'s self, f: &mut dyn FnMut(&'s Step)) {
        self.body.iter().for_each(|step| step.each(f));
    }

    /// Calls `f` for the expressions of all steps in order.
    pub(crate) fn each_expression<'s>(&'s self, f: &mut dyn FnMut(&'s Expr)) {
        self.each_step(&mut |step| step.expressions().into_iter().for_each(&mut *f));
    }
}

/// A parameter as the signature has it.
pub(crate) struct Parameter {
    pub id: Id,
    /// Its type without lifetimes.
    pub ty: Type,
}

/// Binder of a name: the construct that binds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binder {
    Parameter(Passing),
    /// `let` at statement level.
    Local,
    /// The variable of a `for` at statement level.
    Loop,
    /// A pattern of a `match`.
    Arm,
    /// Inside an expression: a block's `let`, a closure's parameter, ...
    Inner,
    /// A name for a part of an array or for a word, which a call or a local borrows. Only parsing
    /// knows of which. Later the name is an array of control: the index in that array of each
    /// element of the part.
    Part,
}

/// Passing of a parameter: by value, shared or mutable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    Value,
    Shared,
    Mutable,
}

/// Length of one dimension of an array.
#[derive(Clone)]
pub(crate) enum Dimension {
    Slice,
    Fixed(Expr),
}

/// A name that the kernel binds.
pub(crate) struct Binding {
    /// Name as written.
    pub name: Ident,
    /// Name as printed: unique within the kernel.
    pub unique: Ident,
    pub binder: Binder,
    pub marks: Marks,
    /// Outermost first; none for a scalar.
    pub dimensions: Vec<Dimension>,
    /// Type of one word, where it is written.
    pub element: Option<Type>,
}

impl Binding {
    /// Returns whether it is a reference to one word (`&T`, `&mut T`).
    pub(crate) fn is_reference(&self) -> bool {
        self.dimensions.is_empty()
            && matches!(
                self.binder,
                Binder::Parameter(Passing::Shared | Passing::Mutable)
            )
    }

    /// Returns whether it is an array of any kind.
    pub(crate) fn is_array(&self) -> bool {
        !self.dimensions.is_empty()
    }
}

/// All names of a kernel.
#[derive(Default)]
pub(crate) struct Bindings(pub Vec<Binding>);

impl std::ops::Index<Id> for Bindings {
    type Output = Binding;
    fn index(&self, id: Id) -> &Binding {
        &self.0[id]
    }
}

impl std::ops::IndexMut<Id> for Bindings {
    fn index_mut(&mut self, id: Id) -> &mut Binding {
        &mut self.0[id]
    }
}

impl Bindings {
    /// Returns a name beside those of the kernel: the given one, or else with a number.
    pub(crate) fn free(&self, name: &str) -> Ident {
        // Its span keeps it apart from names of the user's that are not the kernel's.
        let span = Span::mixed_site();
        let mut free = Ident::new(name, span);
        let mut number = 1;
        while self.0.iter().any(|binding| binding.unique == free) {
            number += 1;
            free = format_ident!("{name}_{number}", span = span);
        }
        free
    }

    fn renaming(&self, name: fn(&Binding) -> &Ident) -> Renaming<'_> {
        Renaming {
            bindings: self,
            name,
        }
    }

    /// Puts printable names back.
    pub(crate) fn restore(&self, mut expression: Expr) -> Expr {
        self.renaming(|binding| &binding.unique)
            .visit_expr_mut(&mut expression);
        expression
    }

    /// Puts printable names back.
    pub(crate) fn restore_pattern(&self, mut pattern: Pat) -> Pat {
        self.renaming(|binding| &binding.unique)
            .visit_pat_mut(&mut pattern);
        pattern
    }

    /// Puts the names of the source back.
    pub(crate) fn original(&self, mut expression: Expr) -> Expr {
        self.renaming(|binding| &binding.name)
            .visit_expr_mut(&mut expression);
        expression
    }

    /// Puts the names of the source back.
    pub(crate) fn original_pattern(&self, mut pattern: Pat) -> Pat {
        self.renaming(|binding| &binding.name)
            .visit_pat_mut(&mut pattern);
        pattern
    }

    /// Returns the source text of an expression, on one line.
    pub(crate) fn text(&self, expression: &Expr) -> String {
        crate::text::of(&self.original(expression.clone()))
    }
}

/// Puts names of the bindings for what stands for these.
struct Renaming<'b> {
    bindings: &'b Bindings,
    name: fn(&Binding) -> &Ident,
}

impl VisitMut for Renaming<'_> {
    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        if let Some(id) = marked_id(ident) {
            let span = ident.span();
            *ident = (self.name)(&self.bindings[id]).clone();
            ident.set_span(span);
        }
    }
}

const MARK: &str = "__superstep_";

/// Returns the name that stands for a binding in resolved expressions.
pub(crate) fn marked(id: Id, span: Span) -> Ident {
    Ident::new(&format!("{MARK}{id}"), span)
}

/// Returns the binding that a name in a resolved expression stands for.
pub(crate) fn marked_id(ident: &Ident) -> Option<Id> {
    ident.to_string().strip_prefix(MARK)?.parse().ok()
}

/// Source of a statement: where it stands and what it says.
#[derive(Clone)]
pub(crate) struct Source {
    pub span: Span,
    /// The statement as written, on one line.
    pub text: String,
    /// Nanoseconds that it takes, where `#[cost]` says so.
    pub cost: Option<u32>,
}

/// One step of a kernel's body. Expressions are resolved.
pub(crate) enum Step {
    /// `let` of a scalar or an array.
    Let {
        id: Id,
        init: Option<Expr>,
        /// Set if the value is there for its type alone: data is not initialised.
        placeholder: bool,
        source: Source,
    },
    /// The part `start..end` of an array that is `outer` long.
    Part {
        id: Id,
        start: Expr,
        end: Option<Expr>,
        /// Length of the array, if that is known without asking for it.
        outer: Option<Expr>,
        source: Source,
    },
    /// `place = value` and `place op= value`.
    Assign {
        place: Expr,
        op: Option<BinOp>,
        value: Expr,
        source: Source,
    },
    For {
        label: Option<Label>,
        /// `None` for `_`.
        variable: Option<Id>,
        range: Expr,
        body: Vec<Step>,
    },
    While {
        label: Option<Label>,
        condition: Expr,
        body: Vec<Step>,
    },
    Loop {
        label: Option<Label>,
        body: Vec<Step>,
    },
    If {
        condition: Expr,
        then: Vec<Step>,
        otherwise: Option<Vec<Step>>,
    },
    Match {
        scrutinee: Expr,
        arms: Vec<(Pat, Vec<Step>)>,
    },
    Block {
        label: Option<Label>,
        body: Vec<Step>,
    },
    /// All of the body of a loop marked `#[grain]`.
    Grain {
        body: Vec<Step>,
    },
    Break(Span, Option<Lifetime>),
    Continue(Span, Option<Lifetime>),
    Return(Span),
    /// `#[guard] if condition { return Err(error); }`.
    Guard {
        condition: Expr,
        error: Expr,
        source: Source,
    },
    /// `assert!` and `debug_assert!`.
    Assert {
        debug: bool,
        condition: Expr,
        source: Source,
    },
}

impl Step {
    /// Makes the `let` of a variable with a value.
    pub(crate) fn variable(id: Id, init: Expr, source: Source) -> Self {
        Step::Let {
            id,
            init: Some(init),
            placeholder: false,
            source,
        }
    }

    /// Calls `f` for this step and all steps in it, in order.
    pub(crate) fn each<'s>(&'s self, f: &mut dyn FnMut(&'s Step)) {
        f(self);
        let mut all = |steps: &'s [Step]| steps.iter().for_each(|step| step.each(f));
        match self {
            Step::For { body, .. }
            | Step::While { body, .. }
            | Step::Loop { body, .. }
            | Step::Block { body, .. }
            | Step::Grain { body } => all(body),
            Step::If {
                then, otherwise, ..
            } => {
                all(then);
                all(otherwise.as_deref().unwrap_or_default());
            }
            Step::Match { arms, .. } => arms.iter().for_each(|(_, body)| all(body)),
            _ => {}
        }
    }

    /// Returns the expressions of this very step, not of the steps in it.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Step::Let { init, .. } => init.iter().collect(),
            Step::Part {
                start, end, outer, ..
            } => std::iter::once(start).chain(end).chain(outer).collect(),
            Step::Assign { place, value, .. } => vec![place, value],
            Step::Guard {
                condition, error, ..
            } => vec![condition, error],
            Step::For { range, .. } => vec![range],
            Step::While { condition, .. }
            | Step::If { condition, .. }
            | Step::Assert { condition, .. } => vec![condition],
            Step::Match { scrutinee, arms } => {
                let guards = arms.iter().flat_map(|(pattern, _)| guards(pattern));
                std::iter::once(scrutinee).chain(guards).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the guards of a pattern.
pub(crate) fn guards(pattern: &Pat) -> Vec<&Expr> {
    struct Guards<'p>(Vec<&'p Expr>);
    impl<'p> Visit<'p> for Guards<'p> {
        fn visit_pat_guard(&mut self, guarded: &'p syn::PatGuard) {
            self.0.push(&guarded.guard);
            visit::visit_pat_guard(self, guarded);
        }
    }
    let mut guards = Guards(Vec::new());
    guards.visit_pat(pattern);
    guards.0
}

/// Returns the names that a pattern binds.
pub(crate) fn names_in(pattern: &Pat) -> impl Iterator<Item = Id> {
    struct Names(BTreeSet<Id>);
    impl<'p> Visit<'p> for Names {
        fn visit_pat_ident(&mut self, name: &'p syn::PatIdent) {
            self.0.extend(marked_id(&name.ident));
            visit::visit_pat_ident(self, name);
        }
        fn visit_expr(&mut self, _: &'p Expr) {}
    }
    let mut names = Names(BTreeSet::new());
    names.visit_pat(pattern);
    names.0.into_iter()
}
