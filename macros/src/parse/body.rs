//! Statements: the body as a tree of steps.

use syn::{
    Block, Expr, ExprReference, ExprTuple, Ident, ItemFn, Local, Pat, PatTuple, ReturnType, Stmt,
    Type,
};

use super::names::Scope;
use super::part::Borrow;
use super::reader::{Reader, is_plain, source};
use super::signature;
use crate::attributes;
use crate::calls::{self, Callees};
use crate::instead;
use crate::kernel::{Binder, Dimension, Id, Source, Step};
use crate::places::bare;
use crate::text;

/// Reads a function's body. `mutable`: scalars passed by value as `mut`, which become locals that
/// start as the parameter.
pub(super) fn body(
    function: &ItemFn,
    mutable: &[Id],
    callees: &Callees,
    scope: &mut Scope,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for &parameter in mutable {
        if scope.bindings[parameter].is_array() {
            continue;
        }
        let name = scope.bindings[parameter].name.clone();
        let init = syn::parse_quote!(#name);
        let init = scope.resolve(&init);
        let id = scope.bind(&name, Binder::Local);
        scope.bindings[id].element = scope.bindings[parameter].element.clone();
        let source = Source {
            span: name.span(),
            text: format!("let mut {name} = {name}"),
            cost: None,
        };
        steps.push(Step::variable(id, init, source));
    }
    let mut reader = Reader {
        scope,
        callees,
        returns: matches!(function.sig.output, ReturnType::Type(..)),
        can_fail: signature::error(&function.sig).is_some(),
        in_grain: false,
        call: None,
        exit: None,
    };
    if reader.can_fail {
        reader.end(&function.block);
    }
    steps.extend(reader.statements(calls::written(function)));
    steps
}

impl Reader<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Vec<Step> {
        self.statements(&block.stmts)
    }

    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Vec<Step> {
        let mark = self.scope.mark();
        let mut steps = Vec::new();
        for statement in statements {
            match attributes::take_cost(statement) {
                None => steps.extend(self.statement(statement)),
                Some((plain, nanoseconds)) => {
                    let mut costly = self.statement(&plain);
                    for step in &mut costly {
                        if let Step::Let { source, .. } | Step::Assign { source, .. } = step {
                            source.cost = Some(nanoseconds);
                        }
                    }
                    steps.extend(costly);
                }
            }
        }
        self.scope.leave(mark);
        steps
    }

    fn statement(&mut self, statement: &Stmt) -> Vec<Step> {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expression, _) => self.expression(expression),
            Stmt::Macro(call) => self.macro_call(&call.mac, call),
            Stmt::Item(_) => Vec::new(),
        }
    }

    /// Reads the body of `each`, a loop: one step if the loop is marked `#[grain]`.
    pub(super) fn loop_body(&mut self, each: &Expr, block: &Block) -> Vec<Step> {
        let Some(mark) = attributes::grain(each) else {
            return self.block(block);
        };
        if self.in_grain {
            match self.call.clone() {
                None => self.refuse(
                    mark,
                    "this loop is within another `#[grain]`, whose body is one task already: mark one of the two",
                ),
                Some(call) => self.refuse(
                    call,
                    "this call is within a `#[grain]`, whose body is one task already, and so is what the called kernel marks with `#[grain]`: take one of the marks away",
                ),
            }
        }
        let outer = std::mem::replace(&mut self.in_grain, true);
        let body = self.block(block);
        self.in_grain = outer;
        vec![Step::Grain { body }]
    }

    fn local(&mut self, local: &Local) -> Vec<Step> {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        if let Some(init) = &local.init
            && init.diverge.is_some()
        {
            return self.refused(
                local,
                "`let ... else` cannot stand in a kernel: use an `if` on control",
            );
        }
        let init = local.init.as_ref().map(|init| &*init.expr);
        if let (Pat::Ident(name), Some(Expr::Reference(reference))) = (pattern, init.map(bare))
            && is_plain(name)
        {
            return self.borrowing(&name.ident, reference, local);
        }
        if let (Pat::Tuple(names), Some(Expr::MethodCall(call))) = (pattern, init)
            && let Some(steps) = self.split(names, call, source(local))
        {
            return steps;
        }
        match (pattern, init) {
            (Pat::Ident(name), _) if name.by_ref.is_none() && name.subpat.is_none() => {
                vec![self.name(&name.ident, ty, init, local)]
            }
            (Pat::Tuple(names), Some(Expr::Tuple(values)))
                if ty.is_none() && names.elems.len() == values.elems.len() =>
            {
                self.tuple(names, values, local)
            }
            (Pat::Wild(_), _) => self.refused(
                local,
                "`let _` assigns nothing in a kernel: take the statement away",
            ),
            _ => self.refused(&local.pat, instead::of_let(&local.pat, init)),
        }
    }

    /// Reads `let row = &a[i..j];`: a name for a part.
    fn borrowing(&mut self, name: &Ident, reference: &ExprReference, local: &Local) -> Vec<Step> {
        let mut borrow = Borrow::new(name, source(local));
        match self.part(&reference.expr, &mut borrow) {
            Some(part) => {
                let id = self.name_part(name, part);
                self.scope.show(id);
            }
            None => self.refuse(reference, self.of_borrow(name, reference)),
        }
        borrow.steps
    }

    /// Returns the text of the refusal of what a local would borrow.
    fn of_borrow(&self, name: &Ident, reference: &ExprReference) -> String {
        match self.is_constant(&reference.expr) {
            true => format!(
                "a kernel's local cannot borrow a constant: write `{}` where `{name}` stands",
                text::of(&reference.expr)
            ),
            false => BORROW.to_owned(),
        }
    }

    /// Tells whether an expression is a constant, or a part of one: of a name that is not the
    /// kernel's.
    fn is_constant(&self, expression: &Expr) -> bool {
        match bare(expression) {
            Expr::Index(index) => self.is_constant(&index.expr),
            Expr::Field(field) => self.is_constant(&field.base),
            path @ Expr::Path(_) => self.scope.id_of(path).is_none(),
            _ => false,
        }
    }

    /// Reads `let (a, b) = (x, y);` as one `let` for each name; the values see none of the names.
    fn tuple(&mut self, names: &PatTuple, values: &ExprTuple, local: &Local) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut bound = Vec::new();
        for (pattern, value) in names.elems.iter().zip(&values.elems) {
            match pattern {
                Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                    let array = self.scope.is_name_of_array(value);
                    let init = self.scope.resolve(value);
                    let id = self.scope.create(&name.ident, Binder::Local);
                    self.scope.aliases.extend(array.then_some(id));
                    bound.push(id);
                    steps.push(Step::variable(id, init, source(local)));
                }
                other => self.refuse(other, "a kernel's `let` binds names: write one for each"),
            }
        }
        bound.into_iter().for_each(|id| self.scope.show(id));
        steps
    }

    fn name(
        &mut self,
        name: &Ident,
        ty: Option<&Type>,
        mut init: Option<&Expr>,
        local: &Local,
    ) -> Step {
        if let Some(Expr::Reference(reference)) = init.map(bare) {
            let is_place = matches!(bare(&reference.expr), Expr::Index(_) | Expr::Path(_));
            match &local.pat {
                _ if self.is_constant(&reference.expr) => {
                    self.refuse(reference, self.of_borrow(name, reference));
                }
                Pat::Ident(pattern) if pattern.mutability.is_some() && is_place => self.refuse(
                    pattern,
                    format!(
                        "what a local borrows is always the same in a kernel: take `mut` away, `let {name} = {};`",
                        text::of(reference)
                    ),
                ),
                _ => self.refuse(reference, BORROW),
            }
            init = None;
        }
        if let Some(Expr::Macro(call)) = init.map(bare)
            && call.mac.path.is_ident("vec")
            && self.scope.is_named(&call.mac.tokens)
        {
            self.refuse(call, instead::of_allocation(&name.to_string()));
            init = None;
        }
        if matches!(ty, Some(Type::Reference(_))) {
            self.refuse(ty, "a kernel's local cannot be a reference: copy the value");
        }
        let array = init.is_some_and(|init| self.scope.is_name_of_array(init));
        let resolved = init.map(|init| self.scope.resolve(init));
        let (dimensions, element) = match (ty, &resolved) {
            (Some(ty), _) => {
                let (dimensions, element) = signature::shape(ty);
                (dimensions, concrete(element))
            }
            (None, Some(init)) => (literal_shape(init), None),
            (None, None) => (Vec::new(), None),
        };
        let id = self.scope.bind(name, Binder::Local);
        self.scope.aliases.extend(array.then_some(id));
        let binding = &mut self.scope.bindings[id];
        binding.dimensions = dimensions;
        binding.element = element;
        Step::Let {
            id,
            init: resolved,
            placeholder: attributes::is_placeholder(&local.attrs),
            source: source(local),
        }
    }
}

const BORROW: &str = "a kernel's local can borrow an array, a part of one, or a word, and always the same: `let row = &a[i..j];`. Copy other values, `let x = a[i] + 1.0;`";

/// Returns the type if it leaves nothing to infer.
fn concrete(ty: &Type) -> Option<Type> {
    (!matches!(ty, Type::Infer(_))).then(|| ty.clone())
}

/// Returns the dimensions of an array literal.
fn literal_shape(init: &Expr) -> Vec<Dimension> {
    let (length, inner) = match bare(init) {
        Expr::Repeat(repeat) => ((*repeat.len).clone(), Some(&*repeat.expr)),
        Expr::Array(array) => {
            let count = proc_macro2::Literal::usize_unsuffixed(array.elems.len());
            (syn::parse_quote!(#count), array.elems.first())
        }
        _ => return Vec::new(),
    };
    let mut dimensions = vec![Dimension::Fixed(length)];
    dimensions.extend(inner.map(literal_shape).unwrap_or_default());
    dimensions
}
