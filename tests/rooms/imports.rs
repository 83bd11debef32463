//! Imports among the files of a crate, from its syntax: which file names what of which other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Token, UseTree};

/// Names of modules from the root of the crate.
type Module = Vec<String>;

/// The files of a crate, and for each the files that it names something of, with a name.
pub(crate) struct Imports(BTreeMap<PathBuf, BTreeMap<PathBuf, String>>);

impl Imports {
    /// Reads all modules of the crate with that root file but for tests.
    pub(crate) fn of(root: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let mut paths = Vec::new();
        read(root, Vec::new(), &mut modules, &mut paths);
        let mut imports: BTreeMap<PathBuf, BTreeMap<PathBuf, String>> = BTreeMap::new();
        for (module, path) in paths {
            let Some((named, name)) = resolve(&module, &path, &modules) else {
                continue;
            };
            let (file, other) = (&modules[&module], &modules[&named]);
            if file != other {
                let arrows = imports.entry(file.clone()).or_default();
                arrows.entry(other.clone()).or_insert(name);
            }
        }
        Self(imports)
    }

    /// Finds the shortest way from a file back to itself: each file with a name that it takes of
    /// the next.
    pub(crate) fn circle(&self) -> Option<Vec<(PathBuf, String)>> {
        let circles = self.0.keys().filter_map(|file| self.way_back(file));
        circles.min_by_key(Vec::len)
    }

    fn way_back(&self, start: &Path) -> Option<Vec<(PathBuf, String)>> {
        let mut ways = VecDeque::from([(start.to_path_buf(), Vec::new())]);
        let mut seen = BTreeSet::new();
        while let Some((file, way)) = ways.pop_front() {
            for (other, name) in self.0.get(&file).into_iter().flatten() {
                let mut way: Vec<(PathBuf, String)> = way.clone();
                way.push((file.clone(), name.clone()));
                if other == start {
                    return Some(way);
                }
                if seen.insert(other.clone()) {
                    ways.push_back((other.clone(), way));
                }
            }
        }
        None
    }
}

/// Reads a file and the modules below it; notes the paths in each module.
fn read(
    file: &Path,
    module: Module,
    modules: &mut BTreeMap<Module, PathBuf>,
    paths: &mut Vec<(Module, Vec<String>)>,
) {
    let text = fs::read_to_string(file).expect("a module has its file");
    let parsed = syn::parse_file(&text).expect("it is Rust");
    let stem = file.file_stem().unwrap_or_default();
    let folder = file.parent().expect("a file has a folder");
    let folder = match stem.to_str() {
        Some("lib" | "mod" | "main") => folder.to_path_buf(),
        _ => folder.join(stem),
    };
    items(file, &folder, module, &parsed.items, modules, paths);
}

fn items(
    file: &Path,
    folder: &Path,
    module: Module,
    items: &[Item],
    modules: &mut BTreeMap<Module, PathBuf>,
    paths: &mut Vec<(Module, Vec<String>)>,
) {
    modules.insert(module.clone(), file.to_path_buf());
    for item in items {
        let Item::Mod(inner) = item else {
            let mut found = Paths(Vec::new());
            found.visit_item(item);
            paths.extend(found.0.into_iter().map(|path| (module.clone(), path)));
            continue;
        };
        if is_test(&inner.attrs) {
            continue;
        }
        let name = inner.ident.to_string();
        let below = below(&module, &name);
        if let Some((_, content)) = &inner.content {
            self::items(file, &folder.join(name), below, content, modules, paths);
            continue;
        }
        let beside = [format!("{name}.rs"), format!("{name}/mod.rs")].map(|file| folder.join(file));
        if let Some(own) = beside.iter().find(|file| file.exists()) {
            read(own, below, modules, paths);
        }
    }
}

/// The module of that name in another.
fn below(module: &[String], name: &str) -> Module {
    let names = module.iter().map(String::as_str);
    names.chain([name]).map(str::to_owned).collect()
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.parse_args::<syn::Path>();
        attribute.path().is_ident("cfg") && condition.is_ok_and(|path| path.is_ident("test"))
    })
}

/// The module that a path leads to, and the name that is taken of it; none if it leads elsewhere.
fn resolve(
    module: &Module,
    path: &[String],
    modules: &BTreeMap<Module, PathBuf>,
) -> Option<(Module, String)> {
    let mut at = module.clone();
    let mut names = path;
    match names {
        [first, rest @ ..] if first == "crate" => (at, names) = (Vec::new(), rest),
        [first, ..] if first == "self" || first == "super" => {
            while let [first, rest @ ..] = names
                && (first == "self" || first == "super")
            {
                if first == "super" {
                    at.pop()?;
                }
                names = rest;
            }
        }
        [first, ..] => {
            modules.get(&below(&at, first))?;
        }
        [] => return None,
    }
    for name in names {
        let below = below(&at, name);
        if !modules.contains_key(&below) {
            return Some((at, name.clone()));
        }
        at = below;
    }
    let last = at.last().cloned().unwrap_or_default();
    Some((at, last))
}

/// The paths in an item: of imports, and of all that is named by several names.
struct Paths(Vec<Vec<String>>);

impl Paths {
    fn tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident)),
            UseTree::Name(name) => self.0.push(with(&name.ident)),
            UseTree::Rename(name) => self.0.push(with(&name.ident)),
            UseTree::Glob(_) => self.0.push([before, &["*".to_owned()]].concat()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }
}

impl<'s> Visit<'s> for Paths {
    fn visit_item_use(&mut self, item: &'s syn::ItemUse) {
        self.tree(&item.tree, &[]);
    }

    fn visit_item_mod(&mut self, module: &'s syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_path(&mut self, path: &'s syn::Path) {
        if path.segments.len() > 1 {
            let names = path.segments.iter().map(|each| each.ident.to_string());
            self.0.push(names.collect());
        }
        visit::visit_path(self, path);
    }

    /// Looks at what a macro's arguments name, where they are expressions. What is quoted is none
    /// of the crate's.
    fn visit_macro(&mut self, call: &'s syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        if name.is_some_and(|name| name.contains("quote")) {
            return;
        }
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        for argument in call.parse_body_with(arguments).into_iter().flatten() {
            let mut found = Paths(Vec::new());
            found.visit_expr(&argument);
            self.0.extend(found.0);
        }
    }
}
