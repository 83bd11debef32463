//! Scatters as gathers: updates that a loop scatters over an array, word by word.
//!
//! A triangular solve by columns takes each unknown out of the equations that follow:
//!
//! ```text
//! for i in 0..n {
//!     x[i] /= diagonal[i];
//!     for e in start[i]..start[i + 1] { x[row[e]] -= values[e] * x[i]; }    // a scatter
//! }
//! ```
//!
//! All updates of a word are a chain through all iterations that touch it: it is stored and loaded
//! again each time, and processors wait for every link. Gathered, an iteration has all updates of
//! its own word, in the order in which the loop made them, before whatever it did with that word:
//!
//! ```text
//! for g in 0..iterations.len() {
//!     let i = iterations[g];
//!     for k in starts[g]..starts[g + 1] {
//!         let (j, e) = (sources[k], entries[k]);
//!         x[i] -= values[e] * x[j];
//!     }
//!     x[i] /= diagonal[i];
//! }
//! ```
//!
//! Each word has the same updates in the same order, so the same bits. Which updates those are is
//! recorded when a plan is made, by a function that [`Gather::recording`] prints; it finds out, too,
//! whether each word is updated only before its own iteration. The text tells the rest:
//!
//! * the updated array is used in that loop at one place of the iteration's own, and at the
//!   update's target;
//! * the update reads beside it only arguments that nobody writes;
//! * statements behind the scatter leave the array alone.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprForLoop, FnArg, ItemFn, Local, Pat, Stmt, Type, parse_quote};

use crate::places::bare;
use crate::text::identifiers;

/// Kernel whose scatters are gathers.
pub(crate) struct Gather {
    /// The kernel, with four `#[structure]` parameters for each gathered loop, in that order.
    pub function: ItemFn,
    /// Names of these parameters.
    pub parameters: Vec<[Ident; 4]>,
    /// Statements that record the updates of all those loops: to `recorders`, one for each loop.
    pub recording: Vec<Stmt>,
}

/// Name of the recorders in [`Gather::recording`].
pub(crate) fn recorders() -> Ident {
    Ident::new("recorders", Span::mixed_site())
}

/// Returns the kernel with gathers, if it has scatters.
pub(crate) fn of(function: &ItemFn) -> Option<Gather> {
    let mut taken = BTreeSet::new();
    identifiers(function.to_token_stream(), &mut taken);
    let mut names = Names::of(function);
    let is_item = |statement: &Stmt| matches!(statement, Stmt::Item(_));
    if function.block.stmts.iter().any(is_item) {
        return None;
    }
    let mut gathered = Gather {
        function: function.clone(),
        parameters: Vec::new(),
        recording: Vec::new(),
    };
    for statement in &mut gathered.function.block.stmts {
        if let Stmt::Local(local) = statement {
            if names.declare(local) {
                gathered.recording.push(Stmt::Local(local.clone()));
            }
            continue;
        }
        let Stmt::Expr(Expr::ForLoop(each), _) = statement else {
            continue;
        };
        let loops = without_copies(each);
        let Some(scatter) = Scatter::of(&loops, &names) else {
            continue;
        };
        let number = gathered.parameters.len();
        let parameters = ["iterations", "starts", "sources", "entries"];
        let parameters = parameters.map(|name| format_ident!("gathered_{name}_{number}"));
        gathered.recording.push(scatter.recorded(number));
        *each = scatter.gathered(&parameters, number);
        gathered.parameters.push(parameters);
    }
    // Who is no longer used would be neither control nor data.
    let mut used = BTreeSet::new();
    identifiers(gathered.function.block.to_token_stream(), &mut used);
    let inputs = &mut gathered.function.sig.inputs;
    let all = std::mem::take(inputs);
    inputs.extend(all.into_iter().filter(|parameter| match parameter {
        FnArg::Typed(parameter) => match &*parameter.pat {
            Pat::Ident(name) => used.contains(&name.ident.to_string()),
            _ => true,
        },
        FnArg::Receiver(_) => true,
    }));
    for name in gathered.parameters.iter().flatten() {
        inputs.push(parse_quote!(#[structure] #name: &[u32]));
    }
    let is_free = |name: &Ident| !taken.contains(&name.to_string());
    let are_free = gathered.parameters.iter().flatten().all(is_free);
    (are_free && !gathered.parameters.is_empty()).then_some(gathered)
}

/// Names of a kernel's parameters and variables, by what they stand for.
#[derive(Clone, Default)]
struct Names {
    /// Data, and variables that change: control that has none of these can be evaluated anywhere.
    opaque: BTreeSet<String>,
    /// Data that nobody writes.
    inputs: BTreeSet<String>,
    /// Arrays that the kernel may write.
    written: BTreeSet<String>,
    /// All parameters, and variables declared so far.
    declared: BTreeSet<String>,
}

impl Names {
    fn of(function: &ItemFn) -> Self {
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
            let is_structure = |a: &syn::Attribute| a.path().is_ident("structure");
            let is_mutable = pattern.mutability.is_some();
            if parameter.attrs.iter().any(is_structure) || is_integer(&parameter.ty) && !is_mutable
            {
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
    fn declare(&mut self, local: &Local) -> bool {
        let name = constant(local);
        let is_control = name.is_some()
            && local.init.as_ref().is_some_and(|init| {
                init.diverge.is_none() && self.are_control(&*init.expr) && !is_float(&init.expr)
            });
        let mut all = BTreeSet::new();
        identifiers(local.pat.to_token_stream(), &mut all);
        self.declared.extend(all.iter().cloned());
        if !is_control {
            self.opaque.extend(all);
        }
        is_control
    }

    fn are_control(&self, tokens: impl ToTokens) -> bool {
        let mut all = BTreeSet::new();
        identifiers(tokens.to_token_stream(), &mut all);
        all.is_disjoint(&self.opaque)
    }
}

/// Returns the name of a variable that does not change.
fn constant(local: &Local) -> Option<&Ident> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(name) if name.mutability.is_none() && name.subpat.is_none() => Some(&name.ident),
        _ => None,
    }
}

fn is_integer(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let integers = [
        "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize",
    ];
    integers.iter().any(|name| path.path.is_ident(name))
}

fn is_float(value: &Expr) -> bool {
    matches!(bare(value), Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_)))
}

fn mentions(tokens: impl ToTokens, name: &str) -> bool {
    let mut all = BTreeSet::new();
    identifiers(tokens.to_token_stream(), &mut all);
    all.contains(name)
}

fn same(one: &impl ToTokens, other: &impl ToTokens) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// Loop whose iterations scatter updates.
struct Scatter<'k> {
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
    fn of(each: &'k ExprForLoop, names: &Names) -> Option<Self> {
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
                    let array = updates.array.to_string();
                    let used = |statement: &&Stmt| mentions(statement, &array);
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

    /// Returns the loop that records the updates.
    fn recorded(&self, number: usize) -> Stmt {
        let (recorders, variable, range) = (recorders(), self.variable, &self.each.expr);
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

    /// Returns the loop that gathers them.
    fn gathered(&self, parameters: &[Ident; 4], number: usize) -> ExprForLoop {
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
            let name = constant(local).map(Ident::to_string).unwrap_or_default();
            let is_needed = needed.iter().any(|statement| mentions(statement, &name));
            if is_needed {
                needed.push(Stmt::Local((**local).clone()));
            }
            is_needed
        });
        let mut lets: Vec<&&Local> = lets.collect();
        lets.reverse();
        parse_quote! {
            for #g in 0..#iterations.len() {
                let #variable = #iterations[#g] as usize;
                #(#before)*
                let #own_place = #own;
                for #k in #starts[#g]..#starts[#g + 1] {
                    let #variable = #sources[#k as usize] as usize;
                    #(#lets)*
                    let #entry = #entries[#k as usize] as usize;
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
        let reads_inputs = reads(value, &names).is_subset(
            &names
                .inputs
                .iter()
                .cloned()
                .chain([array.to_string()])
                .collect(),
        );
        let is_scatter =
            names.written.contains(&array.to_string()) && names.are_control(target) && reads_inputs;
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
        let mut own_names = BTreeSet::new();
        identifiers(own.to_token_stream(), &mut own_names);
        let inner = self.lets.iter().filter_map(|local| constant(local));
        let inner = inner.chain([self.variable]);
        let is_outer = inner
            .into_iter()
            .all(|it| !own_names.contains(&it.to_string()));
        (is_one && is_outer).then_some(own)
    }

    /// Returns the update of the word at a place that is known.
    fn at_place(&self, place: &Ident) -> Stmt {
        let mut update = self.update.clone();
        syn::visit_mut::VisitMut::visit_stmt_mut(
            &mut Replace {
                array: self.array,
                target: self.target,
                place,
            },
            &mut update,
        );
        update
    }
}

/// Returns the loop's variable, if it has no marks of ours and no label.
fn variable(each: &ExprForLoop) -> Option<&Ident> {
    match &*each.pat {
        Pat::Ident(name)
            if name.mutability.is_none()
                && name.by_ref.is_none()
                && name.subpat.is_none()
                && each.attrs.is_empty()
                && each.label.is_none() =>
        {
            Some(&name.ident)
        }
        _ => None,
    }
}

/// Returns array, place and value of `array[place] op= value` or `array[place] = value`.
fn updated(statement: &Stmt) -> Option<(&Ident, &Expr, &Expr)> {
    let (left, value) = match statement {
        Stmt::Expr(Expr::Assign(assign), _) => (&assign.left, &assign.right),
        Stmt::Expr(Expr::Binary(binary), _) if is_compound(&binary.op) => {
            (&binary.left, &binary.right)
        }
        _ => return None,
    };
    let Expr::Index(index) = &**left else {
        return None;
    };
    let Expr::Path(path) = &*index.expr else {
        return None;
    };
    Some((path.path.get_ident()?, &index.index, value))
}

fn is_compound(operation: &BinOp) -> bool {
    matches!(
        operation,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns the data that an expression names.
fn reads(value: &Expr, names: &Names) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    identifiers(value.to_token_stream(), &mut all);
    all.intersection(&names.opaque).cloned().collect()
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
    }
    let mut leaves = Leaves(false);
    leaves.visit_block(body);
    leaves.0
}

/// Returns a loop whose inner loops use the iteration's own word in place of a copy of it: that of the
/// last statement before which uses the array, `let copy = x[i];` or `x[i] = copy;`.
fn without_copies(each: &ExprForLoop) -> ExprForLoop {
    let mut each = each.clone();
    let statements = &mut each.body.stmts;
    for at in 0..statements.len() {
        let (before, behind) = statements.split_at_mut(at);
        let Stmt::Expr(Expr::ForLoop(inner), _) = &mut behind[0] else {
            continue;
        };
        for position in (0..at).rev() {
            let Some((name, word, array)) = copied(&before[position]) else {
                continue;
            };
            let is_last = !before[position + 1..].iter().any(|it| mentions(it, &array));
            let mut bound = before[..position].iter().chain(&before[position + 1..]);
            let is_one = match &before[position] {
                Stmt::Local(_) => true,
                _ => bound
                    .any(|it| matches!(it, Stmt::Local(local) if constant(local) == Some(name))),
            };
            if is_last && is_one {
                let (name, word) = (name.clone(), word.clone());
                syn::visit_mut::VisitMut::visit_block_mut(
                    &mut Original { name, word },
                    &mut inner.body,
                );
                break;
            }
        }
    }
    each
}

/// Returns the copy of a word that a statement makes or stores: its name, the word, and its array.
fn copied(statement: &Stmt) -> Option<(&Ident, &Expr, String)> {
    let (name, word) = match statement {
        Stmt::Local(local) => (constant(local)?, &*local.init.as_ref()?.expr),
        Stmt::Expr(Expr::Assign(assign), _) => match &*assign.right {
            Expr::Path(path) => (path.path.get_ident()?, &*assign.left),
            _ => return None,
        },
        _ => return None,
    };
    match word {
        Expr::Index(index) => match &*index.expr {
            Expr::Path(path) => Some((name, word, path.path.get_ident()?.to_string())),
            _ => None,
        },
        _ => None,
    }
}

/// Puts a word for the name of its copy.
struct Original {
    name: Ident,
    word: Expr,
}

impl syn::visit_mut::VisitMut for Original {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Path(path) if path.path.is_ident(&self.name) => *expression = self.word.clone(),
            _ => syn::visit_mut::visit_expr_mut(self, expression),
        }
    }
}

/// Returns whether statements bind a name of an expression, but for these variables.
fn binds(statements: &[Stmt], expression: &Expr, but: &[&Local]) -> bool {
    struct Bound(BTreeSet<String>);
    impl<'e> Visit<'e> for Bound {
        fn visit_pat_ident(&mut self, name: &'e syn::PatIdent) {
            self.0.insert(name.ident.to_string());
        }
    }
    let mut bound = Bound(BTreeSet::new());
    let is_known = |local: &Local| but.iter().any(|it| std::ptr::eq(*it, local));
    for statement in statements {
        if !matches!(statement, Stmt::Local(local) if is_known(local)) {
            bound.visit_stmt(statement);
        }
    }
    bound.0.iter().any(|name| mentions(expression, name))
}

/// Uses of an array: the places of its words, and how often it is used otherwise.
struct Places<'k, 'a> {
    array: &'a Ident,
    found: Vec<&'k Expr>,
    others: usize,
}

impl<'k> Visit<'k> for Places<'k, '_> {
    fn visit_expr_index(&mut self, index: &'k syn::ExprIndex) {
        match &*index.expr {
            Expr::Path(path) if path.path.is_ident(self.array) => {
                self.found.push(&index.index);
                self.visit_expr(&index.index);
            }
            _ => visit::visit_expr_index(self, index),
        }
    }

    fn visit_ident(&mut self, name: &'k Ident) {
        self.others += usize::from(name == self.array);
    }

    fn visit_macro(&mut self, call: &'k syn::Macro) {
        self.others += usize::from(mentions(&call.tokens, &self.array.to_string()));
    }
}

/// Puts a place that is known for the target of an update.
struct Replace<'k> {
    array: &'k Ident,
    target: &'k Expr,
    place: &'k Ident,
}

impl syn::visit_mut::VisitMut for Replace<'_> {
    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        let is_array = matches!(&*index.expr, Expr::Path(path) if path.path.is_ident(self.array));
        if is_array && same(&index.index, self.target) {
            let place = self.place;
            *index.index = parse_quote!(#place);
        } else {
            syn::visit_mut::visit_expr_index_mut(self, index);
        }
    }
}

#[cfg(test)]
mod tests;
