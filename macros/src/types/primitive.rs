//! Primitive types by name.

use proc_macro2::{Ident, Span};
use syn::{PathSegment, Type};

/// Returns the name of a primitive type.
pub(crate) fn primitive(ty: &Type) -> Option<String> {
    let name = match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident()?.to_string(),
        Type::Paren(paren) => return primitive(&paren.elem),
        Type::Group(group) => return primitive(&group.elem),
        _ => return None,
    };
    let known = is_integer(&name) || matches!(name.as_str(), "f32" | "f64" | "bool" | "char");
    known.then_some(name)
}

/// Returns whether a type name is that of a primitive integer.
pub(crate) fn is_integer(name: &str) -> bool {
    const INTEGERS: [&str; 12] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    ];
    INTEGERS.contains(&name)
}

/// Returns the last segment of a type that is a path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Returns whether values of the type can be control operands: they fit 64 bits.
pub(crate) fn is_control(ty: &Type) -> bool {
    primitive(ty).is_some_and(|name| {
        name == "bool" || is_integer(&name) && !matches!(name.as_str(), "u128" | "i128")
    })
}

/// Returns the primitive type of that name.
pub(super) fn named(name: &str) -> Type {
    let ident = Ident::new(name, Span::call_site());
    syn::parse_quote!(#ident)
}
