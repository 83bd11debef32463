//! Loops that scatter updates: which they are, how their updates are recorded, and gathered.

use proc_macro2::Ident;
use quote::format_ident;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprForLoop, Local, Pat, Stmt, Type, parse_quote};

use super::names::{Names, constant, same};
use super::uses::{Places, Replace, binds, updated};
use crate::attributes::guard;
use crate::parse::is_plain;
use crate::text::{identifiers, mentions};

/// Loop whose iterations scatter updates.
pub(super) struct Scatter<'k> {
    each: &'k ExprForLoop,
    variable: &'k Ident,
    /// Place of the iteration's own word.
    own: &'k Expr,
    /// Control that stands before the updates.
    lets: Vec<&'k Local>,
    /// Position of the loop over updates in the body, and that of the first statement which uses
    /// the array.
    at: usize,
    first: usize,
    updates: Updates<'k>,
}

/// Loop over the updates of an iteration.
struct Updates<'k> {
    variable: &'k Ident,
    range: &'k Expr,
    lets: Vec<&'k Local>,
    condition: Option<&'k Expr>,
    array: &'k Ident,
    target: &'k Expr,
    update: &'k Stmt,
}

impl<'k> Scatter<'k> {
    pub(super) fn of(each: &'k ExprForLoop, names: &Names) -> Option<Self> {
        let variable = variable(each)?;
        if !names.are_control(&*each.expr) || leaves(&each.body) {
            return None;
        }
        let mut names = names.clone();
        if !names.declared.insert(variable.to_string()) {
            return None;
        }
        let statements = &each.body.stmts;
        let mut lets = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            match statement {
                Stmt::Local(local) => {
                    let is_known = constant(local)
                        .is_some_and(|name| names.declared.contains(&name.to_string()));
                    if names.declare(local) {
                        if is_known {
                            return None;
                        }
                        lets.push(local);
                    }
                }
                Stmt::Expr(Expr::ForLoop(inner), _) => {
                    let Some(updates) = Updates::of(inner, &names) else {
                        continue;
                    };
                    let used = |statement: &&Stmt| mentions(statement, updates.array);
                    if statements[at + 1..]
                        .iter()
                        .any(|statement| used(&statement))
                    {
                        return None;
                    }
                    let own = updates.own(&statements[..at])?;
                    let first = statements[..at].iter().position(|it| used(&it))?;
                    let is_control =
                        names.are_control(own) && !binds(&statements[..at], own, &lets);
                    return is_control.then_some(Self {
                        each,
                        variable,
                        own,
                        first,
                        at,
                        updates,
                        lets,
                    });
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the variables of the loop and of the one over updates.
    pub(super) fn variables(&self) -> [&'k Ident; 2] {
        [self.variable, self.updates.variable]
    }

    /// Returns the loop that records the updates.
    pub(super) fn recorded(&self, recorders: &Ident, number: usize) -> Stmt {
        let (variable, range) = (self.variable, &self.each.expr);
        let (lets, own) = (&self.lets, self.own);
        let Updates {
            variable: entry,
            range: entries,
            lets: inner,
            condition,
            target,
            ..
        } = &self.updates;
        let condition = condition.map_or_else(|| parse_quote!(true), Clone::clone);
        parse_quote! {
            for #variable in #range {
                #(#lets)*
                #recorders[#number].begin((#variable) as usize, (#own) as usize);
                for #entry in #entries {
                    #(#inner)*
                    if #condition {
                        #recorders[#number].update((#entry) as usize, (#target) as usize);
                    }
                }
            }
        }
    }

    /// Returns the loop that gathers them. `types` are those of the [variables](Self::variables).
    pub(super) fn gathered(
        &self,
        parameters: &[Ident; 4],
        types: [&Type; 2],
        number: usize,
    ) -> ExprForLoop {
        let [iteration_type, entry_type] = types;
        let [iterations, starts, sources, entries] = parameters;
        let [g, k, own_place] =
            ["g", "k", "own"].map(|name| format_ident!("gathered_{name}_{number}"));
        let (variable, own, lets) = (self.variable, self.own, &self.lets);
        let statements = &self.each.body.stmts;
        let (before, between) = (&statements[..self.first], &statements[self.first..self.at]);
        let behind = &statements[self.at + 1..];
        let (entry, inner) = (self.updates.variable, &self.updates.lets);
        let update = self.updates.at_place(&own_place);
        let mut needed: Vec<Stmt> = vec![update.clone()];
        needed.extend(inner.iter().map(|&local| Stmt::Local(local.clone())));
        let lets = lets.iter().rev().filter(|local| {
            let is_named = |name| needed.iter().any(|statement| mentions(statement, name));
            let is_needed = constant(local).is_some_and(is_named);
            if is_needed {
                needed.push(Stmt::Local((**local).clone()));
            }
            is_needed
        });
        let mut lets: Vec<&&Local> = lets.collect();
        lets.reverse();
        parse_quote! {
            for #g in 0..#iterations.len() {
                let #variable = #iterations[#g] as #iteration_type;
                #(#before)*
                let #own_place = #own;
                for #k in #starts[#g]..#starts[#g + 1] {
                    let #variable = #sources[#k as usize] as #iteration_type;
                    #(#lets)*
                    let #entry = #entries[#k as usize] as #entry_type;
                    #(#inner)*
                    #update
                }
                #(#between)*
                #(#behind)*
            }
        }
    }
}

impl<'k> Updates<'k> {
    fn of(each: &'k ExprForLoop, names: &Names) -> Option<Self> {
        let variable = variable(each)?;
        let mut names = names.clone();
        if !names.are_control(&*each.expr) || !names.declared.insert(variable.to_string()) {
            return None;
        }
        let (last, before) = each.body.stmts.split_last()?;
        let mut lets = Vec::new();
        for statement in before {
            let Stmt::Local(local) = statement else {
                return None;
            };
            let name = constant(local)?.to_string();
            if names.declared.contains(&name) || !names.declare(local) {
                return None;
            }
            lets.push(local);
        }
        let (condition, update) = match last {
            Stmt::Expr(Expr::If(branch), _) if branch.else_branch.is_none() => {
                let [update] = &branch.then_branch.stmts[..] else {
                    return None;
                };
                (Some(&*branch.cond), update)
            }
            update => (None, update),
        };
        if condition.is_some_and(|condition| {
            !names.are_control(condition) || matches!(condition, Expr::Let(_))
        }) {
            return None;
        }
        let (array, target, value) = updated(update)?;
        let mut known = names.inputs.clone();
        known.insert(array.to_string());
        let is_scatter = names.written.contains(&array.to_string())
            && names.are_control(target)
            && (&identifiers(value) & &names.opaque).is_subset(&known);
        is_scatter.then_some(Self {
            variable,
            range: &each.expr,
            lets,
            condition,
            array,
            target,
            update,
        })
    }

    /// Returns the one place of the array that these statements and the update use, beside its
    /// target; it is known before the updates.
    fn own(&self, statements: &'k [Stmt]) -> Option<&'k Expr> {
        let mut places = Places {
            array: self.array,
            found: Vec::new(),
            others: 0,
        };
        statements.iter().for_each(|it| places.visit_stmt(it));
        let own = *places.found.first()?;
        places.visit_stmt(self.update);
        let is_target = |place: &&&Expr| same(**place, self.target);
        let targets = places.found.iter().filter(is_target).count();
        let owns = places.found.iter().filter(|it| same(**it, own)).count();
        let is_one = places.others == 0
            && !same(own, self.target)
            && targets > 0
            && targets + owns == places.found.len();
        let inner = self.lets.iter().filter_map(|local| constant(local));
        let mut inner = inner.chain([self.variable]);
        let is_outer = inner.all(|it| !mentions(own, it));
        (is_one && is_outer).then_some(own)
    }

    /// Returns the update of the word at a place that is known.
    fn at_place(&self, place: &Ident) -> Stmt {
        let mut update = self.update.clone();
        let mut replace = Replace {
            array: self.array,
            target: self.target,
            place,
        };
        replace.visit_stmt_mut(&mut update);
        update
    }
}

/// Returns the loop's variable, if it has no marks of ours and no label.
fn variable(each: &ExprForLoop) -> Option<&Ident> {
    match &*each.pat {
        Pat::Ident(name) if is_plain(name) && each.attrs.is_empty() && each.label.is_none() => {
            Some(&name.ident)
        }
        _ => None,
    }
}

/// Returns whether a loop's body may be left early, but for guards.
fn leaves(body: &Block) -> bool {
    struct Leaves(bool);
    impl<'e> Visit<'e> for Leaves {
        fn visit_expr_break(&mut self, _: &'e syn::ExprBreak) {
            self.0 = true;
        }
        fn visit_expr_continue(&mut self, _: &'e syn::ExprContinue) {
            self.0 = true;
        }
        fn visit_expr_return(&mut self, _: &'e syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_if(&mut self, branch: &'e syn::ExprIf) {
            if guard(branch).is_none() {
                visit::visit_expr_if(self, branch);
            }
        }
    }
    let mut leaves = Leaves(false);
    leaves.visit_block(body);
    leaves.0
}
