//! Inference of types: one pass over a kernel that unifies what the text says is of one type.

use syn::{BinOp, Block, Expr, ExprCall, ExprMethodCall, Lit, Pat, Stmt, Type, UnOp};

use super::numbers::{constant, method};
use super::primitive::{is_integer, named, primitive};
use super::variables::{Node, State, Types};
use crate::kernel::{Id, Kernel, Step, marked_id};
use crate::places::{self, Place, place};

/// Inference over one kernel: reads its steps, and unifies the type variables of its names.
pub(super) struct Inference<'k> {
    pub kernel: &'k Kernel,
    pub types: Types,
}

impl Inference<'_> {
    /// Unifies what one step says is of one type; steps inside it come by themselves.
    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Let {
                id,
                init: Some(init),
                ..
            } => self.flow(*id, init),
            Step::Part { .. } => step
                .expressions()
                .into_iter()
                .for_each(|bound| self.index(bound)),
            Step::Assign {
                place, op, value, ..
            } => {
                let target = self.expression(place);
                let value = self.expression(value);
                match op {
                    None => self.unify(target, value),
                    Some(BinOp::ShlAssign(_) | BinOp::ShrAssign(_)) => {}
                    Some(_) => {
                        self.arithmetic(target, value);
                    }
                }
            }
            Step::For {
                variable, range, ..
            } => {
                let element = self.range(range);
                if let Some(variable) = variable {
                    self.unify(*variable, element);
                }
            }
            Step::Guard { .. } | Step::While { .. } | Step::If { .. } | Step::Assert { .. } => {
                for expression in step.expressions() {
                    self.expression(expression);
                }
            }
            Step::Match { scrutinee, arms } => {
                let value = self.expression(scrutinee);
                for (pattern, _) in arms {
                    self.pattern(pattern, value);
                }
            }
            _ => {}
        }
    }

    /// Gives a name the type of the value that an array literal or an expression gives it.
    fn flow(&mut self, id: Id, init: &Expr) {
        match places::bare(init) {
            Expr::Repeat(repeat) if self.kernel.bindings[id].is_array() => {
                self.flow(id, &repeat.expr);
            }
            Expr::Array(array) if self.kernel.bindings[id].is_array() => {
                array.elems.iter().for_each(|value| self.flow(id, value));
            }
            _ => {
                let value = self.expression(init);
                self.unify(id, value);
            }
        }
    }

    fn fresh(&mut self, state: State) -> usize {
        self.types.nodes.push(Node::new(state));
        self.types.nodes.len() - 1
    }

    fn known(&mut self, name: &str) -> usize {
        self.fresh(State::Known(named(name)))
    }

    fn opaque(&mut self) -> usize {
        self.fresh(State::Opaque)
    }

    /// Makes the two have one type, where they can. A literal that cannot is marked as escaped:
    /// something else decides its type.
    fn unify(&mut self, left: usize, right: usize) {
        use State::{Float, Free, Integer, Known, Opaque};
        let (left, right) = (self.types.root(left), self.types.root(right));
        if left == right {
            return;
        }
        let nodes = &mut self.types.nodes;
        let can_be = |literal: &State, ty: &Type| {
            primitive(ty).is_some_and(|name| match literal {
                Integer => is_integer(&name),
                _ => name.starts_with('f'),
            })
        };
        let (from, to) = match (&nodes[left].state, &nodes[right].state) {
            (literal @ (Integer | Float), Known(ty)) if can_be(literal, ty) => (left, right),
            (Known(ty), literal @ (Integer | Float)) if can_be(literal, ty) => (right, left),
            (Integer | Float, Known(_) | Opaque) => {
                nodes[left].escaped = true;
                return;
            }
            (Known(_) | Opaque, Integer | Float) => {
                nodes[right].escaped = true;
                return;
            }
            (Opaque, _) | (_, Opaque) => return,
            (Free, _) | (Integer, Integer) | (Float, Float) => (left, right),
            (_, Free) => (right, left),
            _ => return,
        };
        nodes[to].escaped |= nodes[from].escaped;
        nodes[from].state = State::Link(to);
    }

    /// Returns the type of `left op right` for the operators whose result is of the operands' type.
    fn arithmetic(&mut self, left: usize, right: usize) -> usize {
        use State::{Free, Known};
        let (l, r) = (self.types.root(left), self.types.root(right));
        match (&self.types.nodes[l].state, &self.types.nodes[r].state) {
            (Free, _) | (_, Free) => return self.opaque(),
            (Known(a), Known(b)) => {
                return if a == b { l } else { self.opaque() };
            }
            _ => {}
        }
        self.unify(l, r);
        if self.types.root(l) == self.types.root(r) {
            l
        } else {
            self.opaque()
        }
    }

    /// Makes the two operands of a comparison have one type, unless one of them is still open.
    fn compare(&mut self, left: usize, right: usize) {
        let free =
            |node: usize| matches!(self.types.nodes[self.types.root(node)].state, State::Free);
        if !free(left) && !free(right) {
            self.unify(left, right);
        }
    }

    /// Notes that something unknown is done with the value, which may decide its type.
    fn escape(&mut self, node: usize) {
        let root = self.types.root(node);
        self.types.nodes[root].escaped = true;
    }

    /// Returns the type of a loop's variable.
    fn range(&mut self, range: &Expr) -> usize {
        match places::bare(range) {
            Expr::Range(range) => {
                let mut node = self.opaque();
                let ends = [&range.start, &range.end].into_iter().flatten();
                let ends: Vec<usize> = ends.map(|end| self.expression(end)).collect();
                if let [start, end] = ends[..] {
                    self.unify(start, end);
                    node = start;
                }
                node
            }
            Expr::MethodCall(call) => {
                let node = self.range(&call.receiver);
                for argument in &call.args {
                    let step = self.expression(argument);
                    let size = self.known("usize");
                    self.unify(step, size);
                }
                node
            }
            _ => self.opaque(),
        }
    }

    fn index(&mut self, index: &Expr) {
        let node = self.expression(index);
        let size = self.known("usize");
        self.unify(node, size);
    }

    /// Returns the type variable of an expression, and unifies what its parts say.
    pub(super) fn expression(&mut self, expression: &Expr) -> usize {
        let expression = places::bare(expression);
        match place(expression, &self.kernel.bindings) {
            Some(Place::Scalar(id) | Place::Reference(id)) => return id,
            Some(Place::Element(id, indices)) => {
                indices.iter().for_each(|index| self.index(index));
                return id;
            }
            Some(Place::Length { empty, .. }) => {
                return self.known(if empty { "bool" } else { "usize" });
            }
            Some(Place::Whole(_)) => return self.opaque(),
            None => {}
        }
        match expression {
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Unary(unary) => {
                let node = self.expression(&unary.expr);
                match unary.op {
                    UnOp::Neg(_) | UnOp::Not(_) => node,
                    _ => self.opaque(),
                }
            }
            Expr::Binary(binary) => self.binary(&binary.left, &binary.op, &binary.right),
            Expr::Cast(cast) => {
                self.expression(&cast.expr);
                match &*cast.ty {
                    Type::Infer(_) => self.opaque(),
                    ty => self.fresh(State::Known(ty.clone())),
                }
            }
            Expr::If(branch) => {
                self.expression(&branch.cond);
                let then = self.block(&branch.then_branch);
                if let Some((_, otherwise)) = &branch.else_branch {
                    let otherwise = self.expression(otherwise);
                    self.unify(then, otherwise);
                }
                then
            }
            Expr::Match(choice) => {
                let scrutinee = self.expression(&choice.expr);
                let value = self.fresh(State::Free);
                for arm in &choice.arms {
                    self.pattern(&arm.pat, scrutinee);
                    let body = self.expression(&arm.body);
                    self.unify(value, body);
                }
                value
            }
            Expr::Block(block) => self.block(&block.block),
            Expr::Index(index) => {
                self.expression(&index.expr);
                self.index(&index.index);
                self.opaque()
            }
            Expr::Path(path) => match constant(&path.path) {
                Some(name) => self.known(&name),
                None => self.opaque(),
            },
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) => self.call(call),
            Expr::Field(field) => {
                self.expression(&field.base);
                self.opaque()
            }
            other => {
                let mut touched = Vec::new();
                places::each_deep(other, &self.kernel.bindings, &mut |_, place| {
                    if let Place::Scalar(id) | Place::Element(id, _) | Place::Reference(id) = place
                    {
                        touched.push(id);
                    }
                });
                touched.into_iter().for_each(|id| self.escape(id));
                self.opaque()
            }
        }
    }

    fn literal(&mut self, literal: &Lit) -> usize {
        let (suffix, state) = match literal {
            Lit::Int(number) => (number.suffix(), State::Integer),
            Lit::Float(number) => (number.suffix(), State::Float),
            Lit::Bool(_) => ("bool", State::Opaque),
            Lit::Char(_) => ("char", State::Opaque),
            Lit::Byte(_) => ("u8", State::Opaque),
            _ => ("", State::Opaque),
        };
        if suffix.is_empty() {
            self.fresh(state)
        } else {
            self.known(suffix)
        }
    }

    fn binary(&mut self, left: &Expr, op: &BinOp, right: &Expr) -> usize {
        let left = self.expression(left);
        let right = self.expression(right);
        match op {
            BinOp::And(_) | BinOp::Or(_) => self.known("bool"),
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => {
                self.compare(left, right);
                self.known("bool")
            }
            BinOp::Shl(_) | BinOp::Shr(_) => left,
            _ => self.arithmetic(left, right),
        }
    }

    fn block(&mut self, block: &Block) -> usize {
        let mut value = None;
        for statement in &block.stmts {
            value = None;
            match statement {
                Stmt::Local(local) => {
                    let node = match &local.init {
                        Some(init) => self.expression(&init.expr),
                        None => self.opaque(),
                    };
                    self.pattern(&local.pat, node);
                }
                Stmt::Expr(expression, semicolon) => {
                    let node = self.expression(expression);
                    if semicolon.is_none() {
                        value = Some(node);
                    }
                }
                _ => {}
            }
        }
        value.unwrap_or_else(|| self.opaque())
    }

    /// Gives the value's type to a pattern that is one name.
    fn pattern(&mut self, pattern: &Pat, value: usize) {
        match pattern {
            Pat::Ident(name) => {
                if let Some(id) = marked_id(&name.ident) {
                    self.unify(id, value);
                }
            }
            Pat::Type(typed) => match &*typed.ty {
                Type::Infer(_) => self.pattern(&typed.pat, value),
                ty => {
                    let ty = self.fresh(State::Known(ty.clone()));
                    self.unify(value, ty);
                    self.pattern(&typed.pat, ty);
                }
            },
            Pat::Guard(guarded) => {
                self.pattern(&guarded.pat, value);
                self.expression(&guarded.guard);
            }
            Pat::Paren(inner) => self.pattern(&inner.pat, value),
            _ => {}
        }
    }

    fn method_call(&mut self, call: &ExprMethodCall) -> usize {
        let receiver = self.expression(&call.receiver);
        let arguments: Vec<usize> = call.args.iter().map(|arg| self.expression(arg)).collect();
        self.method(&call.method.to_string(), receiver, &arguments)
    }

    fn call(&mut self, call: &ExprCall) -> usize {
        let arguments: Vec<usize> = call.args.iter().map(|arg| self.expression(arg)).collect();
        let Expr::Path(path) = &*call.func else {
            arguments.into_iter().for_each(|node| self.escape(node));
            return self.opaque();
        };
        let segments: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match segments[..] {
            [ty, function] if primitive(&named_or_unit(ty)).is_some() => {
                let ty = self.known(ty);
                match function {
                    "from" => return ty,
                    "try_from" => return self.opaque(),
                    // `from_bits`
                    _ if function.starts_with("from") => {
                        arguments.into_iter().for_each(|node| self.escape(node));
                        return ty;
                    }
                    _ => {}
                }
                match arguments.split_first() {
                    Some((&receiver, rest)) => {
                        self.unify(receiver, ty);
                        self.method(function, ty, rest)
                    }
                    None => self.opaque(),
                }
            }
            ["min" | "max"] | [.., "cmp", "min" | "max"] if arguments.len() == 2 => {
                self.arithmetic(arguments[0], arguments[1])
            }
            _ => {
                arguments.into_iter().for_each(|node| self.escape(node));
                self.opaque()
            }
        }
    }

    /// Returns the type of a call of a number's method.
    fn method(&mut self, name: &str, receiver: usize, arguments: &[usize]) -> usize {
        let root = self.types.root(receiver);
        let number = match &self.types.nodes[root].state {
            State::Known(ty) => primitive(ty).is_some(),
            State::Integer | State::Float => true,
            _ => false,
        };
        if name == "clone" {
            return receiver;
        }
        let known = match method(name) {
            Some(known) if number => known,
            _ => {
                self.escape(receiver);
                arguments.iter().for_each(|&node| self.escape(node));
                return self.opaque();
            }
        };
        let expected = match known.argument {
            Some(name) => self.known(name),
            None => receiver,
        };
        for &argument in arguments {
            self.unify(expected, argument);
        }
        match known.result {
            Some(name) => self.known(name),
            None => receiver,
        }
    }
}

fn named_or_unit(name: &str) -> Type {
    syn::parse_str(name).unwrap_or_else(|_| syn::parse_quote!(()))
}
