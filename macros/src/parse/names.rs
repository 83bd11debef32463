//! Scopes: replaces each of the kernel's names in an expression by the binding that it means.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprClosure, FieldPat, FieldValue, Local, Member, Pat, Token};

use crate::attributes;
use crate::errors::Errors;
use crate::kernel::{Binding, Bindings, Home, Id, marked, marked_id};
use crate::places::{bare, is_compound};

use super::part::Part;

/// The names in scope while a kernel is read, and everything bound so far.
pub(super) struct Scope {
    pub bindings: Bindings,
    pub errors: Errors,
    stack: Names,
    /// Locals that would be names for whole arrays, were they not refused later.
    pub aliases: BTreeSet<Id>,
    /// Parts for which bindings of [`Home::Part`] stand.
    pub parts: BTreeMap<Id, Part>,
    /// Names that a new one must not be equal to when printed.
    taken: BTreeSet<String>,
}

/// The names in scope, innermost last.
pub(super) type Names = Vec<(String, Id)>;

impl Scope {
    /// Makes an empty scope. `taken`: all identifiers of the kernel, and of those that it calls.
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Self {
            bindings: Bindings::default(),
            errors: Errors::default(),
            stack: Vec::new(),
            aliases: BTreeSet::new(),
            parts: BTreeMap::new(),
            taken,
        }
    }

    /// Binds a name from here on.
    pub(super) fn bind(&mut self, name: &Ident, home: Home) -> Id {
        let id = self.create(name, home);
        self.stack.push((name.to_string(), id));
        id
    }

    /// Creates a binding that no name means yet: see [`Self::show`].
    pub(super) fn create(&mut self, name: &Ident, home: Home) -> Id {
        let id = self.bindings.0.len();
        let unique = self.unique(name);
        self.bindings.0.push(Binding {
            name: name.clone(),
            unique,
            home,
            structure: false,
            values: false,
            scratch: false,
            dimensions: Vec::new(),
            element: None,
        });
        id
    }

    /// Lets a binding's name mean it from here on.
    pub(super) fn show(&mut self, id: Id) {
        self.stack.push((self.bindings[id].name.to_string(), id));
    }

    /// Returns the name itself when the kernel binds it for the first time, else (and if it is raw)
    /// with a number.
    fn unique(&mut self, name: &Ident) -> Ident {
        let plain = name.unraw();
        let first = !self.bindings.0.iter().any(|other| other.unique == *name);
        if first && plain == *name {
            return name.clone();
        }
        let mut number = 2;
        while !self.taken.insert(format!("{plain}_{number}")) {
            number += 1;
        }
        format_ident!("{plain}_{number}", span = name.span())
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Id> {
        let found = self.stack.iter().rev().find(|(bound, _)| bound == name);
        found.map(|&(_, id)| id)
    }

    /// Returns the first of the names in scope that stands among the tokens of a macro, and where.
    fn named(&self, tokens: &TokenStream) -> Option<(TokenTree, String)> {
        tokens.clone().into_iter().find_map(|token| match &token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                self.lookup(&name).map(|_| (token, name))
            }
            TokenTree::Group(group) => self.named(&group.stream()),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let mut parts = text.split('{').skip(1);
                let name = parts.find_map(|part| {
                    let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let name = &part[..end.unwrap_or(part.len())];
                    self.lookup(name).map(|_| name.to_owned())
                });
                name.map(|name| (token, name))
            }
            TokenTree::Punct(_) => None,
        })
    }

    /// Returns whether a name in scope stands among the tokens of a macro.
    pub(super) fn is_named(&self, tokens: &TokenStream) -> bool {
        self.named(tokens).is_some()
    }

    /// Returns whether a binding is an array, or a part of one that is an array itself.
    pub(super) fn is_array(&self, id: Id) -> bool {
        let part = self.parts.get(&id);
        let array = part.map_or(self.bindings[id].is_array(), |part| {
            !part.dimensions.is_empty()
        });
        array || self.aliases.contains(&id)
    }

    /// Returns whether an expression is the name of such a binding.
    pub(super) fn is_name_of_array(&self, expression: &Expr) -> bool {
        let Expr::Path(path) = bare(expression) else {
            return false;
        };
        let name = path.path.get_ident();
        let id = name.and_then(|name| self.lookup(&name.to_string()));
        id.is_some_and(|id| self.is_array(id))
    }

    /// Returns where [`leave`](Self::leave) goes back to.
    pub(super) fn mark(&self) -> usize {
        self.stack.len()
    }

    /// Enters a called kernel, in which no name is in scope, and gives what
    /// [`enter_again`](Self::enter_again) takes to come back.
    pub(super) fn enter(&mut self) -> Names {
        std::mem::take(&mut self.stack)
    }

    /// Goes back to where these names are in scope.
    pub(super) fn enter_again(&mut self, names: Names) {
        self.stack = names;
    }

    /// Forgets the names bound since `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        self.stack.truncate(mark);
    }

    /// Resolves an expression.
    pub(super) fn resolve(&mut self, mut expression: Expr) -> Expr {
        Resolve {
            scope: self,
            loops: 0,
            closures: 0,
        }
        .visit_expr_mut(&mut expression);
        self.place_parts(&mut expression);
        expression
    }

    /// Binds the names of a pattern and resolves its guards.
    pub(super) fn bind_pattern(&mut self, mut pattern: Pat, home: Home) -> Pat {
        Resolve {
            scope: self,
            loops: 0,
            closures: 0,
        }
        .pattern(&mut pattern, home);
        self.place_parts_in(&mut pattern);
        pattern
    }
}

struct Resolve<'s> {
    scope: &'s mut Scope,
    /// Loops of the expression itself around the current place.
    loops: usize,
    /// Closures around it.
    closures: usize,
}

impl Resolve<'_> {
    /// Binds the names of a pattern; the same name in two alternatives is one.
    fn pattern(&mut self, pattern: &mut Pat, home: Home) {
        struct Bind<'r, 's> {
            resolve: &'r mut Resolve<'s>,
            home: Home,
            seen: BTreeMap<String, Id>,
        }
        impl VisitMut for Bind<'_, '_> {
            fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
                // What begins with a capital is a constant or a variant.
                let name = pattern.ident.clone();
                if name.unraw().to_string().starts_with(char::is_uppercase) {
                    return;
                }
                let scope = &mut *self.resolve.scope;
                let id = *self
                    .seen
                    .entry(name.to_string())
                    .or_insert_with(|| scope.bind(&name, self.home));
                pattern.ident = marked(id, name.span());
                visit_mut::visit_pat_ident_mut(self, pattern);
            }
            fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
                field.colon_token.get_or_insert_default();
                visit_mut::visit_field_pat_mut(self, field);
            }
            fn visit_expr_mut(&mut self, expression: &mut Expr) {
                self.resolve.visit_expr_mut(expression);
            }
        }
        Bind {
            resolve: self,
            home,
            seen: BTreeMap::new(),
        }
        .visit_pat_mut(pattern);
    }

    /// Refuses a macro that will read names of ours, which we cannot.
    fn macro_call(&mut self, call: &syn::Macro) {
        let Some((at, name)) = self.scope.named(&call.tokens) else {
            return;
        };
        let what = call.path.segments.last().map(|last| last.ident.to_string());
        let message = match what.as_deref() {
            Some("vec") => {
                "a kernel allocates nothing: pass an array that it may use as it likes, `scratch: &mut [f64]`, or write one of fixed length, `[0.0; 16]`".into()
            }
            Some(what @ ("panic" | "unreachable" | "todo" | "unimplemented")) => format!(
                "the text of `{what}!` cannot name `{name}` in a kernel: write a plain text, `{what}!(\"...\")`"
            ),
            _ => format!(
                "a macro cannot name `{name}`: what it reads is hidden in its tokens. Write the expression out, or call a function with `{name}` as an argument"
            ),
        };
        self.scope.errors.refuse(at, message);
    }

    fn escapes(&mut self, at: &dyn quote::ToTokens, what: &str) {
        self.scope.errors.refuse(
            at,
            format!("`{what}` cannot stand inside an expression: a task has no way out but its value. Make it a statement under a condition on control"),
        );
    }
}

impl VisitMut for Resolve<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Macro(call) = expression
            && call.mac.path.is_ident("matches")
            && let Ok(choice) = call.mac.parse_body_with(matches)
        {
            *expression = choice;
        }
        if let Some(mark) = attributes::grain(expression) {
            self.scope.errors.refuse(
                mark,
                "this loop is within an expression, and so part of a task already: `#[grain]` marks a loop that is a statement of the kernel",
            );
        }
        match expression {
            Expr::Path(path) => {
                if path.qself.is_none()
                    && let Some(name) = path.path.get_ident()
                    && let Some(id) = self.scope.lookup(&name.to_string())
                {
                    let ident = marked(id, name.span());
                    path.path = ident.into();
                }
                return;
            }
            Expr::If(branch) => {
                let mark = self.scope.mark();
                self.visit_expr_mut(&mut branch.cond);
                self.visit_block_mut(&mut branch.then_branch);
                self.scope.leave(mark);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
                return;
            }
            Expr::Let(binding) => {
                self.visit_expr_mut(&mut binding.expr);
                self.pattern(&mut binding.pat, Home::Inner);
                return;
            }
            Expr::Match(choice) => {
                self.visit_expr_mut(&mut choice.expr);
                for arm in &mut choice.arms {
                    let mark = self.scope.mark();
                    // A closure's `match` stays in the closure.
                    let home = if self.closures > 0 {
                        Home::Inner
                    } else {
                        Home::Arm
                    };
                    self.pattern(&mut arm.pat, home);
                    self.visit_expr_mut(&mut arm.body);
                    self.scope.leave(mark);
                }
                return;
            }
            Expr::While(each) => {
                let mark = self.scope.mark();
                self.visit_expr_mut(&mut each.cond);
                self.loops += 1;
                self.visit_block_mut(&mut each.body);
                self.loops -= 1;
                self.scope.leave(mark);
                return;
            }
            Expr::Loop(each) => {
                self.loops += 1;
                self.visit_block_mut(&mut each.body);
                self.loops -= 1;
                return;
            }
            Expr::ForLoop(each) => {
                self.visit_expr_mut(&mut each.expr);
                let mark = self.scope.mark();
                self.pattern(&mut each.pat, Home::Inner);
                self.loops += 1;
                self.visit_block_mut(&mut each.body);
                self.loops -= 1;
                self.scope.leave(mark);
                return;
            }
            Expr::Return(_) => self.escapes(expression, "return"),
            Expr::Break(_) if self.loops == 0 => self.escapes(expression, "break"),
            Expr::Continue(_) if self.loops == 0 => self.escapes(expression, "continue"),
            Expr::Assign(assignment) => {
                let left = (*assignment.left).clone();
                self.assigned(&left);
            }
            Expr::Binary(binary) if is_compound(&binary.op) => {
                let left = (*binary.left).clone();
                self.assigned(&left);
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                let inner = (*reference.expr).clone();
                self.borrowed(&inner, reference);
            }
            Expr::Macro(call) => self.macro_call(&call.mac),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let mark = self.scope.mark();
        for input in &mut closure.inputs {
            self.pattern(input, Home::Inner);
        }
        let loops = std::mem::take(&mut self.loops);
        self.closures += 1;
        self.visit_expr_mut(&mut closure.body);
        self.closures -= 1;
        self.loops = loops;
        self.scope.leave(mark);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let mark = self.scope.mark();
        visit_mut::visit_block_mut(self, block);
        self.scope.leave(mark);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.pattern(&mut local.pat, Home::Inner);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        // `Complex { re, im }` reads the variable `re`: write it out, since the variable's name
        // changes.
        if matches!(field.member, Member::Named(_)) {
            field.colon_token.get_or_insert_default();
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_stmt_mut(&mut self, statement: &mut syn::Stmt) {
        if let Some(mark) = attributes::cost(statement) {
            self.scope.errors.refuse(
                mark,
                "this statement is within an expression, and so part of a task already: `#[cost]` marks the assignment or the `let` around it",
            );
        }
        if let syn::Stmt::Macro(call) = statement {
            self.macro_call(&call.mac);
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

impl Resolve<'_> {
    /// Returns the binding at the bottom of a place.
    fn binding_of(&self, place: &Expr) -> Option<Id> {
        match bare(root(place)) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                marked_id(name).or_else(|| self.scope.lookup(&name.to_string()))
            }
            _ => None,
        }
    }

    /// Refuses `&mut` inside an expression of what is not bound in it.
    fn borrowed(&mut self, place: &Expr, at: &syn::ExprReference) {
        let id = self.binding_of(place);
        if id.is_some_and(|id| self.scope.bindings[id].home != Home::Inner) {
            self.scope.errors.refuse(
                at,
                "a kernel cannot lend its data as `&mut`: let the function return the new value, and assign it, `x = f(x)`",
            );
        }
    }

    /// Assignments inside an expression may only write what is bound inside it.
    fn assigned(&mut self, place: &Expr) {
        let id = self.binding_of(place);
        if id.is_some_and(|id| self.scope.bindings[id].home != Home::Inner) {
            self.scope.errors.refuse(
                place,
                "an assignment cannot stand inside an expression: give it a statement of its own, under conditions on control only",
            );
        }
    }
}

/// Parses `matches!(value, pattern if guard)` as the `match` that it is.
fn matches(input: ParseStream<'_>) -> syn::Result<Expr> {
    let value: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(input.parse::<Expr>()?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    let guard = guard.map(|guard| quote!(if #guard));
    syn::parse2(quote!(match #value { #pattern #guard => true, _ => false }))
}

/// Returns the name at the bottom of a place.
fn root(place: &Expr) -> &Expr {
    match bare(place) {
        Expr::Index(index) => root(&index.expr),
        Expr::Field(field) => root(&field.base),
        Expr::Unary(unary) => root(&unary.expr),
        other => other,
    }
}
