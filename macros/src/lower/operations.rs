//! Operations of a statement, counted in its syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, UnOp};

use super::{Body, Statement, operand_number};
use crate::kernel::{Id, guards, marked_id, names_in};
use crate::places::bare;

/// Operations of an expression: as `tracer::Operations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operations {
    pub additions: u32,
    pub multiplications: u32,
    pub extremes: u32,
    pub bits: u32,
    pub divisions: u32,
    pub roots: u32,
    pub casts: u32,
    pub calls: Vec<String>,
    pub choices: Vec<Choice>,
    pub cost: Option<u32>,
}

/// A choice of a value: as `tracer::Choice`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub operands: BTreeSet<u16>,
    pub condition: Operations,
    pub ways: Vec<Operations>,
}

/// How a statement gives a word its value: as `tracer::Form`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Move,
    Value,
    Compound,
}

impl Statement {
    /// Counts the operations.
    pub(crate) fn operations(&self) -> Operations {
        let mut count = Count::default();
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

/// Counts the operations of the expressions that it visits.
#[derive(Default)]
struct Count {
    found: Operations,
    /// Operands that they read.
    read: BTreeSet<u16>,
    /// Operands from which the names that they bind have their values.
    names: BTreeMap<Id, BTreeSet<u16>>,
}

impl Count {
    /// Counts an operator and not its operands, of which `right` is one.
    fn operator(&mut self, op: &BinOp, right: &Expr) {
        match op {
            // Of a divisor that the compiler knows, a multiplication and a shift at most.
            BinOp::Rem(_) | BinOp::RemAssign(_) if matches!(bare(right), Expr::Lit(_)) => {
                self.found.multiplications += 1;
            }
            BinOp::Add(_) | BinOp::AddAssign(_) | BinOp::Sub(_) | BinOp::SubAssign(_) => {
                self.found.additions += 1;
            }
            BinOp::Mul(_) | BinOp::MulAssign(_) => self.found.multiplications += 1,
            BinOp::Div(_) | BinOp::DivAssign(_) | BinOp::Rem(_) | BinOp::RemAssign(_) => {
                self.found.divisions += 1;
            }
            BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => self.found.bits += 1,
            // Comparisons.
            _ => {}
        }
    }

    /// Counts a call of a function or method of that name, with so many values.
    fn call(&mut self, name: &str, whole: impl FnOnce() -> String, values: usize) {
        match (name, values) {
            ("min" | "max", 2) => self.found.extremes += 1,
            ("sqrt" | "isqrt", 1) => self.found.roots += 1,
            // The constructor of a tuple.
            _ if name.starts_with(char::is_uppercase) => {}
            _ => self.found.calls.push(whole()),
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

impl<'e> Visit<'e> for Count {
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
        self.found.casts += 1;
        self.visit_expr(&cast.expr);
    }

    fn visit_expr_index(&mut self, index: &'e syn::ExprIndex) {
        self.visit_expr(&index.expr);
        self.apart(|count| count.visit_expr(&index.index));
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        let name = call.method.to_string();
        self.call(&name, || name.clone(), 1 + call.args.len());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        if let Expr::Path(path) = bare(&call.func)
            && let Some(last) = path.path.segments.last()
        {
            let whole = || crate::text::of(&path.path);
            self.call(&last.ident.to_string(), whole, call.args.len());
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
        self.found.choices.push(Choice {
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
        self.found.choices.push(Choice {
            operands,
            condition,
            ways,
        });
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
