//! The function's signature: what a kernel may be, and what its parameters are.

use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    FnArg, GenericArgument, GenericParam, Pat, PatType, PathArguments, ReturnType, Safety,
    Signature, Type, TypeGroup, TypeParen,
};

use super::names::Scope;
use crate::attributes::{self, Marks};
use crate::instead::is_owner;
use crate::kernel::{Binder, Dimension, Id, Parameter, Passing};
use crate::types::{is_integer, last_segment, primitive};

/// Refuses functions that cannot be kernels, apart from their parameters.
pub(super) fn check(signature: &Signature, scope: &mut Scope) {
    let errors = &mut scope.errors;
    errors.refuse_any(&signature.asyncness, "a kernel cannot be `async`: it is computed by processors that never wait for anything but each other. Take `async` away");
    if let Safety::Unsafe(token) = &signature.safety {
        errors.refuse(
            token,
            "a kernel cannot be `unsafe`: its parallel program is safe code. Take `unsafe` away",
        );
    }
    errors.refuse_any(
        &signature.constness,
        "a kernel cannot be `const`: its parallel program runs on threads. Take `const` away",
    );
    errors.refuse_any(
        &signature.abi,
        "a kernel has the Rust calling convention: take `extern` away",
    );
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(ty) => errors.refuse(
                ty,
                format!("a kernel cannot be generic: it is traced and generated for one type. Write a concrete type instead of `{}`, and one kernel for each type that you need", ty.ident),
            ),
            GenericParam::Const(constant) => errors.refuse(
                constant,
                format!("a kernel cannot have const generics: write a size parameter `{}: {}`, which is control, or a named constant", constant.ident, crate::text::of(&constant.ty)),
            ),
        }
    }
    errors.refuse_any(
        &signature.generics.where_clause,
        "a kernel cannot have a `where` clause: its types are concrete",
    );
    errors.refuse_any(
        &signature.variadic,
        "a kernel cannot take a variable number of arguments",
    );
    if let ReturnType::Type(_, ty) = &signature.output {
        let unit = matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty());
        let is_result = last_segment(ty).is_some_and(|last| last.ident == "Result");
        let message = match is_result {
            true => "a kernel that can give up returns `Result<(), E>`: write the result through a `&mut` parameter, and name the error's type".into(),
            false => format!(
                "a kernel returns nothing: write its result through a parameter `result: &mut {}`",
                crate::text::of(ty)
            ),
        };
        if !unit && error(signature).is_none() {
            errors.refuse(&signature.output, message);
        }
    }
}

/// Returns the `E` of a kernel that returns `Result<(), E>`.
pub(super) fn error(signature: &Signature) -> Option<&Type> {
    let ReturnType::Type(_, ty) = &signature.output else {
        return None;
    };
    let result = last_segment(ty)?;
    let PathArguments::AngleBracketed(arguments) = &result.arguments else {
        return None;
    };
    let arguments: Vec<_> = arguments.args.iter().collect();
    match arguments[..] {
        [
            GenericArgument::Type(Type::Tuple(unit)),
            GenericArgument::Type(error),
        ] if result.ident == "Result" && unit.elems.is_empty() => Some(error),
        _ => None,
    }
}

/// Binds the parameters. Also gives those by value that are `mut`, in order.
pub(super) fn parameters(signature: &Signature, scope: &mut Scope) -> (Vec<Parameter>, Vec<Id>) {
    let mut parameters = Vec::new();
    let mut mutable = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => scope.errors.refuse(
                receiver,
                "a kernel cannot be a method: write a free function and pass the fields that it needs as parameters",
            ),
            FnArg::Typed(typed) => parameters.extend(parameter(typed, &mut mutable, scope)),
        }
    }
    (parameters, mutable)
}

fn parameter(typed: &PatType, mutable: &mut Vec<Id>, scope: &mut Scope) -> Option<Parameter> {
    let marks = attributes::parameter(&typed.attrs, &mut scope.errors);
    let Pat::Ident(pattern) = &*typed.pat else {
        scope.errors.refuse(
            &typed.pat,
            "a kernel's parameter needs a name: write `name: Type` and take it apart in the body",
        );
        return None;
    };
    if pattern.by_ref.is_some() || pattern.subpat.is_some() {
        scope.errors.refuse(
            pattern,
            "a kernel's parameter is a plain name: write `name: Type`",
        );
        return None;
    }
    let ty = plain(&typed.ty);
    let taken = taken(&ty);
    let refusals = [
        wrong_shape(&taken).map(Into::into),
        wrong_element(&ty, &taken.element),
        wrong_structure(&marks, &taken).map(Into::into),
        wrong_values(&marks, &taken).map(Into::into),
        wrong_scratch(&marks, &taken).map(Into::into),
    ];
    let is_taken = refusals.iter().all(Option::is_none);
    for message in refusals.into_iter().flatten() {
        scope.errors.refuse(&typed.ty, message);
    }
    let Taken {
        passing,
        dimensions,
        element,
    } = taken;
    let is_mutable = passing == Passing::Value && pattern.mutability.is_some();
    if is_mutable && !dimensions.is_empty() {
        scope.errors.refuse(
            pattern,
            "an array passed by value cannot be `mut` in a kernel: pass it as `&mut`, or copy it into a local array in a loop",
        );
    }
    let id = scope.bind(&pattern.ident, Binder::Parameter(passing));
    let binding = &mut scope.bindings[id];
    binding.marks = marks;
    binding.dimensions = dimensions;
    binding.element = Some(element);
    is_taken.then(|| {
        mutable.extend(is_mutable.then_some(id));
        Parameter { id, ty }
    })
}

/// Type that a parameter takes, and its passing.
pub(super) struct Taken {
    pub passing: Passing,
    pub dimensions: Vec<Dimension>,
    pub element: Type,
}

impl Taken {
    fn is_slice(&self, passing: Passing) -> bool {
        self.passing == passing && matches!(self.dimensions[..], [Dimension::Slice, ..])
    }
}

/// Reads a parameter's type.
pub(super) fn taken(ty: &Type) -> Taken {
    let ty = plain(ty);
    let (passing, value) = match &ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            (Passing::Mutable, &*reference.elem)
        }
        Type::Reference(reference) => (Passing::Shared, &*reference.elem),
        other => (Passing::Value, other),
    };
    let (dimensions, element) = shape(value);
    Taken {
        passing,
        dimensions,
        element: element.clone(),
    }
}

/// Returns the dimensions of an array type, outermost first, and the type of its words.
pub(super) fn shape(ty: &Type) -> (Vec<Dimension>, &Type) {
    let mut dimensions = Vec::new();
    let mut ty = ty;
    loop {
        ty = match ty {
            Type::Slice(slice) => {
                dimensions.push(Dimension::Slice);
                &slice.elem
            }
            Type::Array(array) => {
                dimensions.push(Dimension::Fixed(array.len.clone()));
                &array.elem
            }
            Type::Paren(paren) => &paren.elem,
            Type::Group(group) => &group.elem,
            other => return (dimensions, other),
        };
    }
}

/// Checks that only the outermost dimension of an array behind a reference has a length that is not
/// written.
fn wrong_shape(taken: &Taken) -> Option<&'static str> {
    let is_slice = |dimension: &Dimension| matches!(dimension, Dimension::Slice);
    match &taken.dimensions[..] {
        [Dimension::Slice, ..] if taken.passing == Passing::Value => {
            Some("a slice needs a reference: write `&[T]` or `&mut [T]`")
        }
        [_, inner @ ..] if inner.iter().any(is_slice) => Some(
            "rows of an array have a length that is written: `&[[T; 8]]`, or one slice for all, `&[T]`, with the index `i * columns + j`",
        ),
        _ => None,
    }
}

fn wrong_element(whole: &Type, element: &Type) -> Option<String> {
    let message = match element {
        Type::Path(_) => {
            let last = last_segment(element)?.ident.to_string();
            match last.as_str() {
                "Vec" => return Some(instead_of_vec(whole)),
                "str" | "String" => "a kernel cannot take a string: pass its bytes, `&[u8]`",
                _ if is_owner(element) => {
                    "a kernel's data must be `Copy`: pass a slice of plain values, `&[T]` or `&mut [T]`"
                }
                _ if borrows(element) => REFERENCES,
                _ => return None,
            }
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() && borrows(element) => REFERENCES,
        Type::Tuple(tuple) if !tuple.elems.is_empty() => return None,
        Type::Reference(_) => REFERENCES,
        Type::ImplTrait(_) => {
            "a kernel cannot take `impl Trait`: it is traced and generated for one type. Write a concrete type"
        }
        Type::TraitObject(_) => {
            "a kernel cannot take a trait object: it is traced and generated for one type. Write a concrete type"
        }
        Type::Infer(_) => "a kernel's parameter needs a written type",
        _ => {
            "a kernel's parameter is an integer, a value, a slice or a fixed array of `Copy` values: write such a type"
        }
    };
    Some(message.into())
}

const REFERENCES: &str =
    "a kernel's data cannot hold references: pass the values themselves, `&[T]` or `&mut [T]`";

/// Returns whether a type has references in it, or lifetimes other than `'static`.
fn borrows(ty: &Type) -> bool {
    struct Borrows(bool);
    impl<'t> Visit<'t> for Borrows {
        fn visit_type_reference(&mut self, _: &'t syn::TypeReference) {
            self.0 = true;
        }
        fn visit_lifetime(&mut self, lifetime: &'t syn::Lifetime) {
            self.0 |= lifetime.ident != "static";
        }
        fn visit_type_fn_ptr(&mut self, _: &'t syn::TypeFnPtr) {}
    }
    let mut borrows = Borrows(false);
    borrows.visit_type(ty);
    borrows.0
}

/// Returns the text of the refusal of a parameter that has `Vec`s: with the slice of what is in all
/// of them.
fn instead_of_vec(whole: &Type) -> String {
    let (depth, word) = owned(whole);
    let (depth, word) = match last_segment(word) {
        Some(last) if last.ident == "String" || last.ident == "str" => (depth + 1, "u8".to_owned()),
        Some(_) if is_owner(word) => (depth, "T".to_owned()),
        _ => (depth, crate::text::of(word)),
    };
    let slice = match whole {
        Type::Reference(reference) if reference.mutability.is_some() => {
            format!("`&mut [{word}]`")
        }
        Type::Reference(_) => format!("`&[{word}]`"),
        _ => format!("`&[{word}]` or `&mut [{word}]`"),
    };
    match depth {
        1 => format!("a kernel cannot take a `Vec`: pass a slice, {slice}"),
        _ => format!(
            "a kernel's array cannot be of `Vec`s: pass one slice for all, {slice}, with the index `i * columns + j`"
        ),
    }
}

/// Returns how many sequences stand around the words of a type, with the type of these.
fn owned(ty: &Type) -> (usize, &Type) {
    match ty {
        Type::Reference(reference) => owned(&reference.elem),
        Type::Paren(paren) => owned(&paren.elem),
        Type::Group(group) => owned(&group.elem),
        Type::Slice(slice) => more(1, owned(&slice.elem)),
        // An array that owns nothing is a word.
        Type::Array(array) => match owned(&array.elem) {
            (0, _) => (0, ty),
            inner => more(1, inner),
        },
        Type::Path(_) => {
            let last = last_segment(ty);
            let depth = last.and_then(|last| match last.ident.to_string().as_str() {
                "Vec" | "VecDeque" => Some(1),
                "Box" | "Rc" | "Arc" => Some(0),
                _ => None,
            });
            let argument = last.and_then(|last| match &last.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.first(),
                _ => None,
            });
            match (depth, argument) {
                (Some(depth), Some(GenericArgument::Type(inner))) => more(depth, owned(inner)),
                _ => (0, ty),
            }
        }
        _ => (0, ty),
    }
}

/// Adds sequences around words.
fn more(around: usize, (depth, word): (usize, &Type)) -> (usize, &Type) {
    (around + depth, word)
}

fn wrong_structure(marks: &Marks, taken: &Taken) -> Option<&'static str> {
    let is_counted = |name: String| is_integer(&name) || name == "bool";
    if !marks.structure {
        None
    } else if taken.passing == Passing::Mutable {
        Some("`#[structure]` is read only: pass it as `&[usize]`")
    } else if taken.dimensions.is_empty() {
        Some(
            "`#[structure]` marks slices: an integer parameter that the control uses is control without it",
        )
    } else if taken.passing == Passing::Value {
        Some("`#[structure]` is passed by reference: write `&` before the type")
    } else if !primitive(&taken.element).is_some_and(is_counted) {
        Some(
            "`#[structure]` marks slices of integers or `bool`: the pattern that decides what is computed",
        )
    } else {
        None
    }
}

fn wrong_values(marks: &Marks, taken: &Taken) -> Option<&'static str> {
    if marks.values && marks.structure {
        Some(
            "a parameter is `#[structure]` or `#[values]`: the one decides what is computed, the other is computed with",
        )
    } else if marks.values && !taken.is_slice(Passing::Shared) {
        Some(
            "`#[values]` marks slices that are only read, which plans are loaded with: pass it as `&[T]`",
        )
    } else {
        None
    }
}

fn wrong_scratch(marks: &Marks, taken: &Taken) -> Option<&'static str> {
    let is_own = taken.is_slice(Passing::Mutable) && !marks.structure && !marks.values;
    (marks.scratch && !is_own).then_some(
        "`#[scratch]` marks a slice in which each iteration keeps values of its own: pass it as `&mut [T]`",
    )
}

/// Returns a type whose references have no lifetimes (elision; paths keep theirs), without
/// parentheses and the invisible groups of a macro's fragments.
fn plain(ty: &Type) -> Type {
    struct Plain;
    impl VisitMut for Plain {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            while let Type::Paren(TypeParen { elem, .. }) | Type::Group(TypeGroup { elem, .. }) = ty
            {
                *ty = (**elem).clone();
            }
            if let Type::Reference(reference) = ty {
                reference.lifetime = None;
            }
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut ty = ty.clone();
    Plain.visit_type_mut(&mut ty);
    ty
}
