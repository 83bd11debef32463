//! Counting of a statement's operations in its syntax tree, for predictions.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, UnOp};

use super::functions::Functions;
use super::lowered::{Body, Form, Statement};
use super::names::operand_number;
use super::operations::{Choice, Operations};
use crate::kernel::{Id, guards, marked_id, names_in};
use crate::places::{bare, operator};

/// Steps of a loop that may end before its last one, at most: as many as compilers expect. They
/// take each step to go on with a probability of 0.89 (`PRED_LOOP_EXIT` of GCC).
///
/// So the places of planets, by Newton's iterations of up to 50 steps, are predicted at 1.1 to 1.5
/// of the clock. Without this bound it is 6 to 8. No other function of the collection ends early.
const EARLY: u32 = 9;

impl Statement {
    /// Counts the operations, and those of the functions that are called, as far as they are known.
    pub(crate) fn operations(&self, functions: &Functions) -> Operations {
        let mut count = Count::new(functions, &[]);
        match &self.body {
            Body::Value(value) => count.visit_expr(value),
            Body::Update { place, op, value } => {
                count.visit_expr(place);
                op.iter().for_each(|op| count.operator(op, value));
                count.visit_expr(value);
            }
        }
        Operations {
            cost: self.source.cost,
            ..count.found
        }
    }

    /// Returns the form of the assignment.
    pub(crate) fn form(&self) -> Form {
        match &self.body {
            Body::Value(value) if is_word(value) && self.operands.len() == 1 => Form::Move,
            Body::Update { op: Some(_), .. } => Form::Compound,
            _ => Form::Value,
        }
    }
}

/// Tells a value that is an operand or a part of one.
fn is_word(value: &Expr) -> bool {
    match bare(value) {
        Expr::Field(field) => is_word(&field.base),
        Expr::Index(index) => is_word(&index.expr),
        Expr::Path(path) => path.path.get_ident().and_then(operand_number).is_some(),
        _ => false,
    }
}

/// Methods of iterators that call their closure once for each value, and take no time beside.
const ITERATORS: [&str; 8] = [
    "rev",
    "map",
    "fold",
    "sum",
    "product",
    "for_each",
    "filter",
    "enumerate",
];

/// Tells whether a step of a loop may be the last, for a reason of its own.
fn leaves(body: &syn::Block) -> bool {
    /// Jumps, and the number of loops around them in the body.
    struct Leaves(bool, usize);
    impl<'e> Visit<'e> for Leaves {
        fn visit_expr_break(&mut self, jump: &'e syn::ExprBreak) {
            self.0 |= self.1 == 0 || jump.label.is_some();
        }

        fn visit_expr_return(&mut self, _: &'e syn::ExprReturn) {
            self.0 = true;
        }

        fn visit_expr_try(&mut self, _: &'e syn::ExprTry) {
            self.0 = true;
        }

        fn visit_expr(&mut self, expression: &'e Expr) {
            let is_loop = matches!(
                expression,
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)
            );
            self.1 += usize::from(is_loop);
            visit::visit_expr(self, expression);
            self.1 -= usize::from(is_loop);
        }

        fn visit_expr_closure(&mut self, _: &'e syn::ExprClosure) {}
    }
    let mut leaves = Leaves(false, 0);
    leaves.visit_block(body);
    leaves.0
}

/// Tells a type or a variant by its name.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Tells a constant by its name. The compiler casts it.
fn is_constant(value: &Expr) -> bool {
    match bare(value) {
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| is_type(&last.ident.to_string())),
        _ => false,
    }
}

/// Counts the operations of the expressions that it visits.
struct Count<'f> {
    functions: &'f Functions,
    /// The functions whose bodies are being counted, one calling the other.
    callers: &'f [&'f str],
    /// Set if a loop may run any number of times, or a function is called too often to tell.
    is_unknown: bool,
    found: Operations,
    /// Operands that they read.
    read: BTreeSet<u16>,
    /// Operands from which the names that they bind have their values.
    names: BTreeMap<Id, BTreeSet<u16>>,
}

impl<'f> Count<'f> {
    fn new(functions: &'f Functions, callers: &'f [&'f str]) -> Self {
        Self {
            functions,
            callers,
            is_unknown: false,
            found: Operations::default(),
            read: BTreeSet::new(),
            names: BTreeMap::new(),
        }
    }

    /// Counts the operations of a function of the kernel's file, if they are always about as many.
    fn inside(&self, name: &str, is_method: bool) -> Option<Operations> {
        if self.callers.contains(&name) {
            return None;
        }
        let body = self.functions.body(name, is_method)?;
        self.functions.counted(name, is_method, || {
            let callers = [self.callers, &[name]].concat();
            let mut count = Count::new(self.functions, &callers);
            count.visit_block(body);
            (!count.is_unknown).then_some(count.found)
        })
    }

    /// Counts an operator and not its operands, of which `right` is one.
    fn operator(&mut self, op: &BinOp, right: &Expr) {
        match operator(op).as_str() {
            // Of a divisor that the compiler knows, a multiplication and a shift at most.
            "%" if matches!(bare(right), Expr::Lit(_)) => self.found.multiplications += 1,
            "+" | "-" => self.found.additions += 1,
            "*" => self.found.multiplications += 1,
            "/" | "%" => self.found.divisions += 1,
            "&" | "|" | "^" | "<<" | ">>" => self.found.bits += 1,
            // Comparisons.
            _ => {}
        }
    }

    /// Counts a call of a function or method of that name, with so many values.
    fn call(&mut self, name: &str, is_method: bool, whole: impl FnOnce() -> String, values: usize) {
        match (name, values) {
            ("min" | "max", 2) => self.found.extremes += 1,
            ("sqrt" | "isqrt", 1) => self.found.roots += 1,
            // The constructor of a tuple.
            _ if is_type(name) => {}
            _ => {
                let inside = self.inside(name, is_method);
                if !inside.is_some_and(|operations| self.found.add(operations, 1)) {
                    self.found.calls.push(whole());
                }
            }
        }
    }

    /// Returns the operations of what is visited, apart from all others, and the operands that it
    /// reads.
    fn apart(&mut self, visit: impl FnOnce(&mut Self)) -> (Operations, BTreeSet<u16>) {
        let outside = std::mem::take(&mut self.found);
        let before = std::mem::take(&mut self.read);
        visit(self);
        let read = self.read.clone();
        self.read.extend(before);
        (std::mem::replace(&mut self.found, outside), read)
    }

    /// Returns the operations of a way of a choice.
    fn way(&mut self, visit: impl FnOnce(&mut Self)) -> Operations {
        self.apart(visit).0
    }

    /// Counts a choice. In a function, where nobody asks for what decides it, that is its
    /// condition, the longest way, and a move.
    fn choose(&mut self, choice: Choice) {
        if self.callers.is_empty() {
            self.found.choices.push(choice);
            return;
        }
        self.found.extremes += 1;
        self.add(choice.condition, 1);
        let longest = choice.ways.into_iter().max_by_key(Operations::size);
        self.add(longest.unwrap_or_default(), 1);
    }

    /// Counts a loop of a function.
    fn repeat(&mut self, times: Option<u32>, body: &syn::Block) {
        let (found, _) = self.apart(|count| count.visit_block(body));
        self.add(found, times.unwrap_or(1));
        self.is_unknown |= times.is_none();
    }

    /// Returns how many values an iterator gives that begins with a range of known length:
    /// `(0..8).map(..).sum()`.
    fn iterations(&self, call: &syn::ExprMethodCall) -> Option<u32> {
        if !ITERATORS.iter().any(|name| call.method == name) {
            return None;
        }
        let length = self.functions.length(&call.receiver);
        length.or_else(|| match bare(&call.receiver) {
            Expr::MethodCall(before) => self.iterations(before),
            _ => None,
        })
    }

    /// Counts what the closures of an iterator do with so many values.
    fn iterate(&mut self, call: &syn::ExprMethodCall, times: u32) {
        if let Expr::MethodCall(before) = bare(&call.receiver) {
            self.visit_expr_method_call(before);
        }
        for argument in &call.args {
            let Expr::Closure(closure) = argument else {
                self.visit_expr(argument);
                continue;
            };
            let (found, _) = self.apart(|count| count.visit_expr(&closure.body));
            self.add(found, times);
        }
    }

    fn add(&mut self, operations: Operations, times: u32) {
        let is_counted = self.found.add(operations, times);
        self.is_unknown |= !is_counted;
    }

    /// Notes that a pattern's names have their values from those operands.
    fn bind(&mut self, pattern: &Pat, operands: &BTreeSet<u16>) {
        let names = names_in(pattern).map(|id| (id, operands.clone()));
        self.names.extend(names);
    }

    /// Counts a value, and binds the names of a pattern to it.
    fn bound(&mut self, pattern: &Pat, value: &Expr) {
        let before = std::mem::take(&mut self.read);
        self.visit_expr(value);
        let read = self.read.clone();
        self.bind(pattern, &read);
        self.read.extend(before);
    }
}

impl<'e> Visit<'e> for Count<'_> {
    fn visit_expr_binary(&mut self, binary: &'e syn::ExprBinary) {
        self.operator(&binary.op, &binary.right);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'e syn::ExprUnary) {
        let is_number = matches!(
            bare(&unary.expr),
            Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_))
        );
        if matches!(unary.op, UnOp::Neg(_)) && !is_number {
            self.found.additions += 1;
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_cast(&mut self, cast: &'e syn::ExprCast) {
        self.found.casts += u32::from(!is_constant(&cast.expr));
        self.visit_expr(&cast.expr);
    }

    fn visit_expr_index(&mut self, index: &'e syn::ExprIndex) {
        self.visit_expr(&index.expr);
        self.apart(|count| count.visit_expr(&index.index));
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        if let Some(times) = self.iterations(call) {
            self.iterate(call, times);
            return;
        }
        let name = call.method.to_string();
        // How many values these give is known to nobody.
        self.is_unknown |= name == "iter" || name == "into_iter";
        self.call(&name, true, || name.clone(), 1 + call.args.len());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        if let Expr::Path(path) = bare(&call.func)
            && let Some(last) = path.path.segments.last()
        {
            // Functions of the file are parsed without places, by which text is spaced.
            let is_written = self.callers.is_empty();
            let whole = || match is_written {
                true => crate::text::of(&path.path),
                false => last.ident.to_string(),
            };
            let mut segments = path.path.segments.iter().rev().skip(1);
            let is_method = segments
                .next()
                .is_some_and(|owner| is_type(&owner.ident.to_string()));
            let name = last.ident.to_string();
            self.call(&name, is_method, whole, call.args.len());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_macro(&mut self, call: &'e syn::ExprMacro) {
        let name = crate::text::of(&call.mac.path);
        self.found.calls.push(format!("{name}!"));
    }

    fn visit_expr_if(&mut self, branch: &'e syn::ExprIf) {
        let (condition, operands) = self.apart(|count| count.visit_expr(&branch.cond));
        let then = self.way(|count| count.visit_block(&branch.then_branch));
        let otherwise = branch.else_branch.iter();
        let otherwise = self.way(|count| otherwise.for_each(|(_, value)| count.visit_expr(value)));
        self.choose(Choice {
            operands,
            condition,
            ways: vec![then, otherwise],
        });
    }

    fn visit_expr_match(&mut self, choice: &'e syn::ExprMatch) {
        if let [only] = &choice.arms[..] {
            self.bound(&only.pat, &choice.expr);
            self.visit_expr(&only.body);
            return;
        }
        let (condition, operands) = self.apart(|count| {
            count.visit_expr(&choice.expr);
            let scrutinee = count.read.clone();
            for arm in &choice.arms {
                count.bind(&arm.pat, &scrutinee);
                let guards = guards(&arm.pat).into_iter();
                guards.for_each(|guard| count.visit_expr(guard));
            }
        });
        let arms = choice.arms.iter();
        let ways = arms.map(|arm| self.way(|count| count.visit_expr(&arm.body)));
        let ways = ways.collect();
        self.choose(Choice {
            operands,
            condition,
            ways,
        });
    }

    fn visit_expr_for_loop(&mut self, each: &'e syn::ExprForLoop) {
        let most = if leaves(&each.body) { EARLY } else { u32::MAX };
        let length = self.functions.length(&each.expr);
        self.repeat(length.map(|length| length.min(most)), &each.body);
    }

    fn visit_expr_while(&mut self, each: &'e syn::ExprWhile) {
        self.visit_expr(&each.cond);
        self.repeat(None, &each.body);
    }

    fn visit_expr_loop(&mut self, each: &'e syn::ExprLoop) {
        self.repeat(None, &each.body);
    }

    /// Counts a closure as unknown: whoever takes it may call it any number of times.
    fn visit_expr_closure(&mut self, closure: &'e syn::ExprClosure) {
        self.is_unknown = true;
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_let(&mut self, value: &'e syn::ExprLet) {
        self.bound(&value.pat, &value.expr);
    }

    fn visit_local(&mut self, local: &'e syn::Local) {
        if let Some(init) = &local.init {
            self.bound(&local.pat, &init.expr);
        }
    }

    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        let Some(name) = path.path.get_ident() else {
            return;
        };
        self.read.extend(operand_number(name));
        if let Some(operands) = marked_id(name).and_then(|id| self.names.get(&id)) {
            self.read.extend(operands);
        }
    }

    // Types and patterns compute nothing.
    fn visit_type(&mut self, _: &'e syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'e syn::GenericArgument) {}

    fn visit_pat(&mut self, _: &'e Pat) {}
}
