//! Paths of the user's code, rewritten for a module below the kernel's.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Pat, Path, PathSegment, Stmt, Type};

/// Names that our modules define, and that the user's code must not mean by them.
const OURS: [&str; 47] = [
    "Arguments",
    "Control",
    "Copies",
    "Held",
    "Lent",
    "LentCommon",
    "LentControl",
    "OwnedControl",
    "Loaded",
    "Memory",
    "Packet",
    "Part",
    "Planned",
    "Planner",
    "Prepared",
    "Ranked",
    "RankedPart",
    "Reader",
    "Tape",
    "Values",
    "View",
    "Types",
    "With",
    "OBSERVATIONS",
    "PROGRAMS",
    "UNBUILT",
    "UNPLANNED",
    "any",
    "original",
    "constants",
    "control",
    "differs",
    "generated",
    "instance",
    "is_scheduled",
    "parallel",
    "plan",
    "plan_owned",
    "observed",
    "prepare",
    "prepare_owned",
    "statements",
    "table",
    "trace",
    "try_parallel",
    "with",
    "written",
];

/// Rewrites paths for a place `depth` modules below: `self::f` becomes `super::f`, and a name that
/// we define ourselves `super::` that name.
struct Move {
    depth: usize,
}

impl VisitMut for Move {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        if path.leading_colon.is_some() {
            return;
        }
        let Some(first) = path.segments.first() else {
            return;
        };
        let name = first.ident.to_string();
        let keep = match name.as_str() {
            "self" if path.segments.len() > 1 => 1,
            "super" => 0,
            name if is_ours(name) => 0,
            _ => return,
        };
        let supers = std::iter::repeat_n(Ident::new("super", first.ident.span()), self.depth);
        let old = std::mem::take(&mut path.segments);
        path.segments = supers
            .map(PathSegment::from)
            .chain(old.into_iter().skip(keep))
            .collect();
    }
}

/// Returns whether an item of ours has that name, or may have it.
pub(crate) fn is_ours(name: &str) -> bool {
    OURS.contains(&name) || is_statement(name)
}

/// Returns whether a name is that of a statement: `s0`, `s1`, ...
fn is_statement(name: &str) -> bool {
    name.strip_prefix('s')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

fn moved<T: Clone>(part: &T, depth: usize, visit: fn(&mut Move, &mut T)) -> T {
    let mut part = part.clone();
    visit(&mut Move { depth }, &mut part);
    part
}

/// Returns a type, for a place `depth` modules below the kernel's.
pub(super) fn ty(ty: &Type, depth: usize) -> Type {
    moved(ty, depth, Move::visit_type_mut)
}

/// Returns an expression, whose own names are still marked, for a place `depth` modules below the
/// kernel's.
pub(super) fn expression(expression: &Expr, depth: usize) -> Expr {
    moved(expression, depth, Move::visit_expr_mut)
}

/// Returns a statement for a place `depth` modules below the kernel's.
pub(super) fn statement(statement: &Stmt, depth: usize) -> Stmt {
    moved(statement, depth, Move::visit_stmt_mut)
}

/// Returns a path, for a place `depth` modules below the kernel's.
pub(super) fn path(path: &Path, depth: usize) -> Path {
    moved(path, depth, Move::visit_path_mut)
}

/// Returns a pattern, whose own names are still marked, for a place `depth` modules below the
/// kernel's.
pub(super) fn pattern(pattern: &Pat, depth: usize) -> Pat {
    moved(pattern, depth, Move::visit_pat_mut)
}
