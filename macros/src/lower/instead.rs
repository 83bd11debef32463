//! Refusals of arrays where a task needs words: what to write instead.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprMethodCall, Ident, Pat, Type, UnOp};

use super::lowering::{Lower, Target};
use crate::classify::Class;
use crate::instead;
use crate::kernel::{Binder, Id, Passing, Source, Step};
use crate::places::{self, Place, bare};
use crate::text;
use crate::types::{Types, is_method_of_numbers, primitive};

impl Lower<'_> {
    /// Refuses the value of a `let` that is no word.
    pub(super) fn refuse_init(&mut self, id: Id, init: &Expr) -> bool {
        let name = &self.kernel.bindings[id].name;
        let owner = self.types.of(id).is_some_and(|ty| instead::is_owner(&ty));
        let message = if owner || instead::allocates(init) {
            instead::of_allocation(&name.to_string())
        } else if let Expr::Closure(closure) = bare(init) {
            format!(
                "a kernel's local holds a value, and `{name}` is a closure: write a function before the kernel, `{}`",
                self.function(name, closure)
            )
        } else if let Some(array) = self.all_of(init) {
            let binding = &self.kernel.bindings[array];
            let lend = match binding.binder {
                Binder::Parameter(Passing::Mutable) => "&mut ",
                _ => "&",
            };
            let array = &binding.name;
            format!(
                "`{array}` is an array, and a kernel's `let` copies one word: use `{array}` itself, borrow it, `let {name} = {lend}{array}[..];`, \
                 or copy its words in a loop"
            )
        } else {
            return false;
        };
        self.errors.refuse(init, message);
        true
    }

    /// Returns a closure as a function, which takes what the closure captures as well.
    fn function(&self, name: &Ident, closure: &ExprClosure) -> String {
        let bindings = &self.kernel.bindings;
        let mut inputs: Vec<String> = Vec::new();
        for input in &closure.inputs {
            let (pattern, ty) = match input {
                Pat::Type(typed) => (&*typed.pat, text::of(&typed.ty)),
                other => (other, "f64".into()),
            };
            let pattern = text::of(&bindings.original_pattern(pattern.clone()));
            inputs.push(format!("{pattern}: {ty}"));
        }
        let mut captured = Vec::new();
        places::each_deep(&closure.body, bindings, &mut |_, place| {
            if let Place::Scalar(id) = place
                && bindings[id].binder != Binder::Inner
                && !captured.contains(&id)
            {
                captured.push(id);
            }
        });
        inputs.extend(captured.into_iter().map(|id| {
            let ty = self.types.of(id).map_or("f64".into(), |ty| text::of(&ty));
            format!("{}: {ty}", bindings[id].name)
        }));
        let body = bindings.text(&closure.body);
        format!("fn {name}({}) -> f64 {{ {body} }}", inputs.join(", "))
    }

    /// Returns the array of data that an expression is all of.
    fn all_of(&self, expression: &Expr) -> Option<Id> {
        match bare(expression) {
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let whole = ["as_mut", "as_ref", "as_slice", "as_mut_slice"].contains(&&*name);
                whole.then(|| self.all_of(&call.receiver))?
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.all_of(&unary.expr),
            other => places::name(other).filter(|&id| self.is_array_of_data(id)),
        }
    }

    fn is_array_of_data(&self, id: Id) -> bool {
        self.kernel.bindings[id].is_array() && self.classes[id] == Class::Data
    }

    /// Refuses a value with a chain of methods over all of an array.
    pub(super) fn refuse_chain(&mut self, target: &Target, value: &Expr, source: &Source) -> bool {
        let Some(chain) = self.chain(value) else {
            return false;
        };
        let Expr::MethodCall(written) = self
            .kernel
            .bindings
            .original(Expr::MethodCall(chain.clone()))
        else {
            return false;
        };
        let whole = matches!(bare(value), Expr::MethodCall(call) if std::ptr::eq(call, chain));
        let bindings = &self.kernel.bindings;
        let mut reads = false;
        places::each(value, bindings, &mut |_, place| {
            reads |= matches!(place, Place::Whole(id) | Place::Scalar(id) | Place::Element(id, _) if id == target.id);
        });
        let place =
            (whole && target.part.is_none() && !reads).then(|| self.place_text(target, source));
        let Some(instead) = self.instead_of(&written, target, place.as_deref()) else {
            return false;
        };
        let chain = chain.clone();
        self.errors.refuse(
            chain,
            format!("a task reads and writes single words: {instead}"),
        );
        true
    }

    fn instead_of(
        &self,
        chain: &ExprMethodCall,
        target: &Target,
        place: Option<&str>,
    ) -> Option<String> {
        let ty = self.types.of(target.id).and_then(|ty| primitive(&ty));
        let numbers = match ty.as_deref() {
            Some(name) if !name.starts_with('f') => ["0", "1"],
            _ => ["0.0", "1.0"],
        };
        let names = &self.kernel.bindings.0;
        let is_taken = |name: &str| names.iter().any(|binding| binding.name == name);
        if let Some(written) = instead::of_chain(chain, place, numbers, &is_taken) {
            return Some(format!(
                "write the loop, {written}; `#[reduce]` before it allows another order, and so a tree"
            ));
        }
        let array = text::of(&chain.receiver);
        match chain.method.to_string().as_str() {
            "get" | "get_mut" => {
                let index = text::of(chain.args.first()?);
                Some(format!(
                    "write `{array}[{index}]`, under a condition on control where that may be outside"
                ))
            }
            "first" | "first_mut" => Some(format!("write `{array}[0]`")),
            "last" | "last_mut" => Some(format!("write `{array}[{array}.len() - 1]`")),
            _ => Some(format!(
                "write what `{}` does as a loop over the indices of the array, with an accumulator",
                chain.method
            )),
        }
    }

    /// Returns the place that a chain is assigned to; with `let` where it is a new name.
    fn place_text(&self, target: &Target, source: &Source) -> String {
        let bindings = &self.kernel.bindings;
        let mut place = bindings[target.id].name.to_string();
        if target.indices.is_empty() && source.text.starts_with("let ") {
            return format!("let {place}");
        }
        if bindings[target.id].is_reference() {
            return format!("*{place}");
        }
        for index in &target.indices {
            place += &format!("[{}]", bindings.text(index));
        }
        place
    }

    /// Returns the outermost call of a method whose receiver comes from all of an array. Calls that
    /// [go on](goes_on) with what the array has become are not meant.
    fn chain<'e>(&self, value: &'e Expr) -> Option<&'e ExprMethodCall> {
        struct Chains<'l, 'e> {
            lower: &'l Lower<'l>,
            found: Option<&'e ExprMethodCall>,
        }
        impl<'e> Visit<'e> for Chains<'_, 'e> {
            fn visit_expr(&mut self, expression: &'e Expr) {
                if places::place(expression, &self.lower.kernel.bindings).is_none() {
                    visit::visit_expr(self, expression);
                }
            }
            fn visit_expr_method_call(&mut self, call: &'e ExprMethodCall) {
                if self.found.is_none() && self.lower.is_chain(call) {
                    if goes_on(call)
                        && let Expr::MethodCall(inner) = bare(&call.receiver)
                        && self.lower.is_chain(inner)
                    {
                        self.visit_expr_method_call(inner);
                    } else {
                        self.found = Some(call);
                    }
                    return;
                }
                visit::visit_expr_method_call(self, call);
            }
        }
        let mut chains = Chains {
            lower: self,
            found: None,
        };
        chains.visit_expr(value);
        chains.found
    }

    fn is_chain(&self, call: &ExprMethodCall) -> bool {
        let receiver = bare(&call.receiver);
        match places::place(receiver, &self.kernel.bindings) {
            Some(Place::Whole(id)) => self.classes[id] == Class::Data,
            Some(_) => false,
            None => matches!(receiver, Expr::MethodCall(inner) if self.is_chain(inner)),
        }
    }

    /// Refuses locals of data whose types are not evident, but for those that follow from others.
    pub(super) fn refuse_untyped(&mut self) {
        let mut assumed = BTreeMap::new();
        for id in std::mem::take(&mut self.untyped) {
            if Types::assuming(self.kernel, &assumed).of(id).is_some() {
                continue;
            }
            let (word, if_so) = self.guess(id);
            if !self.refused.contains(&id) {
                let binding = &self.kernel.bindings[id];
                let (name, mut ty) = (&binding.name, text::of(&word));
                if binding.is_array() {
                    ty = format!("[{ty}; N]");
                }
                self.errors.refuse(
                    name,
                    format!("`{name}` holds data, and its type is not evident: write it, as in `let {name}: {ty} = ...`{if_so}"),
                );
            }
            assumed.insert(id, word);
        }
    }

    /// Guesses the type of a name's words from the values that it gets; with what must hold where
    /// operators of users' own types give these.
    fn guess(&self, id: Id) -> (Type, String) {
        let mut values = Vec::new();
        self.kernel.each_step(&mut |step| match step {
            Step::Let {
                id: other,
                init: Some(value),
                ..
            } if *other == id => values.push(value),
            Step::Assign { place, value, .. }
                if places::target(place, &self.kernel.bindings) == Some(id) =>
            {
                values.push(value);
            }
            _ => {}
        });
        if let Some(path) = values.iter().find_map(|value| built(value)) {
            return (path, String::new());
        }
        let mut operands = Operands {
            lower: self,
            own: BTreeMap::new(),
        };
        values
            .into_iter()
            .for_each(|value| operands.visit_expr(value));
        let mut own = operands.own.into_values();
        match (own.next(), own.next()) {
            (Some((ty, place)), None) => {
                let if_so = format!(", if it is a `{}` as `{place}` is", text::of(&ty));
                (ty, if_so)
            }
            (Some(_), Some(_)) => (
                syn::parse_quote!(T),
                ", with the type that the operators give for `T`".into(),
            ),
            (None, _) => (syn::parse_quote!(f64), String::new()),
        }
    }
}

/// Operands of an expression's operators whose types are not primitive: each with a place.
struct Operands<'l> {
    lower: &'l Lower<'l>,
    own: BTreeMap<String, (Type, String)>,
}

impl<'e> Visit<'e> for Operands<'_> {
    fn visit_expr(&mut self, expression: &'e Expr) {
        let bindings = &self.lower.kernel.bindings;
        match (places::place(expression, bindings), expression) {
            (Some(Place::Scalar(id) | Place::Element(id, _)), _) => {
                let ty = self.lower.types.of(id);
                if let Some(ty) = ty.filter(|ty| primitive(ty).is_none()) {
                    let place = bindings.text(expression);
                    self.own.entry(text::of(&ty)).or_insert((ty, place));
                }
            }
            // Of these nobody knows what they give.
            (Some(_), _)
            | (_, Expr::Call(_) | Expr::MethodCall(_) | Expr::Field(_) | Expr::Macro(_)) => {}
            (_, Expr::If(branch)) => {
                self.visit_block(&branch.then_branch);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.visit_expr(otherwise);
                }
            }
            _ => visit::visit_expr(self, expression),
        }
    }
}

/// Returns whether a method at the end of a chain takes the chain's value, and no iterator or
/// array: `sqrt` in `x.iter().sum::<f64>().sqrt()`.
fn goes_on(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    match name.as_str() {
        "unwrap" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "expect" | "copied"
        | "cloned" | "into" => true,
        // Those of an iterator take none.
        "min" | "max" => !call.args.is_empty(),
        name => is_method_of_numbers(name),
    }
}

/// Returns the type that a struct literal or a call such as `T::new(..)` names.
fn built(init: &Expr) -> Option<Type> {
    let is_type = |name: &syn::Ident| name.to_string().starts_with(char::is_uppercase);
    match bare(init) {
        Expr::Struct(literal) => {
            let path = &literal.path;
            Some(syn::parse_quote!(#path))
        }
        Expr::Call(call) => match bare(&call.func) {
            Expr::Path(path) if path.qself.is_none() => {
                let mut segments = path.path.segments.clone();
                segments.pop();
                segments.pop_punct();
                segments
                    .last()
                    .is_some_and(|last| is_type(&last.ident))
                    .then(|| syn::parse_quote!(#segments))
            }
            _ => None,
        },
        _ => None,
    }
}
