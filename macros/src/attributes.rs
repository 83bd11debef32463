//! Attributes: which may stand in a kernel, and how ours are taken off.

use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, ExprIf, ItemFn, LitInt, Meta, Stmt};

use crate::errors::Errors;

/// Our own marks, which the compiler must not see.
const OURS: [&str; 8] = [
    "structure",
    "values",
    "scratch",
    "grain",
    "guard",
    "reduce",
    "cost",
    PLACEHOLDER,
];

/// Mark on a `let`: the value only gives the name its type, and is never read. Not for users.
pub(crate) const PLACEHOLDER: &str = "superstep_placeholder";

/// Takes our marks off a function, everywhere in it.
pub(crate) fn strip(function: &mut ItemFn) {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
            attributes.retain(|attribute| !OURS.iter().any(|ours| attribute.path().is_ident(ours)));
        }
    }
    Strip.visit_item_fn_mut(function);
}

/// Refuses attributes in the body that change what the code is, and our own where they mean
/// nothing.
pub(crate) fn check(function: &ItemFn, errors: &mut Errors) {
    Check { errors, mark: None }.visit_block(&function.block);
    for attribute in &function.attrs {
        let message = match name_of(attribute).as_str() {
            "structure" => {
                "`#[structure]` marks a parameter: write it before the name, `#[structure] row: &[usize]`"
            }
            "values" => {
                "`#[values]` marks a parameter: write it before the name, `#[values] a: &[f64]`"
            }
            "scratch" => {
                "`#[scratch]` marks a parameter: write it before the name, `#[scratch] work: &mut [f64]`"
            }
            name => match mark_of_code(name) {
                Some(message) => message,
                None => continue,
            },
        };
        errors.refuse(attribute, message);
    }
}

/// Returns the name of an attribute, nothing where that is a path of several segments.
fn name_of(attribute: &Attribute) -> String {
    let name = attribute.path().get_ident();
    name.map(ToString::to_string).unwrap_or_default()
}

/// Returns where a mark of loops and statements is to be written, if `name` is one.
fn mark_of_code(name: &str) -> Option<&'static str> {
    Some(match name {
        "grain" => {
            "`#[grain]` marks a loop of a kernel, whose body becomes one task: write it before the loop, `#[grain] for i in 0..n { ... }`"
        }
        "guard" => {
            "`#[guard]` marks an `if` of a kernel, by which it gives up: write it before the `if`, `#[guard] if x < 0.0 { return Err(Negative(i)); }`"
        }
        "reduce" => {
            "`#[reduce]` marks a `for` loop that accumulates: write it before the loop, `#[reduce] for i in 0..n { s += x[i]; }`"
        }
        "cost" => COST,
        _ => return None,
    })
}

struct Check<'ast, 'e> {
    errors: &'e mut Errors,
    /// The last `#[grain]` that stands on a loop, `#[guard]` on an `if`, or `#[cost]` on an
    /// assignment.
    mark: Option<&'ast Attribute>,
}

impl<'ast> Visit<'ast> for Check<'ast, '_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.mark = cost(statement).or(self.mark);
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let guard = match expression {
            Expr::If(branch) => guard(branch),
            _ => None,
        };
        self.mark = grain(expression).or(guard).or(self.mark);
        visit::visit_expr(self, expression);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let is_mark = self.mark.is_some_and(|mark| std::ptr::eq(mark, attribute));
        if !is_mark && let Some(message) = refusal(attribute) {
            self.errors.refuse(attribute, message);
        } else if is_mark && attribute.path().is_ident("cost") {
            if nanoseconds(attribute).is_none() {
                self.errors.refuse(attribute, COST);
            }
        } else if is_mark && !matches!(attribute.meta, Meta::Path(_)) {
            let message = if attribute.path().is_ident("guard") {
                "`#[guard]` takes no arguments: what must not be is the condition of the `if`"
            } else {
                "`#[grain]` takes no arguments: one execution of the loop's body is one task, and a larger one needs a loop around"
            };
            self.errors.refuse(attribute, message);
        }
        visit::visit_attribute(self, attribute);
    }
}

/// Returns the `#[grain]` on a loop, if this is a loop that has one.
pub(crate) fn grain(expression: &Expr) -> Option<&Attribute> {
    let attributes = match expression {
        Expr::ForLoop(each) => &each.attrs,
        Expr::While(each) => &each.attrs,
        Expr::Loop(each) => &each.attrs,
        _ => return None,
    };
    marked(attributes, "grain")
}

/// Returns the first attribute of a name.
pub(crate) fn marked<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|a| a.path().is_ident(name))
}

/// Returns the `#[guard]` on an `if`, if it has one.
pub(crate) fn guard(branch: &ExprIf) -> Option<&Attribute> {
    marked(&branch.attrs, "guard")
}

/// Returns the `#[cost]` on an assignment or a `let`, if this is one that has it.
///
/// The parser leaves the attributes of an assignment on its left side.
pub(crate) fn cost(statement: &Stmt) -> Option<&Attribute> {
    let attributes = match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Expr(Expr::Assign(assignment), _) => of_place(&assignment.left)?,
        Stmt::Expr(Expr::Binary(binary), _) => of_place(&binary.left)?,
        _ => return None,
    };
    marked(attributes, "cost")
}

/// Returns the attributes of an expression that can be assigned to.
fn of_place(place: &Expr) -> Option<&[Attribute]> {
    Some(match place {
        Expr::Index(place) => &place.attrs,
        Expr::Field(place) => &place.attrs,
        Expr::Path(place) => &place.attrs,
        Expr::Unary(place) => &place.attrs,
        Expr::Paren(place) => &place.attrs,
        Expr::Infer(place) => &place.attrs,
        _ => return None,
    })
}

/// Takes `#[cost]` off a statement, and returns the statement without it and the nanoseconds.
pub(crate) fn take_cost(statement: &Stmt) -> Option<(Stmt, u32)> {
    struct Take;
    impl VisitMut for Take {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
            attributes.retain(|attribute| !attribute.path().is_ident("cost"));
        }
        // Those of statements within the value are refused where it is read.
        fn visit_block_mut(&mut self, _: &mut Block) {}
    }
    let cost = nanoseconds(cost(statement)?)?;
    let mut plain = statement.clone();
    Take.visit_stmt_mut(&mut plain);
    Some((plain, cost))
}

/// Returns the number of a `#[cost(60)]`.
fn nanoseconds(cost: &Attribute) -> Option<u32> {
    let number: LitInt = cost.parse_args().ok()?;
    number
        .base10_parse()
        .ok()
        .filter(|_| number.suffix().is_empty())
}

const COST: &str = "`#[cost]` says how many nanoseconds an assignment takes, as a whole number: write it before the assignment or the `let`, `#[cost(60)] y[i] = f(x[i]);`";

fn refusal(attribute: &Attribute) -> Option<String> {
    let first = attribute.path().segments.first()?.ident.to_string();
    Some(match first.as_str() {
        "allow" | "warn" | "deny" | "forbid" | "expect" | "doc" | "rustfmt" | "clippy" => {
            return None;
        }
        "cfg" | "cfg_attr" => "`cfg` cannot stand inside a kernel: the build script and the crate are compiled with different settings, \
             so they could see two different kernels. Write two kernels, each under its own `cfg`, or decide by a control parameter"
            .into(),
        PLACEHOLDER => return None,
        "structure" | "values" | "scratch" => {
            format!("`#[{first}]` marks a parameter of the kernel, not something in its body")
        }
        other => match mark_of_code(other) {
            Some(message) => message.into(),
            None => format!("a kernel's body cannot carry `#[{other}]`: the macro would have to know what it does. Take the attribute away"),
        },
    })
}

/// Returns whether a `let` is marked as a [`PLACEHOLDER`].
pub(crate) fn is_placeholder(attributes: &[Attribute]) -> bool {
    marked(attributes, PLACEHOLDER).is_some()
}

/// Marks of a parameter.
#[derive(Default)]
pub(crate) struct Marks {
    pub structure: bool,
    pub values: bool,
    pub scratch: bool,
}

/// Reads the marks off a parameter's attributes, and refuses `#[grain]`, `#[guard]` and `cfg`
/// there.
pub(crate) fn parameter(attributes: &[Attribute], errors: &mut Errors) -> Marks {
    let mut marks = Marks::default();
    for attribute in attributes {
        let path = attribute.path();
        let own = [
            ("structure", &mut marks.structure),
            ("values", &mut marks.values),
            ("scratch", &mut marks.scratch),
        ];
        if let Some((name, mark)) = own.into_iter().find(|(name, _)| path.is_ident(name)) {
            if !matches!(attribute.meta, syn::Meta::Path(_)) {
                errors.refuse(attribute, format!("`#[{name}]` takes no arguments"));
            }
            *mark = true;
        } else if let Some(message) = mark_of_code(&name_of(attribute)) {
            errors.refuse(attribute, message);
        } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            errors.refuse(
                attribute,
                "`cfg` cannot stand on a kernel's parameter: the build script and the crate could see two different kernels. \
                 Write two kernels, each under its own `cfg`",
            );
        }
    }
    marks
}
