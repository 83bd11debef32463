//! Scopes: the names of a kernel, and the bindings that they mean.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::format_ident;
use syn::Expr;
use syn::ext::IdentExt;

use crate::attributes::Marks;
use crate::errors::Errors;
use crate::kernel::{Binder, Binding, Bindings, Id};
use crate::places::{bare, identifier};

use super::part::Part;

/// The names in scope while a kernel is read, and everything bound so far.
pub(super) struct Scope {
    pub bindings: Bindings,
    pub errors: Errors,
    stack: Names,
    /// Locals that would be names for whole arrays, were they not refused later.
    pub aliases: BTreeSet<Id>,
    /// Parts for which bindings of [`Binder::Part`] stand.
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
    pub(super) fn bind(&mut self, name: &Ident, binder: Binder) -> Id {
        let id = self.create(name, binder);
        self.stack.push((name.to_string(), id));
        id
    }

    /// Creates a binding that no name means yet: see [`Self::show`].
    pub(super) fn create(&mut self, name: &Ident, binder: Binder) -> Id {
        let id = self.bindings.0.len();
        let unique = self.unique(name);
        self.bindings.0.push(Binding {
            name: name.clone(),
            unique,
            binder,
            marks: Marks::default(),
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

    /// Returns the binding in scope that an expression names.
    pub(super) fn id_of(&self, expression: &Expr) -> Option<Id> {
        self.lookup(&identifier(bare(expression))?.to_string())
    }

    /// Returns the first of the names in scope that stands among the tokens of a macro, and where.
    pub(super) fn named(&self, tokens: &TokenStream) -> Option<(TokenTree, String)> {
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
        self.id_of(expression).is_some_and(|id| self.is_array(id))
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
}
