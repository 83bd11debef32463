//! The rooms that a function leads into: by its calls in the order of the text, those of functions
//! beside it followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ImplItem, Item, Pat, Type, UseTree};

/// Rooms one after the other: other crates, and files of the same crate. A room that is left and
/// entered again stands there twice.
pub(crate) fn of(file: &Path, function: &str) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a file that can be read");
    let parsed = syn::parse_file(&text).expect("it is Rust");
    let mut file = File::default();
    for item in &parsed.items {
        match item {
            Item::Use(item) => file.import(&item.tree, &mut Vec::new()),
            Item::Fn(item) => file.add(&item.sig, &item.block),
            Item::Impl(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) => Some(method),
                    _ => None,
                });
                methods.for_each(|method| file.add(&method.sig, &method.block));
            }
            _ => {}
        }
    }
    let mut walk = Walk {
        functions: file.functions,
        rooms: &file.rooms,
        types: BTreeMap::new(),
        chain: Vec::new(),
    };
    walk.enter(function);
    walk.chain
}

/// Imports and definitions of a file.
#[derive(Default)]
struct File<'s> {
    /// The room of each name that is imported.
    rooms: BTreeMap<String, String>,
    functions: BTreeMap<String, (&'s syn::Signature, &'s syn::Block)>,
}

impl<'s> File<'s> {
    fn add(&mut self, signature: &'s syn::Signature, block: &'s syn::Block) {
        let name = signature.ident.to_string();
        self.functions.insert(name, (signature, block));
    }

    fn import(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                trees.for_each(|tree| self.import(tree, before));
            }
            UseTree::Name(name) => {
                let room = match &before[..] {
                    [first, rest @ ..] if first == "crate" => rest.join("/"),
                    [first, ..] if first.starts_with("superstep_") => first.clone(),
                    _ => return,
                };
                let name = name.ident.to_string();
                let name = match (name.as_str(), before.last()) {
                    ("self", Some(module)) => module.clone(),
                    _ => name,
                };
                self.rooms.insert(name, room);
            }
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }
}

struct Walk<'s> {
    /// Functions that were not entered yet.
    functions: BTreeMap<String, (&'s syn::Signature, &'s syn::Block)>,
    rooms: &'s BTreeMap<String, String>,
    /// Types of parameters and variables, as far as the text has them.
    types: BTreeMap<String, String>,
    chain: Vec<String>,
}

impl<'s> Walk<'s> {
    fn enter(&mut self, function: &str) {
        let Some((signature, block)) = self.functions.remove(function) else {
            return;
        };
        let outer = std::mem::take(&mut self.types);
        for input in &signature.inputs {
            if let FnArg::Typed(input) = input
                && let (Pat::Ident(name), Type::Path(ty)) = (&*input.pat, &*input.ty)
            {
                self.learn(&name.ident, &ty.path);
            }
        }
        self.visit_block(block);
        self.types = outer;
    }

    /// Notes that a variable has the type that a path begins with.
    fn learn(&mut self, name: &syn::Ident, path: &syn::Path) {
        let ty = path.segments.first().map(|first| first.ident.to_string());
        self.types.extend(ty.map(|ty| (name.to_string(), ty)));
    }

    /// Goes into the room of what a name is or has the type of.
    fn go(&mut self, name: &str) {
        if let Some(room) = self.rooms.get(name)
            && self.chain.last() != Some(room)
        {
            self.chain.push(room.clone());
        }
    }
}

/// The path of the call that makes a value: `T::new` of `T::new(..)?`.
fn made_by(value: &Expr) -> Option<&syn::Path> {
    match value {
        Expr::Try(value) => made_by(&value.expr),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if path.path.segments.len() > 1 => Some(&path.path),
            _ => None,
        },
        _ => None,
    }
}

impl<'s> Visit<'s> for Walk<'s> {
    fn visit_local(&mut self, local: &'s syn::Local) {
        visit::visit_local(self, local);
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let Some(path) = made_by(&init.expr)
        {
            self.learn(&name.ident, path);
        }
    }

    fn visit_expr_call(&mut self, call: &'s syn::ExprCall) {
        call.args.iter().for_each(|each| self.visit_expr(each));
        let Expr::Path(path) = &*call.func else {
            return self.visit_expr(&call.func);
        };
        let names = path.path.segments.iter().map(|each| each.ident.to_string());
        let names: Vec<String> = names.collect();
        self.go(&names[0]);
        if !self.rooms.contains_key(&names[0]) {
            self.enter(&names[names.len() - 1]);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'s syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
        call.args.iter().for_each(|each| self.visit_expr(each));
        let receiver = match &*call.receiver {
            Expr::Path(path) => path.path.get_ident().map(|name| name.to_string()),
            _ => None,
        };
        let Some(receiver) = receiver else { return };
        match self.types.get(&receiver).cloned() {
            Some(ty) if self.rooms.contains_key(&ty) => self.go(&ty),
            Some(_) => self.enter(&call.method.to_string()),
            None if receiver == "self" => self.enter(&call.method.to_string()),
            None => {}
        }
    }
}
