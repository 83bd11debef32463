//! Grains: the units in which a kernel is planned at run time, iterations of its loops and statements between these.
//!
//! Where a loop is marked `#[grain]`, the loops around it are entered, and its iterations are the grains. Without marks there is a choice of
//! [`LEVELS`], made when a pattern is there: at level 0 the iterations of the outermost loops are grains, at level 1 those of the loops in
//! them, and so on. What a grain does is told by the values of the loop variables alone: control that changes from grain to grain, and data
//! that lives on from one to the next without being a parameter's, are refused; at deeper levels such loops are one grain with the
//! statements around them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Label, Lifetime};

use crate::errors::Errors;
use crate::kernel::{Bindings, Id, Kernel, Step, guards};
use crate::lower::{Lowered, Node, Role, Statement, Task};
use crate::places;

/// A part of a kernel as planning walks through it.
pub(crate) enum Part<'l> {
    /// A `let` of control or a part of an array, which holds for the grains behind it.
    Let(&'l Node),
    /// A `let` of control that changes between grains, or of a number or part of an array that follows
    /// from such: grains are told its value.
    Carry(Id, &'l Node),
    /// A change of such control.
    Change(&'l Node),
    /// Control that the walk alone needs: what must hold, and jumps past grains.
    Check(&'l Node),
    /// A block of grains: of a kernel that is called, perhaps, which a label leaves.
    Block {
        label: Option<&'l Label>,
        body: Vec<Part<'l>>,
    },
    /// A loop around grains.
    Enter {
        label: Option<&'l Label>,
        head: Head<'l>,
        body: Vec<Part<'l>>,
    },
    Grains(Grains<'l>),
}

/// Head of a loop around grains.
pub(crate) enum Head<'l> {
    For {
        variable: Option<Id>,
        range: &'l Expr,
    },
    While {
        condition: &'l Expr,
    },
}

/// A loop whose iterations are grains, or statements that are one grain.
pub(crate) struct Grains<'l> {
    pub number: u16,
    pub of: GrainsOf<'l>,
    /// The arrays of [`Lowered::arrays`] that each grain has for itself.
    pub locals: BTreeSet<usize>,
}

pub(crate) enum GrainsOf<'l> {
    Loop {
        label: Option<&'l Label>,
        variable: Option<Id>,
        range: &'l Expr,
        body: &'l [Node],
    },
    Statements(Vec<&'l Node>),
}

/// Levels of a kernel without marks, at most. Time steps of sweeps over planes have their lines at the
/// third. Each level compiles the kernel's body once more for each function of grains.
const LEVELS: usize = 3;

/// Finds the grains of a kernel at each level that has some, or refuses to: by what is wrong at the
/// first level, where that is wrong at all.
///
/// A grain has one number among those of all levels.
pub(crate) fn find<'l>(
    kernel: &Kernel,
    lowered: &'l Lowered,
    errors: &mut Errors,
) -> Vec<Level<'l>> {
    let mut finder = Finder {
        kernel,
        lowered,
        errors: Errors::default(),
        declared: declared(kernel),
        uses: uses(&lowered.nodes, &lowered.statements),
        assigned: assigned(&lowered.nodes, kernel),
        carried: BTreeSet::new(),
        told: BTreeSet::new(),
        count: 0,
        level: (!holds_mark(&lowered.nodes)).then_some(0),
        around: Vec::new(),
        loops: 0,
    };
    finder.control(&lowered.nodes);
    if let Err(refused) = finder.errors.finish() {
        errors.add(refused);
    }
    let count = match finder.level {
        Some(_) => depth(&lowered.nodes).clamp(1, LEVELS),
        None => 1,
    };
    let mut levels = Vec::new();
    let mut refused = None;
    for depth in 0..count {
        finder.begin(depth);
        let before = finder.count;
        let parts = finder.parts(&lowered.nodes);
        match finder.errors.finish() {
            Ok(()) if finder.loops > 0 => levels.push(Level { depth, parts }),
            Ok(()) => finder.count = before,
            Err(error) => {
                finder.count = before;
                refused.get_or_insert(error);
            }
        }
    }
    if levels.is_empty() {
        errors.add(refused.unwrap_or_else(|| {
            let why = "there is nothing to plan: the kernel has no loop that writes";
            syn::Error::new_spanned(&kernel.name, why)
        }));
    }
    levels
}

/// The grains of a kernel at a level.
pub(crate) struct Level<'l> {
    /// Number of loops around each loop of grains, at most.
    pub depth: usize,
    pub parts: Vec<Part<'l>>,
}

struct Finder<'f, 'l> {
    kernel: &'f Kernel,
    lowered: &'l Lowered,
    errors: Errors,
    /// Names that are declared inside the loop of each variable.
    declared: BTreeMap<Id, BTreeSet<Id>>,
    /// Tasks that use each array of [`Lowered::arrays`].
    uses: BTreeMap<usize, usize>,
    /// Control that is assigned to.
    assigned: BTreeSet<Id>,
    /// Control around grains that changes, or follows from such.
    carried: BTreeSet<Id>,
    /// Arrays that live too long, once each.
    told: BTreeSet<usize>,
    count: u16,
    /// Number of loops around grains, at most; none where marks tell.
    level: Option<usize>,
    /// Variables of the loops that are entered.
    around: Vec<Option<Id>>,
    /// Number of loops of grains that are as deep as `level`, or marked.
    loops: usize,
}

fn declared(kernel: &Kernel) -> BTreeMap<Id, BTreeSet<Id>> {
    let mut declared = BTreeMap::new();
    for step in &kernel.body {
        step.each(&mut |step| {
            let Step::For {
                variable: Some(variable),
                body,
                ..
            } = step
            else {
                return;
            };
            let mut inside = BTreeSet::new();
            for step in body {
                step.each(&mut |step| match step {
                    Step::Let { id, .. } => drop(inside.insert(*id)),
                    Step::For { variable, .. } => inside.extend(*variable),
                    _ => {}
                });
            }
            declared.insert(*variable, inside);
        });
    }
    declared
}

/// Counts the tasks that use each array.
fn uses(nodes: &[Node], statements: &[Statement]) -> BTreeMap<usize, usize> {
    let mut uses = BTreeMap::new();
    each(nodes, &mut |node| {
        if let Node::Task(task) = node {
            let statement = &statements[task.statement];
            let arrays: BTreeSet<usize> = statement
                .target
                .into_iter()
                .chain(statement.operands.iter().copied())
                .collect();
            for array in arrays {
                *uses.entry(array).or_default() += 1;
            }
        }
    });
    uses
}

/// Finds the control that is assigned to.
fn assigned(nodes: &[Node], kernel: &Kernel) -> BTreeSet<Id> {
    let mut assigned = BTreeSet::new();
    each(nodes, &mut |node| {
        if let Node::Assign { place, .. } = node {
            assigned.extend(places::target(place, &kernel.bindings));
        }
    });
    assigned
}

impl<'l> Finder<'_, 'l> {
    /// Begins a level.
    fn begin(&mut self, depth: usize) {
        self.carried.clear();
        self.level = self.level.map(|_| depth);
        self.loops = 0;
        self.told.clear();
    }

    fn refuse(&mut self, span: Span, why: &str) {
        let text = format!("a kernel that is planned at run time {why}");
        self.errors.add(syn::Error::new(span, text));
    }

    /// Refuses control that may have another value when it is evaluated again: see [`Repeatable`].
    fn control(&mut self, nodes: &[Node]) {
        let mut repeatable = Repeatable {
            bindings: &self.kernel.bindings,
            refused: Vec::new(),
        };
        each(nodes, &mut |node| {
            expressions(node, &mut |expression| repeatable.visit_expr(expression));
        });
        for (span, what) in repeatable.refused {
            let why = format!(
                "cannot have {what} where it decides what is read and written: it may give another value when the plan runs. Make that a parameter"
            );
            self.refuse(span, &why);
        }
    }

    fn parts(&mut self, nodes: &'l [Node]) -> Vec<Part<'l>> {
        let mut parts = Vec::new();
        let mut statements: Vec<&'l Node> = Vec::new();
        for node in nodes {
            if self.is_statement(node) || self.is_sequential(node) {
                statements.push(node);
                continue;
            }
            self.statements(&mut statements, &mut parts);
            match node {
                Node::Let { id, init } if self.carries(*id, init.as_ref()) => {
                    self.carried.insert(*id);
                    parts.push(Part::Carry(*id, node));
                }
                Node::Part {
                    id,
                    start,
                    end,
                    outer,
                    ..
                } if self.follows(start)
                    || [end, outer]
                        .into_iter()
                        .flatten()
                        .any(|it| self.follows(it)) =>
                {
                    self.carried.insert(*id);
                    parts.push(Part::Carry(*id, node));
                }
                Node::Let { .. } | Node::Part { .. } => parts.push(Part::Let(node)),
                Node::Block { label, body } if holds_loop(body) => {
                    let label = label.as_ref();
                    let body = self.parts(body);
                    parts.push(Part::Block { label, body });
                }
                Node::BeginGrain | Node::EndGrain => {}
                Node::While {
                    label,
                    condition,
                    body,
                } if self.enters(body) => {
                    self.around.push(None);
                    let body = self.parts(body);
                    self.around.pop();
                    parts.push(Part::Enter {
                        label: label.as_ref(),
                        head: Head::While { condition },
                        body,
                    });
                }
                Node::For {
                    label,
                    variable,
                    range,
                    body,
                } => {
                    let variable = variable.map(|(id, _)| id);
                    let label = label.as_ref();
                    if self.enters(body) {
                        self.around.push(variable);
                        let body = self.parts(body);
                        self.around.pop();
                        let head = Head::For { variable, range };
                        parts.push(Part::Enter { label, head, body });
                    } else if holds_task(body) {
                        self.inside(variable, label, body);
                        let locals = self.locals(variable, body);
                        let is_deepest = self.level.is_none_or(|level| level == self.around.len());
                        self.loops += usize::from(is_deepest);
                        let of = GrainsOf::Loop {
                            label,
                            variable,
                            range,
                            body,
                        };
                        parts.push(self.grains(of, locals));
                    } else {
                        self.refuse(
                            range.span(),
                            "cannot have loops of control alone: compute such tables before, and pass them as `#[structure]`",
                        );
                    }
                }
                other if changes(other) => {
                    let changed = assigned(std::slice::from_ref(other), self.kernel);
                    if let Some(&id) = changed.iter().find(|id| !self.carried.contains(id)) {
                        let name = &self.kernel.bindings[id].name;
                        let why = format!(
                            "cannot change `{name}` between its loops: only numbers and flags of the kernel's own"
                        );
                        self.refuse(name.span(), &why);
                    }
                    parts.push(Part::Change(other));
                }
                other => parts.push(Part::Check(other)),
            }
        }
        self.statements(&mut statements, &mut parts);
        parts
    }

    /// Tells whether control around grains changes, or follows from such: a scalar with a value.
    fn carries(&self, id: Id, init: Option<&Expr>) -> bool {
        let is_scalar = self.kernel.bindings[id].dimensions.is_empty();
        is_scalar && init.is_some_and(|init| self.assigned.contains(&id) || self.follows(init))
    }

    /// Tells whether an expression has control in it that changes around grains.
    fn follows(&self, expression: &Expr) -> bool {
        let mut names = Names(BTreeSet::new());
        names.visit_expr(expression);
        !names.0.is_disjoint(&self.carried)
    }

    /// Tells whether a node that is no loop over grains, nor a loop or a block around some, writes data.
    fn is_statement(&self, node: &Node) -> bool {
        let has_grains = match node {
            Node::For { .. } => true,
            Node::While { body, .. } => self.enters(body),
            Node::Block { body, .. } => holds_loop(body),
            _ => false,
        };
        !has_grains && holds_task(std::slice::from_ref(node))
    }

    /// Tells whether a loop with this body is entered.
    fn enters(&self, body: &[Node]) -> bool {
        match self.level {
            Some(level) => self.around.len() < level && holds_loop(body),
            None => holds_mark(body) && !begins_grain(body),
        }
    }

    /// Tells whether a loop is one grain at a level behind the first: its iterations cannot be grains,
    /// or all of them write the same words, as in a sum.
    fn is_sequential(&self, node: &Node) -> bool {
        let Node::For {
            label,
            variable,
            body,
            ..
        } = node
        else {
            return false;
        };
        let variable = variable.map(|(id, _)| id);
        self.level.is_some_and(|level| level > 0)
            && holds_task(body)
            && !self.enters(body)
            && (!self.spreads(variable, body)
                || self.outliving(variable, &self.used(body)).is_some()
                || !self.wrong(variable, label.as_ref(), body).is_empty())
    }

    /// Tells whether the iterations of a loop may write different words.
    fn spreads(&self, variable: Option<Id>, body: &[Node]) -> bool {
        let Some(variable) = variable else {
            return false;
        };
        let inside = self.declared.get(&variable);
        any(body, |node| {
            let Node::Task(Task { statement, at, .. }) = node else {
                return false;
            };
            let target = self.lowered.statements[*statement].target;
            let is_shared =
                target.is_some_and(|target| self.lowered.arrays[target].role == Role::InOut);
            is_shared
                && at.iter().any(|index| {
                    let mut names = Names(BTreeSet::new());
                    names.visit_expr(index);
                    let is_inside = |name: &Id| inside.is_some_and(|inside| inside.contains(name));
                    names.0.contains(&variable) || names.0.iter().any(is_inside)
                })
        })
    }

    /// Makes statements one grain.
    fn statements(&mut self, nodes: &mut Vec<&'l Node>, parts: &mut Vec<Part<'l>>) {
        if nodes.is_empty() {
            return;
        }
        let nodes = std::mem::take(nodes);
        let locals = self.locals_of_statements(&nodes);
        for &node in &nodes {
            self.inside(None, None, std::slice::from_ref(node));
        }
        parts.push(self.grains(GrainsOf::Statements(nodes), locals));
    }

    fn grains(&mut self, of: GrainsOf<'l>, locals: BTreeSet<usize>) -> Part<'l> {
        let number = self.count;
        self.count += 1;
        Part::Grains(Grains { number, of, locals })
    }

    /// Checks that a grain leaves nothing behind but data, and goes nowhere else.
    fn inside(&mut self, variable: Option<Id>, own: Option<&Label>, body: &[Node]) {
        for (span, why) in self.wrong(variable, own, body) {
            self.refuse(span, &why);
        }
    }

    /// Finds control that goes on from one grain to the next, and jumps out of a grain.
    fn wrong(
        &self,
        variable: Option<Id>,
        own: Option<&Label>,
        body: &[Node],
    ) -> Vec<(Span, String)> {
        let mut inside = variable
            .and_then(|variable| self.declared.get(&variable).cloned())
            .unwrap_or_default();
        inside.extend(variable);
        let mut labels: BTreeSet<String> = BTreeSet::new();
        each(body, &mut |node| match node {
            Node::Let { id, .. } => drop(inside.insert(*id)),
            Node::For { label, .. }
            | Node::While { label, .. }
            | Node::Loop { label, .. }
            | Node::Block { label, .. } => labels.extend(label.as_ref().map(name)),
            _ => {}
        });
        let mut wrong = Vec::new();
        each(body, &mut |node| {
            if let Node::Assign { place, .. } = node
                && let Some(id) = places::target(place, &self.kernel.bindings)
                && !inside.contains(&id)
            {
                let name = &self.kernel.bindings[id].name;
                let why = format!(
                    "cannot have control that goes on from one grain to the next: `{name}` is to be computed from loop variables and parameters"
                );
                wrong.push((place.span(), why));
            }
        });
        let mut jumps = Jumps {
            inner: labels,
            own: own.map(name),
            wrong: Vec::new(),
        };
        jumps.nodes(body, 0);
        for span in jumps.wrong {
            let why = "cannot leave a loop from one of its grains: the others run at the same time";
            wrong.push((span, why.into()));
        }
        wrong
    }

    /// Finds the local data that nodes use.
    fn used(&self, nodes: &[Node]) -> BTreeSet<usize> {
        let mut used = uses(nodes, &self.lowered.statements);
        used.retain(|&array, _| self.lowered.arrays[array].role == Role::Local);
        used.into_keys().collect()
    }

    /// Finds local data that lives longer than an iteration of a loop.
    fn outliving(&self, variable: Option<Id>, used: &BTreeSet<usize>) -> Option<usize> {
        let inside = variable.and_then(|variable| self.declared.get(&variable));
        let outside = |array: &&usize| {
            let id = self.lowered.arrays[**array].id;
            !inside.is_some_and(|inside| inside.contains(&id))
        };
        used.iter().find(outside).copied()
    }

    /// Finds the data that each iteration of a loop has for itself, and refuses what lives longer.
    fn locals(&mut self, variable: Option<Id>, body: &[Node]) -> BTreeSet<usize> {
        let used = self.used(body);
        if let Some(array) = self.outliving(variable, &used) {
            self.refuse_outliving(array);
        }
        used
    }

    /// Finds the data that statements have for themselves, and refuses what others use, or what lives on
    /// to the next iteration of the loop around.
    fn locals_of_statements(&mut self, nodes: &[&Node]) -> BTreeSet<usize> {
        let mut count = BTreeMap::<usize, usize>::new();
        for &node in nodes {
            for (array, more) in uses(std::slice::from_ref(node), &self.lowered.statements) {
                *count.entry(array).or_default() += more;
            }
        }
        count.retain(|&array, _| self.lowered.arrays[array].role == Role::Local);
        let used: BTreeSet<usize> = count.keys().copied().collect();
        let is_outermost = self.level.is_none_or(|level| level == 0);
        let outliving = used.iter().copied().find(|array| {
            // A reduction that is one grain gains nothing: whoever marks it wants another.
            let is_reduction =
                is_outermost && self.is_of_a_reduction(self.lowered.arrays[*array].id);
            self.uses[array] != count[array] || is_reduction
        });
        let around = self.around.last();
        let outliving = outliving.or_else(|| self.outliving(*around?, &used));
        if let Some(array) = outliving {
            self.refuse_outliving(array);
        }
        used
    }

    /// Refuses local data that lives on from one grain to the next.
    fn refuse_outliving(&mut self, array: usize) {
        let id = self.lowered.arrays[array].id;
        let name = &self.kernel.bindings[id].name;
        let why = if self.is_of_a_reduction(id) {
            "cannot have `#[reduce]` but inside its grains: reduce by `superstep::reduce` outside the kernel, or collect sums of blocks in a parameter".into()
        } else {
            format!(
                "cannot have data that goes on from one grain to the next: declare `{name}` inside the loop, or make it a parameter"
            )
        };
        if self.told.insert(array) {
            self.refuse(name.span(), &why);
        }
    }

    /// Tells whether an array has the partial results of a loop marked `#[reduce]`.
    fn is_of_a_reduction(&self, array: Id) -> bool {
        let mut found = false;
        for step in &self.kernel.body {
            step.each(&mut |step| {
                found |= matches!(step, Step::Let { id, placeholder: true, .. } if *id == array);
            });
        }
        found
    }
}

/// Methods that integers, slices and ranges have themselves: no trait of the user's can stand in
/// for them.
const METHODS: [&str; 28] = [
    "len",
    "is_empty",
    "rev",
    "step_by",
    "min",
    "max",
    "clamp",
    "pow",
    "isqrt",
    "abs_diff",
    "div_ceil",
    "div_euclid",
    "rem_euclid",
    "ilog2",
    "ilog10",
    "count_ones",
    "count_zeros",
    "leading_zeros",
    "trailing_zeros",
    "rotate_left",
    "rotate_right",
    "swap_bytes",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
];

/// Finds in control what need not have one value: all but operators and [`METHODS`] on the kernel's
/// names, on literals and on constants.
///
/// A plan's processors use words at the same time as its proof allows, which holds for the places
/// that were tracked. So nothing that safe code can write may lead to others. The printer sees to
/// it that names from outside are numbers (`planned::number`).
struct Repeatable<'b> {
    bindings: &'b Bindings,
    refused: Vec<(Span, String)>,
}

impl Repeatable<'_> {
    fn refuse(&mut self, expression: &Expr, what: &str) {
        let what = format!("{what}, `{}`,", self.bindings.text(expression));
        self.refused.push((expression.span(), what));
    }
}

impl<'e> Visit<'e> for Repeatable<'_> {
    fn visit_expr(&mut self, expression: &'e Expr) {
        match expression {
            Expr::Index(index) if !is_of_the_kernel(&index.expr) => {
                self.refuse(expression, "a table from outside");
            }
            Expr::MethodCall(call) if !METHODS.iter().any(|name| call.method == name) => {
                self.refuse(expression, "a call of this method");
            }
            Expr::Array(_)
            | Expr::Binary(_)
            | Expr::Block(_)
            | Expr::Cast(_)
            | Expr::Group(_)
            | Expr::If(_)
            | Expr::Index(_)
            | Expr::Let(_)
            | Expr::Lit(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
            | Expr::Unary(_) => visit::visit_expr(self, expression),
            Expr::Call(_) => self.refuse(expression, "a call of a function"),
            _ => self.refuse(expression, "an expression of this kind"),
        }
    }
}

/// Tells whether what is indexed is an array of the kernel's.
fn is_of_the_kernel(array: &Expr) -> bool {
    match places::bare(array) {
        Expr::Index(index) => is_of_the_kernel(&index.expr),
        other => places::name(other).is_some(),
    }
}

/// Jumps out of a grain.
struct Jumps {
    inner: BTreeSet<String>,
    own: Option<String>,
    wrong: Vec<Span>,
}

impl Jumps {
    /// `depth`: loops around, inside the grain.
    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Return(span) => self.wrong.push(*span),
                Node::Break(span, label) => {
                    let stays = match label {
                        None => depth > 0,
                        Some(label) => self.inner.contains(&text(label)),
                    };
                    if !stays {
                        self.wrong.push(*span);
                    }
                }
                Node::Continue(span, label) => {
                    let stays = match label {
                        None => true,
                        Some(label) => {
                            let label = text(label);
                            self.inner.contains(&label) || self.own.as_ref() == Some(&label)
                        }
                    };
                    if !stays {
                        self.wrong.push(*span);
                    }
                }
                Node::For { body, .. } | Node::While { body, .. } | Node::Loop { body, .. } => {
                    self.nodes(body, depth + 1);
                }
                Node::Block { body, .. } | Node::Repeat { body, .. } => self.nodes(body, depth),
                Node::If {
                    then, otherwise, ..
                } => {
                    self.nodes(then, depth);
                    self.nodes(otherwise.as_deref().unwrap_or_default(), depth);
                }
                Node::Match { arms, .. } => {
                    arms.iter().for_each(|(_, body)| self.nodes(body, depth));
                }
                _ => {}
            }
        }
    }
}

fn name(label: &Label) -> String {
    text(&label.name)
}

fn text(label: &Lifetime) -> String {
    label.ident.to_string()
}

/// Calls `f` for all nodes, those inside others too.
fn each<'n>(nodes: &'n [Node], f: &mut dyn FnMut(&'n Node)) {
    for node in nodes {
        f(node);
        match node {
            Node::Repeat { body, .. }
            | Node::For { body, .. }
            | Node::While { body, .. }
            | Node::Loop { body, .. }
            | Node::Block { body, .. } => each(body, f),
            Node::If {
                then, otherwise, ..
            } => {
                each(then, f);
                each(otherwise.as_deref().unwrap_or_default(), f);
            }
            Node::Match { arms, .. } => arms.iter().for_each(|(_, body)| each(body, f)),
            _ => {}
        }
    }
}

/// Calls `f` for the expressions of control of this very node.
fn expressions<'n>(node: &'n Node, f: &mut dyn FnMut(&'n Expr)) {
    match node {
        // Control operands are values of data: they lead nowhere.
        Node::Task(Task { at, operands, .. }) => {
            at.iter().chain(operands.iter().flatten()).for_each(f);
        }
        Node::Let { init, .. } => init.iter().for_each(f),
        Node::Assign { place, value, .. } => {
            f(place);
            f(value);
        }
        Node::Part {
            start, end, outer, ..
        } => {
            f(start);
            end.iter().chain(outer).for_each(f);
        }
        Node::For { range, .. } => f(range),
        Node::While { condition, .. }
        | Node::If { condition, .. }
        | Node::Assert { condition, .. } => f(condition),
        Node::Match { scrutinee, arms } => {
            f(scrutinee);
            let patterns = arms.iter().map(|(pattern, _)| pattern);
            patterns.flat_map(guards).for_each(f);
        }
        _ => {}
    }
}

/// Names of the kernel in an expression.
struct Names(BTreeSet<Id>);

impl<'e> Visit<'e> for Names {
    fn visit_expr(&mut self, expression: &'e Expr) {
        self.0.extend(places::name(expression));
        visit::visit_expr(self, expression);
    }
}

/// Returns how many loops that write are in each other, as statements of the kernel.
fn depth(nodes: &[Node]) -> usize {
    let depth = nodes.iter().map(|node| match node {
        Node::For { body, .. } if holds_task(body) => 1 + depth(body),
        Node::While { body, .. } if holds_loop(body) => 1 + depth(body),
        Node::Block { body, .. } => depth(body),
        _ => 0,
    });
    depth.max().unwrap_or(0)
}

fn any(nodes: &[Node], mut is: impl FnMut(&Node) -> bool) -> bool {
    let mut found = false;
    each(nodes, &mut |node| found |= is(node));
    found
}

fn holds_task(nodes: &[Node]) -> bool {
    any(nodes, |node| matches!(node, Node::Task(_)))
}

fn holds_mark(nodes: &[Node]) -> bool {
    any(nodes, |node| matches!(node, Node::BeginGrain))
}

fn begins_grain(nodes: &[Node]) -> bool {
    let mut nodes = nodes.iter();
    let first = nodes.find(|node| !matches!(node, Node::EndGrain));
    matches!(first, Some(Node::BeginGrain))
}

/// Tells whether there are loops that write data in a block, perhaps in blocks of it.
fn holds_loop(body: &[Node]) -> bool {
    body.iter().any(|node| match node {
        Node::For { body, .. } => holds_task(body),
        Node::While { body, .. } | Node::Block { body, .. } => holds_loop(body),
        _ => false,
    })
}

/// Tells whether a node changes control that others see.
fn changes(node: &Node) -> bool {
    any(std::slice::from_ref(node), |node| {
        matches!(node, Node::Assign { .. })
    })
}
