//! Names of a kernel, by what they stand for: control, which can be evaluated anywhere, or data.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, FnArg, ItemFn, Local, Pat, Type};

use crate::attributes;
use crate::places::bare;
use crate::text::identifiers;
use crate::types;

/// Names of a kernel's parameters and variables, by what they stand for.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// Data, and variables that change: control that has none of these can be evaluated anywhere.
    pub opaque: BTreeSet<String>,
    /// Data that nobody writes.
    pub inputs: BTreeSet<String>,
    /// Arrays that the kernel may write.
    pub written: BTreeSet<String>,
    /// All parameters, and variables declared so far.
    pub declared: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(function: &ItemFn) -> Self {
        let mut names = Self::default();
        for parameter in &function.sig.inputs {
            let FnArg::Typed(parameter) = parameter else {
                continue;
            };
            let Pat::Ident(pattern) = &*parameter.pat else {
                continue;
            };
            let name = pattern.ident.to_string();
            names.declared.insert(name.clone());
            let is_structure = attributes::marked(&parameter.attrs, "structure").is_some();
            let is_mutable = pattern.mutability.is_some();
            if is_structure || types::is_control(&parameter.ty) && !is_mutable {
                continue;
            }
            match &*parameter.ty {
                Type::Reference(reference) if reference.mutability.is_some() => {
                    names.written.insert(name.clone());
                }
                _ if !is_mutable => drop(names.inputs.insert(name.clone())),
                _ => {}
            }
            names.opaque.insert(name);
        }
        names
    }

    /// Enters a variable. Returns whether it is control that does not change.
    pub(super) fn declare(&mut self, local: &Local) -> bool {
        let name = constant(local);
        let is_control = name.is_some()
            && local.attrs.is_empty()
            && local.init.as_ref().is_some_and(|init| {
                init.diverge.is_none() && self.are_control(&*init.expr) && !is_float(&init.expr)
            });
        let all = identifiers(&local.pat);
        self.declared.extend(all.iter().cloned());
        if !is_control {
            self.opaque.extend(all);
        }
        is_control
    }

    pub(super) fn are_control(&self, tokens: impl ToTokens) -> bool {
        identifiers(tokens).is_disjoint(&self.opaque)
    }
}

/// Returns the name of a variable that does not change.
pub(super) fn constant(local: &Local) -> Option<&Ident> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(name) if name.mutability.is_none() && name.subpat.is_none() => Some(&name.ident),
        _ => None,
    }
}

fn is_float(value: &Expr) -> bool {
    matches!(bare(value), Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_)))
}

pub(super) fn same(one: &impl ToTokens, other: &impl ToTokens) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}
