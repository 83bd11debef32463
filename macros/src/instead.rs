//! Loops over indices that messages propose instead of iterators. They are text, which nobody
//! compiles.

use std::collections::BTreeMap;

use quote::{ToTokens, format_ident};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, ExprRange, Pat, RangeLimits, Type, UnOp};

use crate::places::bare;
use crate::text::{self, identifiers};
use crate::types::last_segment;

/// An iterator of which a loop over indices can be made.
enum Stream {
    /// Elements of an array, from `start` to before `end`.
    Elements {
        array: String,
        start: Option<String>,
        end: Option<String>,
    },
    Numbers {
        start: String,
        end: String,
    },
    Pairs(Box<Stream>, Box<Stream>),
    Numbered(Box<Stream>),
    Backwards(Box<Stream>),
}

/// Names of indices to choose from.
const INDICES: [&str; 4] = ["i", "j", "k", "l"];

/// Returns the loop to write instead of `for pattern in iterator`, if there is one as simple as
/// that. Returns, too, what then stands for the names of the pattern. `is_taken` tells names that
/// mean something else.
pub(crate) fn of_loop(
    pattern: &Pat,
    iterator: &Expr,
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let named = identifiers(pattern);
    let is_free = |index: &&str| !is_taken(index) && !named.contains(*index);
    let index = INDICES.into_iter().find(is_free)?;
    if let Some(pieces) = pieces(pattern, iterator, index) {
        return Some(pieces);
    }
    let stream = stream(iterator)?;
    let index = stream.index(pattern).unwrap_or_else(|| index.to_owned());
    let mut names = stream.values(pattern, &index);
    names.remove(&index);
    let names = names
        .iter()
        .map(|(name, place)| format!("`{place}` for `{name}`"));
    let names: Vec<String> = names.collect();
    let header = stream.header(&index);
    Some(if names.is_empty() {
        format!("`{header}`")
    } else {
        format!("`{header}`, with {}", names.join(" and "))
    })
}

/// Returns the text of a refused `let`, whose pattern has several names.
pub(crate) fn of_let(pattern: &Pat, value: Option<&Expr>) -> String {
    const ONE: &str = "a kernel's `let` binds one name: write";
    let is_plain =
        |names: &syn::PatSlice| names.elems.iter().all(|name| matches!(name, Pat::Ident(_)));
    match (pattern, value) {
        (Pat::Slice(names), Some(value)) if is_plain(names) => {
            let value = text::of(value);
            let lets = names.elems.iter().enumerate();
            let lets = lets.map(|(at, name)| format!("`let {} = {value}[{at}];`", text::of(name)));
            format!("{ONE} {}", lets.collect::<Vec<_>>().join(" and "))
        }
        _ => format!(
            "{ONE} `let pair: (f64, f64) = ...;` and use `pair.0`, or one `let` for each name"
        ),
    }
}

/// Returns the loop over indices to write instead of one over chunks or windows.
fn pieces(pattern: &Pat, iterator: &Expr, index: &str) -> Option<String> {
    let Expr::MethodCall(call) = bare(iterator) else {
        return None;
    };
    let (array, length) = (text::of(&call.receiver), text::of(call.args.first()?));
    let header = match call.method.to_string().as_str() {
        "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" => {
            format!("for {index} in (0..{array}.len()).step_by({length})")
        }
        "windows" => match length.parse::<usize>() {
            Ok(length) => format!(
                "for {index} in 0..{array}.len() - {}",
                length.saturating_sub(1)
            ),
            Err(_) => format!("for {index} in 0..{array}.len() + 1 - {length}"),
        },
        _ => return None,
    };
    let piece = plain(pattern)?;
    Some(format!(
        "`{header}`, with `{array}[{index} + k]` for `{piece}[k]`"
    ))
}

/// Returns the loop with an accumulator to write instead of a chain such as
/// `x.iter().map(..).sum()`. `target` is the place that it is assigned to, with `let` if it is a
/// new name; `zero` and `one` are numbers of its type. `is_taken` tells names that mean something
/// else.
pub(crate) fn of_chain(
    chain: &ExprMethodCall,
    target: Option<&str>,
    [zero, one]: [&str; 2],
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let (new, place) = match target {
        Some(target) => match target.strip_prefix("let ") {
            Some(name) => ("let mut ", name),
            None => ("", target),
        },
        None => ("let mut ", "sum"),
    };
    let mut closures = Vec::new();
    let mut source = bare(&chain.receiver);
    let stream = loop {
        match source {
            Expr::MethodCall(call) if call.method == "map" => {
                let Expr::Closure(closure) = call.args.first()? else {
                    return None;
                };
                closures.push(closure);
                source = bare(&call.receiver);
            }
            _ => break stream(source)?,
        }
    };
    let index = INDICES.into_iter().find(|index| !is_taken(index))?;
    let mut value: Option<String> = None;
    for closure in closures.into_iter().rev() {
        let names = match value {
            None => stream.values(closure.inputs.first()?, index),
            Some(value) => BTreeMap::from([(plain(closure.inputs.first()?)?, value)]),
        };
        value = Some(with(&closure.body, &names));
    }
    let is_mapped = value.is_some();
    let word = value.or_else(|| stream.word(index, stream.offset()));
    let header = stream.header(index);
    let (start, step) = match chain.method.to_string().as_str() {
        "sum" => (zero.to_owned(), format!("{place} += {}", word?)),
        "product" => (one.to_owned(), format!("{place} *= {}", word?)),
        "fold" => {
            let combined = match chain.args.get(1)? {
                Expr::Closure(closure) => {
                    let mut inputs = closure.inputs.iter();
                    let (sum, each) = (plain(inputs.next()?)?, inputs.next()?);
                    let mut names = if is_mapped {
                        BTreeMap::from([(plain(each)?, word?)])
                    } else {
                        stream.values(each, index)
                    };
                    names.insert(sum, place.to_owned());
                    with(&closure.body, &names)
                }
                function @ Expr::Path(_) => {
                    format!("{}({place}, {})", text::of(function), word?)
                }
                _ => return None,
            };
            (
                text::of(chain.args.first()?),
                format!("{place} = {combined}"),
            )
        }
        _ => return None,
    };
    let written = format!("`{new}{place} = {start}; {header} {{ {step}; }}`");
    Some(match target {
        Some(_) => written,
        None => format!("{written}, and `{place}` in the place of this"),
    })
}

/// Returns the text of an expression with other texts for names, which may be references to them
/// there.
fn with(body: &Expr, names: &BTreeMap<String, String>) -> String {
    struct Mark<'n> {
        names: &'n BTreeMap<String, String>,
        texts: Vec<&'n str>,
    }
    impl Mark<'_> {
        fn is_named(&self, expression: &Expr) -> bool {
            matches!(bare(expression), Expr::Path(path)
                if path.path.get_ident().is_some_and(|name| self.names.contains_key(&name.to_string())))
        }
    }
    impl VisitMut for Mark<'_> {
        fn visit_expr_mut(&mut self, expression: &mut Expr) {
            if let Expr::Unary(unary) = expression
                && matches!(unary.op, UnOp::Deref(_))
                && self.is_named(&unary.expr)
            {
                *expression = bare(&unary.expr).clone();
            }
            if self.is_named(expression)
                && let Expr::Path(path) = expression
                && let Some(name) = path.path.get_ident()
            {
                let mark = format_ident!("__{}_", self.texts.len(), span = name.span());
                self.texts.push(&self.names[&name.to_string()]);
                path.path = mark.into();
                return;
            }
            visit_mut::visit_expr_mut(self, expression);
        }
    }
    let mut body = body.clone();
    let mut marks = Mark {
        names,
        texts: Vec::new(),
    };
    marks.visit_expr_mut(&mut body);
    let mut written = text::of(&body);
    for (number, text) in marks.texts.into_iter().enumerate() {
        let mark = format!("__{number}_");
        let alone = written == mark || text.starts_with('*') || !text.contains([' ', '-']);
        let single = syn::parse_str::<Expr>(text).is_ok_and(|text| {
            matches!(
                text,
                Expr::Path(_) | Expr::Index(_) | Expr::Call(_) | Expr::MethodCall(_)
            )
        });
        let text = if alone || single {
            text.to_owned()
        } else {
            format!("({text})")
        };
        written = written.replace(&mark, &text);
    }
    written
}

/// Reads an iterator.
fn stream(iterator: &Expr) -> Option<Stream> {
    match bare(iterator) {
        Expr::Path(_) | Expr::Field(_) => Some(Stream::all(iterator)),
        Expr::Reference(reference) => stream(&reference.expr),
        Expr::Range(range) => Some(Stream::Numbers {
            start: text::of(range.start.as_ref()?),
            end: end(range)?,
        }),
        Expr::Index(index) => match bare(&index.index) {
            Expr::Range(range) => Some(Stream::Elements {
                array: text::of(&index.expr),
                start: range.start.as_ref().map(text::of),
                end: end(range),
            }),
            _ => Some(Stream::all(iterator)),
        },
        Expr::MethodCall(call) => {
            let inner = stream(&call.receiver)?;
            let argument = call.args.first();
            match (call.method.to_string().as_str(), argument) {
                ("iter" | "iter_mut" | "into_iter" | "copied" | "cloned", None) => Some(inner),
                ("zip", Some(other)) => {
                    Some(Stream::Pairs(Box::new(inner), Box::new(stream(other)?)))
                }
                ("enumerate", None) => Some(Stream::Numbered(Box::new(inner))),
                ("rev", None) => Some(Stream::Backwards(Box::new(inner))),
                ("skip", Some(count)) => inner.skip(text::of(count)),
                ("take", Some(count)) => inner.take(text::of(count)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the end of a range, exclusive.
fn end(range: &ExprRange) -> Option<String> {
    let end = text::of(range.end.as_ref()?);
    Some(match range.limits {
        RangeLimits::HalfOpen(_) => end,
        RangeLimits::Closed(_) => format!("{end} + 1"),
    })
}

impl Stream {
    /// Makes a stream of all elements of an array.
    fn all(array: &Expr) -> Self {
        Self::Elements {
            array: text::of(array),
            start: None,
            end: None,
        }
    }

    fn skip(mut self, count: String) -> Option<Self> {
        let Self::Elements { start, .. } = &mut self else {
            return None;
        };
        start.replace(count).is_none().then_some(self)
    }

    fn take(mut self, count: String) -> Option<Self> {
        match &mut self {
            Self::Elements {
                start: None, end, ..
            } if end.is_none() => *end = Some(count),
            _ => return None,
        }
        Some(self)
    }

    /// Returns whether its index counts from 0: elements of parts have theirs plus where they
    /// start.
    fn offset(&self) -> bool {
        match self {
            Self::Elements { .. } | Self::Numbers { .. } => false,
            Self::Backwards(inner) => inner.offset(),
            Self::Pairs(..) | Self::Numbered(_) => true,
        }
    }

    /// Returns the name that the pattern has for the index, if it has one.
    fn index(&self, pattern: &Pat) -> Option<String> {
        match (self, pattern) {
            (Self::Numbered(_), Pat::Tuple(pair)) => plain(pair.elems.first()?),
            (Self::Backwards(inner), _) => inner.index(pattern),
            (Self::Numbers { .. }, _) => plain(pattern),
            _ => None,
        }
    }

    /// Returns its start and its end.
    fn bounds(&self) -> (String, String) {
        match self {
            Self::Elements { array, start, end } => {
                let end = end.clone().unwrap_or_else(|| format!("{array}.len()"));
                (start.clone().unwrap_or_else(|| "0".into()), end)
            }
            Self::Numbers { start, end } => (start.clone(), end.clone()),
            Self::Pairs(first, _) => first.bounds(),
            Self::Numbered(inner) | Self::Backwards(inner) => inner.bounds(),
        }
    }

    fn header(&self, index: &str) -> String {
        let (start, end) = self.bounds();
        let range = match (self.offset(), start.as_str()) {
            (true, "0") | (false, _) => format!("{start}..{end}"),
            (true, _) => format!("0..{end} - {start}"),
        };
        match self {
            Self::Backwards(_) => format!("for {index} in ({range}).rev()"),
            _ => format!("for {index} in {range}"),
        }
    }

    /// Returns the word that comes out, unless that is a pair.
    fn word(&self, index: &str, offset: bool) -> Option<String> {
        let at = |start: &str| match start {
            start if offset && start != "0" => format!("{start} + {index}"),
            _ => index.to_owned(),
        };
        match self {
            Self::Elements { array, start, .. } => {
                let at = at(start.as_deref().unwrap_or("0"));
                Some(format!("{array}[{at}]"))
            }
            Self::Numbers { start, .. } => Some(at(start)),
            Self::Backwards(inner) => inner.word(index, offset),
            Self::Pairs(..) | Self::Numbered(_) => None,
        }
    }

    /// Returns the words that the names of a pattern mean.
    fn names(
        &self,
        pattern: &Pat,
        index: &str,
        offset: bool,
        names: &mut BTreeMap<String, String>,
    ) {
        match (self, pattern) {
            (Self::Backwards(inner), _) => inner.names(pattern, index, offset, names),
            (Self::Pairs(first, second), Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                first.names(&pair.elems[0], index, offset, names);
                second.names(&pair.elems[1], index, offset, names);
            }
            (Self::Numbered(inner), Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                names.extend(plain(&pair.elems[0]).map(|name| (name, index.to_owned())));
                inner.names(&pair.elems[1], index, offset, names);
            }
            _ => names.extend(plain(pattern).zip(self.word(index, offset))),
        }
    }

    /// Collects the [`names`](Self::names).
    fn values(&self, pattern: &Pat, index: &str) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        self.names(pattern, index, self.offset(), &mut names);
        names
    }
}

/// Returns the name that a pattern binds, if that is all it does but for references.
fn plain(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() => Some(name.ident.to_string()),
        Pat::Reference(reference) => plain(&reference.pat),
        Pat::Paren(inner) => plain(&inner.pat),
        Pat::Type(typed) => plain(&typed.pat),
        _ => None,
    }
}

/// Returns whether a type owns values elsewhere, by its name.
pub(crate) fn is_owner(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|last| is_owner_named(&last.ident))
}

fn is_owner_named(name: &syn::Ident) -> bool {
    const OWNERS: [&str; 11] = [
        "Vec",
        "VecDeque",
        "String",
        "Box",
        "Rc",
        "Arc",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
    ];
    OWNERS.iter().any(|owner| name == owner)
}

/// Returns whether a value is allocated, as far as the expression tells.
pub(crate) fn allocates(value: &Expr) -> bool {
    match bare(value) {
        Expr::Macro(call) => call.mac.path.is_ident("vec") || call.mac.path.is_ident("format"),
        Expr::Call(call) => match bare(&call.func) {
            Expr::Path(path) => {
                let owner = path.path.segments.iter().rev().nth(1);
                owner.is_some_and(|segment| is_owner_named(&segment.ident))
            }
            _ => false,
        },
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            matches!(
                name.as_str(),
                "to_vec" | "collect" | "to_owned" | "to_string" | "into_boxed_slice"
            ) || name == "clone" && allocates(&call.receiver)
        }
        _ => false,
    }
}

/// Returns the text of the refusal of an array that would be allocated under that name.
pub(crate) fn of_allocation(name: &str) -> String {
    format!(
        "a kernel allocates nothing: pass `{name}` as a parameter that it may use as it likes, `{name}: &mut [f64]`, \
         or write an array of fixed length, `let mut {name} = [0.0; 16];`"
    )
}

/// Returns the text of the refusal of `for` over `iterator`, which is no range.
pub(crate) fn of_iteration(
    pattern: &Pat,
    iterator: &Expr,
    is_taken: &dyn Fn(&str) -> bool,
) -> String {
    let over = "a kernel's `for` runs over a range of integers, so that every place has an index";
    if let Some(instead) = of_loop(pattern, iterator, is_taken) {
        return format!("{over}: write {instead}");
    }
    match bare(iterator) {
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "filter" | "take_while" | "skip_while" | "filter_map" => format!(
                "a kernel's `for` runs over a range of integers, with `.rev()` and `.step_by()`: write the condition of `{}` as an `if` in its body",
                call.method
            ),
            "chain" => "a kernel's `for` runs over one range of integers: write two loops".into(),
            "iter" | "iter_mut" | "into_iter" | "enumerate" | "zip" | "map" => {
                format!("{over}: write `for i in 0..n`, and each place with its index")
            }
            method => format!(
                "a kernel's `for` runs over a range of integers, with `.rev()` and `.step_by()`: `{method}` is not known here"
            ),
        },
        list @ Expr::Array(_) => format!(
            "{over}: write `let list = {};`, `for i in 0..list.len()` and `list[i]`",
            list.to_token_stream()
        ),
        _ => "a kernel's `for` runs over a range of integers: `a..b` or `a..=b`, with `.rev()` and `.step_by()`".into(),
    }
}
