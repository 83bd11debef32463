//! Graphviz: `digraph { 0 [work_weight="5"; comm_weight="4"]; 1; 0 -> 1; }`.
//!
//! Nodes are numbers from 0 without gaps. These attributes count:
//!
//! | attribute | of | says |
//! |---|---|---|
//! | `work_weight` | nodes | work of the task, else 1 |
//! | `comm_weight` | nodes | words of the task's value, else 1 |
//! | `comm_weight` | edges | words of the value of the task where they begin, which has the most words that it or any of its edges names |
//!
//! The rest of the language has its meaning. `node [...]` and `edge [...]` hold for what is
//! mentioned first after them, in their subgraph and those within it. An edge of a subgraph is one
//! of each task in it; a file of `n` bytes has at most `n + 2^16` edges. Ports and all other
//! attributes change nothing. A subgraph that is opened twice by its name is an error.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::ops::Range;

use superstep_dag::Dag;

use super::lexer::{Form, Lexer, Token};
use super::lines::integer;
use super::{FREE, FormatError, MOST_TASKS};

/// Subgraphs within subgraphs that a file may have: reading takes a few hundred bytes of the stack
/// for each.
const DEEPEST: u32 = 200;

/// Reads a graph.
///
/// # Errors
/// When the file is malformed or its edges form a cycle.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut parser = Parser::new(Lexer::new(reader)?);
    parser.header()?;
    parser.statements(Scope::default())?;
    parser.lexer.expect(Token::End, "the end of the file")?;
    parser.graph()
}

/// Work and words, where they are given.
#[derive(Clone, Copy, Default)]
struct Weights {
    work: Option<u32>,
    words: Option<u32>,
}

/// Owner of attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Node,
    Edge,
    Graph,
}

impl Owner {
    /// Names the weights that it may have, for who has given it another.
    fn weights(self) -> &'static str {
        match self {
            Self::Node => "`work_weight` or `comm_weight`",
            Self::Edge => "`comm_weight`, the one weight of an edge",
            Self::Graph => "the weights of nodes in `node [...]`, those of edges in `edge [...]`",
        }
    }
}

/// Defaults that hold in a subgraph, for nodes and edges that are mentioned first in it.
#[derive(Clone, Copy, Default)]
struct Scope {
    /// Weights of nodes: index into [`Parser::defaults`].
    node: u32,
    /// Words that edges name.
    words: Option<u32>,
    /// Subgraphs around.
    depth: u32,
}

struct Parser<R> {
    lexer: Lexer<R>,
    /// Names of the subgraphs.
    names: BTreeSet<Vec<u8>>,
    /// Defaults of nodes, of one subgraph or another.
    defaults: Vec<Weights>,
    /// Tasks in the order of the text, as often as they are mentioned, each with the defaults that
    /// hold there.
    mentions: Vec<(u32, u32)>,
    /// Weights that are given to tasks themselves.
    given: Vec<(u32, Weights)>,
    edges: Vec<(u32, u32)>,
    /// Words that edges name, by the task where they begin.
    sent: Vec<(u32, u32)>,
}

impl<R: BufRead> Parser<R> {
    fn new(lexer: Lexer<R>) -> Self {
        Self {
            lexer,
            names: BTreeSet::new(),
            defaults: vec![Weights::default()],
            mentions: Vec::new(),
            given: Vec::new(),
            edges: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// Reads `strict digraph name`.
    fn header(&mut self) -> Result<(), FormatError> {
        if self.lexer.is_keyword(b"strict") {
            self.lexer.advance()?;
        }
        if !self.lexer.is_keyword(b"digraph") {
            return Err(self.lexer.unexpected("`digraph`"));
        }
        self.lexer.advance()?;
        self.lexer.accept(Token::Word)?;
        Ok(())
    }

    /// Reads `{ statement ... }`.
    fn statements(&mut self, mut scope: Scope) -> Result<(), FormatError> {
        self.lexer.expect(Token::Sign(b'{'), "`{`")?;
        while !self.lexer.accept(Token::Sign(b'}'))? {
            self.statement(&mut scope)?;
        }
        Ok(())
    }

    fn statement(&mut self, scope: &mut Scope) -> Result<(), FormatError> {
        if self.lexer.accept(Token::Sign(b';'))? {
            return Ok(());
        }
        for (keyword, owner) in [
            (&b"node"[..], Owner::Node),
            (b"edge", Owner::Edge),
            (b"graph", Owner::Graph),
        ] {
            if self.lexer.is_keyword(keyword) {
                self.lexer.advance()?;
                return self.default(owner, scope);
            }
        }
        let task = self.task();
        let Some(end) = self.end(scope)? else {
            return self.setting();
        };
        if self.lexer.token == Token::Arrow {
            return self.chain(end, scope);
        }
        if let Some(task) = task {
            let weights = self.attributes(Owner::Node)?;
            if weights.work.is_some() || weights.words.is_some() {
                self.given.push((task, weights));
            }
        }
        Ok(())
    }

    /// Reads the attributes after `node`, `edge` or `graph`.
    fn default(&mut self, owner: Owner, scope: &mut Scope) -> Result<(), FormatError> {
        let weights = self.attributes(owner)?;
        match owner {
            Owner::Node => {
                let before = self.defaults[scope.node as usize];
                scope.node = self.defaults.len() as u32;
                self.defaults.push(Weights {
                    work: weights.work.or(before.work),
                    words: weights.words.or(before.words),
                });
            }
            Owner::Edge => scope.words = weights.words.or(scope.words),
            Owner::Graph => {}
        }
        Ok(())
    }

    /// Returns the word that comes next as a task.
    fn task(&self) -> Option<u32> {
        let text = &self.lexer.text[..];
        // `01` and `+1` are names of other nodes than `1`.
        let is_number = text == b"0" || matches!(text.first(), Some(b'1'..=b'9'));
        let is_name = self.lexer.token == Token::Word && self.lexer.form != Form::Html;
        let task = integer(text).filter(|&task| task < u64::from(MOST_TASKS));
        task.filter(|_| is_name && is_number)
            .map(|task| task as u32)
    }

    /// Reads a task or a subgraph, as the end of an edge: the range of its mentions. `None` if none
    /// comes next.
    fn end(&mut self, scope: &Scope) -> Result<Option<Range<usize>>, FormatError> {
        let start = self.mentions.len();
        if let Some(task) = self.task() {
            self.lexer.advance()?;
            self.port()?;
            self.mentions.push((task, scope.node));
        } else if self.lexer.token == Token::Sign(b'{') || self.lexer.is_keyword(b"subgraph") {
            self.subgraph(*scope)?;
        } else {
            return Ok(None);
        }
        Ok(Some(start..self.mentions.len()))
    }

    /// Reads `:port` or `:port:point` of a node, or nothing.
    fn port(&mut self) -> Result<(), FormatError> {
        for _ in 0..2 {
            if self.lexer.accept(Token::Sign(b':'))? {
                self.lexer.expect(Token::Word, "a port")?;
            }
        }
        Ok(())
    }

    /// Reads `subgraph name { ... }`, both words optional.
    fn subgraph(&mut self, around: Scope) -> Result<(), FormatError> {
        let scope = Scope {
            depth: around.depth + 1,
            ..around
        };
        if scope.depth > DEEPEST {
            let expected = format!("at most {DEEPEST} subgraphs within each other");
            return Err(self.lexer.unexpected(expected));
        }
        if self.lexer.is_keyword(b"subgraph") {
            self.lexer.advance()?;
            if self.lexer.token == Token::Word {
                if !self.names.insert(self.lexer.text.clone()) {
                    return Err(self
                        .lexer
                        .unexpected("a name that no other subgraph has (write it in one piece)"));
                }
                self.lexer.advance()?;
            }
        }
        self.statements(scope)
    }

    /// Reads `name = value`, which says nothing of tasks.
    fn setting(&mut self) -> Result<(), FormatError> {
        const EXPECTED: &str = "a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`";
        let unexpected = self.lexer.unexpected(EXPECTED);
        if self.lexer.token == Token::Word {
            let misplaced = WEIGHTS.contains(&&self.lexer.text[..]);
            let unheard = self.lexer.unexpected(Owner::Graph.weights());
            self.lexer.advance()?;
            if self.lexer.accept(Token::Sign(b'='))? {
                if misplaced {
                    return Err(unheard);
                }
                return self.lexer.expect(Token::Word, "a value");
            }
        }
        Err(unexpected)
    }

    /// Reads `-> end -> end ...`, after the first end.
    fn chain(&mut self, mut from: Range<usize>, scope: &Scope) -> Result<(), FormatError> {
        let first = self.edges.len();
        while self.lexer.accept(Token::Arrow)? {
            let line = self.lexer.token_line;
            let Some(to) = self.end(scope)? else {
                let expected = "a task (0, 1, 2, ... below 2^31 - 1) or a subgraph";
                return Err(self.lexer.unexpected(expected));
            };
            self.connect(from, to.clone(), line)?;
            from = to;
        }
        let words = self.attributes(Owner::Edge)?.words.or(scope.words);
        if let Some(words) = words {
            let edges = self.edges[first..].iter();
            self.sent.extend(edges.map(|&(from, _)| (from, words)));
        }
        Ok(())
    }

    /// Adds an edge from each task of a range of mentions to each of another.
    fn connect(
        &mut self,
        from: Range<usize>,
        to: Range<usize>,
        line: u64,
    ) -> Result<(), FormatError> {
        let count = from.len().saturating_mul(to.len());
        let most = self.lexer.bytes() + FREE;
        if self.edges.len().saturating_add(count) as u64 > most {
            return Err(FormatError::Syntax {
                line,
                expected: format!("at most {most} edges up to here (one a byte, and 2^16)"),
                found: format!("{count} between two subgraphs"),
            });
        }
        for &(from, _) in &self.mentions[from] {
            for &(to, _) in &self.mentions[to.clone()] {
                if from == to {
                    return Err(FormatError::Syntax {
                        line,
                        expected: format!("a task other than {from}"),
                        found: format!("an edge {from} -> {to}"),
                    });
                }
                self.edges.push((from, to));
            }
        }
        Ok(())
    }

    /// Reads any number of `[name = value; ...]`: the weights among them.
    fn attributes(&mut self, owner: Owner) -> Result<Weights, FormatError> {
        let mut weights = Weights::default();
        while self.lexer.accept(Token::Sign(b'['))? {
            while !self.lexer.accept(Token::Sign(b']'))? {
                let name = WEIGHTS.iter().position(|w| *w == &self.lexer.text[..]);
                let weight = match (name, owner) {
                    (None, _) => None,
                    (Some(0), Owner::Node) => Some(&mut weights.work),
                    (Some(1), Owner::Node | Owner::Edge) => Some(&mut weights.words),
                    _ => return Err(self.lexer.unexpected(owner.weights())),
                };
                self.lexer.expect(Token::Word, "an attribute or `]`")?;
                self.lexer.expect(Token::Sign(b'='), "`=`")?;
                if self.lexer.token != Token::Word {
                    return Err(self.lexer.unexpected("a value"));
                }
                if let Some(weight) = weight {
                    let value = integer(&self.lexer.text).and_then(|value| value.try_into().ok());
                    if value.is_none() {
                        return Err(self.lexer.unexpected("a weight (an integer below 2^32)"));
                    }
                    *weight = value;
                }
                self.lexer.advance()?;
                if !self.lexer.accept(Token::Sign(b';'))? {
                    self.lexer.accept(Token::Sign(b','))?;
                }
            }
        }
        Ok(weights)
    }

    fn graph(self) -> Result<Dag, FormatError> {
        let last = self.mentions.iter().map(|&(task, _)| task).max();
        let tasks = last.map_or(0, |last| last as usize + 1);
        // Among one more than there are mentions, some number is not mentioned.
        let mut seen = vec![false; self.mentions.len() + 1];
        for &(task, _) in &self.mentions {
            if let Some(seen) = seen.get_mut(task as usize) {
                *seen = true;
            }
        }
        let missing = seen.iter().position(|&seen| !seen).unwrap_or(tasks);
        if missing < tasks {
            let all = format!(
                "every task from 0 to {}; there is no task {missing}",
                tasks - 1
            );
            return Err(self.lexer.unexpected(all));
        }
        let mut of: Vec<Option<Weights>> = vec![None; tasks];
        for &(task, scope) in &self.mentions {
            of[task as usize].get_or_insert(self.defaults[scope as usize]);
        }
        for &(task, given) in &self.given {
            let weights = of[task as usize].get_or_insert_default();
            weights.work = given.work.or(weights.work);
            weights.words = given.words.or(weights.words);
        }
        for &(task, words) in &self.sent {
            let weights = of[task as usize].get_or_insert_default();
            weights.words = weights.words.max(Some(words));
        }
        let of = of.into_iter().flatten();
        let (work, words) = of
            .map(|weights| (weights.work.unwrap_or(1), weights.words.unwrap_or(1)))
            .unzip();
        Ok(Dag::from_edges(tasks, &self.edges)?
            .with_weights(work)?
            .with_words(words)?)
    }
}

/// Attributes that count.
const WEIGHTS: [&[u8]; 2] = [b"work_weight", b"comm_weight"];

/// Writes a graph, all of it.
///
/// # Errors
/// When writing fails.
pub fn write(graph: &Dag, mut writer: impl Write) -> Result<(), FormatError> {
    writeln!(writer, "digraph {{")?;
    for task in 0..graph.tasks() as u32 {
        let (work, words) = (graph.weight(task), graph.words(task));
        writeln!(
            writer,
            "{task} [work_weight=\"{work}\";comm_weight=\"{words}\";];"
        )?;
    }
    for (from, to) in graph.edge_list() {
        writeln!(writer, "{from}->{to};")?;
    }
    writeln!(writer, "}}")?;
    Ok(writer.flush()?)
}
