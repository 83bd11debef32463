//! Grains of a kernel that is planned at run time: iterations of its loops, and the statements
//! between these. A planner may join consecutive ones to larger grains.
//!
//! Where a loop is marked `#[grain]`, its iterations are the grains, and the loops around it are
//! entered. Without marks there is a choice of [`LEVELS`], made when a pattern is there. At level 0
//! the iterations of the outermost loops are grains, at level 1 those of the loops in them, and so
//! on.
//!
//! The values of the loop variables alone tell what a grain does, so control that changes from
//! grain to grain is refused. At deeper levels such loops are one grain with the statements around
//! them. The kernel's own data that lives on from one grain to the next is an array that grains
//! have in common. A pivot between two loops is an example.

mod apart;
mod nodes;
mod repeatable;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, Label};

use self::nodes::{
    any, assigned, begins_grain, changes, depth, each, holds_loop, holds_mark, holds_task, uses,
    writers,
};
pub(crate) use self::nodes::{each as each_node, writes};
use self::repeatable::Repeatable;
use crate::errors::Errors;
use crate::kernel::{Id, Kernel};
use crate::lower::{For, Lowered, Node, Role, Statement, Task};
use crate::places::names_in;

/// A section of a kernel as planning walks through it.
pub(crate) enum Section<'l> {
    /// A `let` of control or a part of an array, which holds for the grains behind it.
    Let(&'l Node),
    /// A `let` of control that changes between grains, or of a number or part that follows from
    /// such. Grains are told its value.
    Carry(Id, &'l Node),
    /// The assignment of a number that follows from control and from what nobody writes, as an
    /// array of [`Lowered::arrays`]. Whoever runs grains behind it computes it anew.
    Fixed(usize, &'l Node),
    /// Control that the walk alone needs: changes of control that is carried, what must hold, and
    /// jumps past grains.
    Check(&'l Node),
    /// A block of grains, perhaps that of a kernel that is called. A jump to its label leaves it.
    Block {
        label: Option<&'l Label>,
        body: Vec<Section<'l>>,
    },
    /// A loop around grains.
    Enter {
        label: Option<&'l Label>,
        head: Head<'l>,
        body: Vec<Section<'l>>,
    },
    Grains(Grains<'l>),
}

/// Head of a loop around grains.
pub(crate) enum Head<'l> {
    For(&'l For),
    While { condition: &'l Expr },
}

/// A loop whose iterations are grains, or statements that are one grain.
pub(crate) struct Grains<'l> {
    pub number: u16,
    pub of: GrainsOf<'l>,
    /// The arrays of [`Lowered::arrays`] that each grain has for itself.
    pub locals: BTreeSet<usize>,
    /// The kernel's own arrays that the grains use and others, too.
    pub common: BTreeSet<usize>,
}

pub(crate) enum GrainsOf<'l> {
    Loop(&'l For),
    Statements(Vec<&'l Node>),
}

/// Levels of a kernel without marks, at most. Time steps of sweeps over planes have their lines at
/// the third. Each level compiles the kernel's body once more for each function of grains.
const LEVELS: usize = 3;

/// Finds the grains of a kernel at each level that has some: at least one.
///
/// Grains are numbered through all levels.
///
/// # Errors
/// If control may have another value when it is evaluated again. If no level can be planned: with
/// what is wrong at the first level that has an error.
pub(crate) fn find<'l>(kernel: &Kernel, lowered: &'l Lowered) -> syn::Result<Vec<Level<'l>>> {
    let mut finder = Finder {
        kernel,
        lowered,
        errors: Errors::default(),
        uses: uses(&lowered.nodes, &lowered.statements),
        assigned: assigned(&lowered.nodes, kernel),
        writers: writers(&lowered.nodes, &lowered.statements),
        fixed: BTreeSet::new(),
        carried: BTreeSet::new(),
        told: BTreeSet::new(),
        count: 0,
        level: (!holds_mark(&lowered.nodes)).then_some(0),
        around: Vec::new(),
        common: BTreeSet::new(),
        loops: 0,
    };
    finder.control(&lowered.nodes);
    let control = finder.errors.finish();
    let count = match finder.level {
        Some(_) => depth(&lowered.nodes).clamp(1, LEVELS),
        None => 1,
    };
    let mut levels = Vec::new();
    let mut refused = None;
    for depth in 0..count {
        finder.begin(depth);
        let before = finder.count;
        let sections = finder.sections(&lowered.nodes);
        match finder.errors.finish() {
            Ok(()) if finder.loops > 0 => levels.push(Level {
                depth,
                sections,
                common: std::mem::take(&mut finder.common),
            }),
            Ok(()) => finder.count = before,
            Err(error) => {
                finder.count = before;
                refused.get_or_insert(error);
            }
        }
    }
    let mut errors = Errors::default();
    if let Err(refused) = control {
        errors.add(refused);
    }
    if levels.is_empty() {
        errors.add(refused.unwrap_or_else(|| {
            let why = "there is nothing to plan: the kernel has no loop whose iterations write different words";
            syn::Error::new_spanned(&kernel.name, why)
        }));
    }
    errors.finish().map(|()| levels)
}

/// The grains of a kernel at a level.
pub(crate) struct Level<'l> {
    /// Number of loops around each loop of grains, at most.
    pub depth: usize,
    pub sections: Vec<Section<'l>>,
    /// The kernel's own arrays that its grains have in common.
    pub common: BTreeSet<usize>,
}

struct Finder<'f, 'l> {
    kernel: &'f Kernel,
    lowered: &'l Lowered,
    errors: Errors,
    /// Tasks that use each array of [`Lowered::arrays`].
    uses: BTreeMap<usize, usize>,
    /// Control that is assigned to.
    assigned: BTreeSet<Id>,
    /// Tasks that write each array of [`Lowered::arrays`].
    writers: BTreeMap<usize, usize>,
    /// Arrays that are computed anew where grains use them: see [`Section::Fixed`].
    fixed: BTreeSet<usize>,
    /// Control around grains that changes, or follows from such.
    carried: BTreeSet<Id>,
    /// Arrays that were refused as they live too long, each once.
    told: BTreeSet<usize>,
    count: u16,
    /// Number of loops around grains, at most; none where marks tell.
    level: Option<usize>,
    /// Names that are declared in each loop that is entered.
    around: Vec<&'l BTreeSet<Id>>,
    /// The kernel's own arrays that grains of the level have in common.
    common: BTreeSet<usize>,
    /// Number of loops of grains that are as deep as `level`, or marked.
    loops: usize,
}

impl<'l> Finder<'_, 'l> {
    /// Begins a level.
    fn begin(&mut self, depth: usize) {
        self.common.clear();
        self.carried.clear();
        self.fixed.clear();
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
            let expressions = node.expressions().into_iter();
            expressions.for_each(|expression| repeatable.visit_expr(expression));
        });
        for (span, what) in repeatable.refused {
            let why = format!(
                "cannot have {what} where it decides what is read and written: it may give another value when the plan runs. Make that a parameter"
            );
            self.refuse(span, &why);
        }
    }

    fn sections(&mut self, nodes: &'l [Node]) -> Vec<Section<'l>> {
        let outside = self.fixed.clone();
        let mut sections = Vec::new();
        let mut statements: Vec<&'l Node> = Vec::new();
        for node in nodes {
            if let Some(array) = self.fixes(node, nodes) {
                // Behind a guard the function may not come to it.
                if statements.iter().any(|node| self.may_give_up(node)) {
                    self.statements(&mut statements, &mut sections);
                }
                self.fixed.insert(array);
                sections.push(Section::Fixed(array, node));
                continue;
            }
            if self.is_statement(node) || self.is_sequential(node) {
                statements.push(node);
                continue;
            }
            self.statements(&mut statements, &mut sections);
            match node {
                Node::Let { id, init } if self.carries(*id, init.as_ref()) => {
                    self.carried.insert(*id);
                    sections.push(Section::Carry(*id, node));
                }
                Node::Part {
                    id,
                    start,
                    end,
                    outer,
                    ..
                } if [Some(start), end.as_ref(), outer.as_ref()]
                    .into_iter()
                    .flatten()
                    .any(|it| self.follows(it)) =>
                {
                    self.carried.insert(*id);
                    sections.push(Section::Carry(*id, node));
                }
                Node::Let { .. } | Node::Part { .. } => sections.push(Section::Let(node)),
                Node::Block { label, body } if holds_loop(body) => {
                    let label = label.as_ref();
                    let body = self.sections(body);
                    sections.push(Section::Block { label, body });
                }
                Node::BeginGrain | Node::EndGrain => {}
                Node::While {
                    label,
                    condition,
                    body,
                    declared,
                } if self.enters(body) => {
                    sections.push(Section::Enter {
                        label: label.as_ref(),
                        head: Head::While { condition },
                        body: self.sections_within(declared, body),
                    });
                }
                Node::For(each) => sections.extend(self.of_loop(each)),
                other if changes(other) => {
                    let changed = assigned(std::slice::from_ref(other), self.kernel);
                    if let Some(&id) = changed.iter().find(|id| !self.carried.contains(id)) {
                        let name = &self.kernel.bindings[id].name;
                        let why = format!(
                            "cannot change `{name}` between its loops: only numbers and flags of the kernel's own"
                        );
                        self.refuse(name.span(), &why);
                    }
                    sections.push(Section::Check(other));
                }
                other => sections.push(Section::Check(other)),
            }
        }
        self.statements(&mut statements, &mut sections);
        self.fixed = outside;
        sections
    }

    /// Enters a loop, or makes its iterations grains.
    fn of_loop(&mut self, own: &'l For) -> Option<Section<'l>> {
        if self.enters(&own.body) {
            return Some(Section::Enter {
                label: own.label.as_ref(),
                head: Head::For(own),
                body: self.sections_within(&own.declared, &own.body),
            });
        }
        if !holds_task(&own.body) {
            let why = "cannot have loops of control alone: compute such tables before, and pass them as `#[structure]`";
            self.refuse(own.range.span(), why);
            return None;
        }
        self.inside(Some(own), &own.body);
        let (locals, common) = self.locals(own);
        let is_deepest = self.level.is_none_or(|level| level == self.around.len());
        self.loops += usize::from(is_deepest);
        Some(self.grains(GrainsOf::Loop(own), locals, common))
    }

    /// Finds the sections in a loop that is entered.
    fn sections_within(
        &mut self,
        declared: &'l BTreeSet<Id>,
        body: &'l [Node],
    ) -> Vec<Section<'l>> {
        self.around.push(declared);
        let sections = self.sections(body);
        self.around.pop();
        sections
    }

    /// Tells whether a node has a guard.
    fn may_give_up(&self, node: &Node) -> bool {
        any(std::slice::from_ref(node), |node| match node {
            Node::Task(task) => self.lowered.statements[task.statement].target.is_none(),
            _ => false,
        })
    }

    /// Returns the array that a node of a block assigns to, if that is a number which each
    /// processor can compute for itself.
    ///
    /// It is assigned to once, from control that does not change and from what nobody writes and no
    /// tape has. Nobody uses it behind the block.
    fn fixes(&self, node: &Node, block: &[Node]) -> Option<usize> {
        let Node::Task(task) = node else {
            return None;
        };
        let Statement {
            target: Some(target),
            operands,
            ..
        } = &self.lowered.statements[task.statement]
        else {
            return None;
        };
        // Control that changes has another value where grains run.
        let mut control = task.operands.iter().flatten();
        let mut given = task.control.iter();
        if control.any(|it| self.follows(it)) || given.any(|(it, _)| self.follows(it)) {
            return None;
        }
        let binding = |array: usize| &self.kernel.bindings[self.lowered.arrays[array].id];
        let stays = |&array: &usize| match self.lowered.arrays[array].role {
            Role::Input => !binding(array).marks.values,
            Role::Local => self.fixed.contains(&array),
            Role::InOut => false,
        };
        let is_number = self.lowered.arrays[*target].role == Role::Local
            && binding(*target).dimensions.is_empty()
            && !self.is_of_a_reduction(self.lowered.arrays[*target].id);
        let ends = || uses(block, &self.lowered.statements)[target] == self.uses[target];
        let is_fixed = is_number && self.writers[target] == 1 && operands.iter().all(stays);
        (is_fixed && ends()).then_some(*target)
    }

    /// Tells whether control around grains changes, or follows from such: a scalar with a value.
    fn carries(&self, id: Id, init: Option<&Expr>) -> bool {
        let is_scalar = self.kernel.bindings[id].dimensions.is_empty();
        is_scalar && init.is_some_and(|init| self.assigned.contains(&id) || self.follows(init))
    }

    /// Tells whether an expression has control in it that changes around grains.
    fn follows(&self, expression: &Expr) -> bool {
        !names_in(expression).is_disjoint(&self.carried)
    }

    /// Tells whether a node that is no loop over grains, nor a loop or a block around some, writes
    /// data.
    fn is_statement(&self, node: &Node) -> bool {
        let has_grains = match node {
            Node::For(_) => true,
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

    /// Returns whether a loop is one grain. It is if all its iterations write the same words, as in
    /// a sum. At a level behind the first it is, too, if its iterations cannot be grains.
    fn is_sequential(&self, node: &Node) -> bool {
        let Node::For(own) = node else {
            return false;
        };
        let body = &own.body;
        let is_marked = self.level.is_none() && begins_grain(body);
        if !holds_task(body) || self.enters(body) || is_marked {
            return false;
        }
        let outliving: Vec<usize> = self.outliving(&own.declared, self.used(body)).collect();
        let spreads = self.spreads(own);
        match self.level.unwrap_or(0) {
            0 => !spreads && !outliving.is_empty(),
            _ => {
                !spreads
                    || !outliving.into_iter().all(|array| self.can_be_common(array))
                    || !self.wrong(Some(own), body).is_empty()
            }
        }
    }

    /// Tells whether the iterations of a loop may write different words that live on.
    fn spreads(&self, own: &For) -> bool {
        any(&own.body, |node| {
            let Node::Task(Task { statement, at, .. }) = node else {
                return false;
            };
            let lives_on = self.lowered.statements[*statement]
                .target
                .is_some_and(|target| !own.declared.contains(&self.lowered.arrays[target].id));
            lives_on
                && at.iter().any(|index| {
                    let names = names_in(index);
                    own.variable
                        .is_some_and(|variable| names.contains(&variable))
                        || !names.is_disjoint(&own.declared)
                })
        })
    }

    /// Makes statements one grain.
    fn statements(&mut self, nodes: &mut Vec<&'l Node>, sections: &mut Vec<Section<'l>>) {
        if nodes.is_empty() {
            return;
        }
        let nodes = std::mem::take(nodes);
        let (locals, common) = self.locals_of_statements(&nodes);
        for &node in &nodes {
            self.inside(None, std::slice::from_ref(node));
        }
        sections.push(self.grains(GrainsOf::Statements(nodes), locals, common));
    }

    fn grains(
        &mut self,
        of: GrainsOf<'l>,
        locals: BTreeSet<usize>,
        common: BTreeSet<usize>,
    ) -> Section<'l> {
        let number = self.count;
        self.count += 1;
        self.common.extend(&common);
        Section::Grains(Grains {
            number,
            of,
            locals,
            common,
        })
    }
}
