//! Inlining of called kernels: the callee's statements stand in place of the call.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprCall, FnArg, Lifetime, Lit, LitFloat, LitInt, Pat, PatType, UnOp, parse_quote,
};

use super::part::{Borrow, Part};
use super::reader::{Exit, Reader, source};
use super::signature::{self, Taken};
use crate::calls::{self, Called, Callee};
use crate::errors::Errors;
use crate::kernel::{Binder, Id, Passing, Source, Step};
use crate::places::{self, bare};
use crate::reduce;
use crate::text;
use crate::types::primitive;

impl Reader<'_> {
    /// Reads a call that is a statement: inlines a kernel, refuses any other function.
    pub(super) fn call(&mut self, call: &ExprCall) -> Vec<Step> {
        let callees = self.callees;
        if calls::is_of_the_crate(call) {
            // Refused as every such path is.
            return Vec::new();
        }
        match calls::path(call).map(|path| callees.get(path)) {
            Some(Some(Called::Kernel(callee))) => self.inline(call, callee),
            // Refused where it stands, or not asked for as the caller is no free function.
            Some(Some(Called::Refused) | None) => Vec::new(),
            Some(Some(Called::Other)) | None => self.refused(call, self.of_no_kernel(call)),
        }
    }

    /// Returns the text of the refusal of a call that is a statement, and not that of a kernel.
    fn of_no_kernel(&self, call: &ExprCall) -> String {
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        match (name.as_deref(), &call.args.iter().collect::<Vec<_>>()[..]) {
            (Some("swap"), [Expr::Reference(one), Expr::Reference(other)]) => {
                self.swap(&one.expr, &other.expr)
            }
            (Some("drop"), _) => "a kernel drops nothing: take the statement away".into(),
            (Some(name), _) => format!(
                "a call that is a statement must be that of a kernel, and `{name}` is none: let `{name}` return what it computes and assign that, \
                 `x[i] = {name}(...);`, or mark it with `#[kernel]` too"
            ),
            (None, _) => "a call that is a statement is that of a kernel: write its path, `gemm(n, &a[i..j], c)`. What other functions do must come back as a value, `x[i] = f(...)`".into(),
        }
    }

    /// Returns the text of the refusal of swapping two places.
    pub(super) fn swap(&self, one: &Expr, other: &Expr) -> String {
        let (one_text, other_text) = (text::of(one), text::of(other));
        if self.scope.is_name_of_array(one) || self.scope.is_name_of_array(other) {
            return format!(
                "which array a name means cannot change in a kernel: write the loop once from `{one_text}` to `{other_text}` and once back, \
                 or use one array of twice the length, with an offset that changes"
            );
        }
        format!(
            "a kernel assigns one place at a time: write `let t = {one_text}; {one_text} = {other_text}; {other_text} = t;`"
        )
    }

    /// Inlines a call: returns the steps that bind its arguments, and those of the callee's body.
    fn inline(&mut self, call: &ExprCall, callee: &Callee) -> Vec<Step> {
        let function = reduce::rewrite(&callee.function, &mut Errors::default());
        let inputs = function.sig.inputs.iter();
        let parameters: Vec<&PatType> = inputs
            .filter_map(|input| match input {
                FnArg::Typed(typed) => Some(typed),
                FnArg::Receiver(_) => None,
            })
            .collect();
        if parameters.len() != call.args.len() {
            // The compiler says so, at the function as it stands.
            return Vec::new();
        }
        let mut steps = Vec::new();
        let bound = parameters.iter().zip(&call.args);
        let bound: Vec<Option<Id>> = bound
            .map(|(parameter, argument)| self.bind(parameter, argument, &mut steps))
            .collect();

        let number = self.scope.bindings.0.len();
        let label = format!("'{}_{number}", function.sig.ident.unraw());
        let exit = Exit {
            label: Lifetime::new(&label, Span::mixed_site()),
            used: false,
        };
        let caller = self.scope.enter();
        let bound = bound.into_iter().flatten();
        bound.for_each(|id| self.scope.show(id));
        let outer_exit = self.exit.replace(exit);
        let outer_call = self.call.clone();
        self.call.get_or_insert_with(|| call.clone());
        let body = self.statements(calls::written(&function));
        self.call = outer_call;
        let exit = std::mem::replace(&mut self.exit, outer_exit);
        self.scope.enter_again(caller);
        let label = exit.filter(|exit| exit.used).map(|exit| syn::Label {
            name: exit.label,
            colon_token: Default::default(),
        });
        steps.push(Step::Block { label, body });
        vec![Step::Block {
            label: None,
            body: steps,
        }]
    }

    /// Binds a parameter's name in the callee to what it means there; `None` after a refusal. It is
    /// not in scope yet.
    fn bind(&mut self, parameter: &PatType, argument: &Expr, steps: &mut Vec<Step>) -> Option<Id> {
        let Pat::Ident(pattern) = &*parameter.pat else {
            return None;
        };
        let name = &pattern.ident;
        let taken = signature::taken(&parameter.ty);
        let at = source(argument);
        let at = Source {
            text: format!("let {name} = {}", at.text),
            ..at
        };
        let scalar = taken.dimensions.is_empty();
        let part = match taken.passing {
            Passing::Value if pattern.mutability.is_some() => None,
            Passing::Value => self
                .passed_on(argument)
                .or_else(|| self.constant(&taken, argument)),
            _ => {
                let mut name = name.clone();
                name.set_span(at.span);
                let mut borrow = Borrow::new(&name, at.clone());
                let part = self.borrowed(argument, &mut borrow);
                steps.append(&mut borrow.steps);
                part
            }
        };
        let part = part.filter(|part| part.dimensions.len() == taken.dimensions.len());
        match (part, taken.passing, bare(argument)) {
            (Some(part), ..) => {
                self.learn(&part, &taken);
                let id = self.scope.create(name, Binder::Part);
                self.scope.parts.insert(id, part);
                Some(id)
            }
            (None, Passing::Value, _) if scalar => {
                let (id, step) = self.word(name, &taken, argument, at);
                steps.push(step);
                Some(id)
            }
            // `&(a + b)` is a word of its own.
            (None, Passing::Shared, Expr::Reference(lent)) if scalar => {
                let (word, step) = self.word(name, &taken, &lent.expr, at);
                steps.push(step);
                let part = Part::whole(word, &self.scope.bindings, name.span());
                Some(self.name_part(name, part))
            }
            _ => self.refused(argument, expected(name, &taken)),
        }
    }

    /// Returns a by-value parameter of the caller's, which nothing changes: the callee's is the
    /// same.
    fn passed_on(&self, argument: &Expr) -> Option<Part> {
        let id = self.scope.id_of(argument)?;
        if let Some(part) = self.scope.parts.get(&id) {
            return (!part.reference).then(|| part.clone());
        }
        let bindings = &self.scope.bindings;
        let parameter = bindings[id].binder == Binder::Parameter(Passing::Value);
        parameter.then(|| Part::whole(id, bindings, bare(argument).span()))
    }

    /// Returns a constant, by value: it can stand where the parameter does, and is no task.
    fn constant(&self, taken: &Taken, argument: &Expr) -> Option<Part> {
        let ty = primitive(&taken.element)?;
        let value = self.typed(argument, &ty)?;
        Some(Part::of(parse_quote!((#value)), Vec::new()))
    }

    /// Returns a literal or a named constant, perhaps with a sign, as a value of that type and no
    /// other.
    fn typed(&self, value: &Expr, ty: &str) -> Option<Expr> {
        let mut value = value.clone();
        match &mut value {
            Expr::Lit(literal) => match &mut literal.lit {
                Lit::Int(number) if number.suffix().is_empty() => {
                    let digits = number.base10_digits();
                    *number = LitInt::new(&format!("{digits}{ty}"), number.span());
                }
                Lit::Float(number) if number.suffix().is_empty() => {
                    // `2.` takes no suffix.
                    let digits = number.base10_digits();
                    let zero = if digits.ends_with('.') { "0" } else { "" };
                    *number = LitFloat::new(&format!("{digits}{zero}{ty}"), number.span());
                }
                _ => {}
            },
            path @ Expr::Path(_) if self.scope.id_of(path).is_some() => return None,
            Expr::Path(_) => {
                let ty = format_ident!("{ty}");
                return Some(parse_quote!((#value as #ty)));
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => return None,
            Expr::Unary(unary) => *unary.expr = self.typed(&unary.expr, ty)?,
            Expr::Paren(inner) => *inner.expr = self.typed(&inner.expr, ty)?,
            _ => return None,
        }
        Some(value)
    }

    /// Returns what an argument lends: `&a`, `&mut a[i..j]`, or a reference passed on.
    fn borrowed(&mut self, argument: &Expr, borrow: &mut Borrow<'_>) -> Option<Part> {
        let lent = match bare(argument) {
            Expr::Reference(reference) => &*reference.expr,
            path @ Expr::Path(_) => {
                let id = self.scope.id_of(path)?;
                let part = self.scope.parts.get(&id);
                let reference = part.map_or(
                    matches!(
                        self.scope.bindings[id].binder,
                        Binder::Parameter(Passing::Shared | Passing::Mutable)
                    ),
                    |part| part.reference,
                );
                if !reference {
                    return None;
                }
                argument
            }
            _ => return None,
        };
        let part = self.part(lent, borrow)?;
        Some(Part {
            reference: true,
            ..part
        })
    }

    /// Makes a parameter by value a local.
    fn word(&mut self, name: &Ident, taken: &Taken, value: &Expr, at: Source) -> (Id, Step) {
        let init = self.scope.resolve(value);
        let id = self.scope.create(name, Binder::Local);
        self.scope.bindings[id].element = Some(taken.element.clone());
        (id, Step::variable(id, init, at))
    }

    /// Notes that the parameter's type is that of the argument's words.
    fn learn(&mut self, part: &Part, taken: &Taken) {
        let bindings = &mut self.scope.bindings;
        if let Some(id) = places::target(&part.place, bindings)
            && !matches!(part.place, Expr::Field(_))
        {
            bindings[id]
                .element
                .get_or_insert_with(|| taken.element.clone());
        }
    }
}

fn expected(name: &Ident, taken: &Taken) -> String {
    let lend = if taken.passing == Passing::Mutable {
        "&mut "
    } else {
        "&"
    };
    match (taken.passing, taken.dimensions.is_empty()) {
        (Passing::Value, _) => format!(
            "`{name}` is an array by value: let the called kernel take it by reference, or pass a parameter of this kernel that is one"
        ),
        (_, true) => format!(
            "`{name}` is a word: pass a local, `{lend}x`, a word of an array, `{lend}a[i]`, or a reference that this kernel takes, `x`"
        ),
        (_, false) => format!(
            "`{name}` is an array: pass one of this kernel's, `{lend}a`, a part of one, `{lend}a[i]` or `{lend}a[i..j]`, or a reference that this kernel takes, `a`"
        ),
    }
}
