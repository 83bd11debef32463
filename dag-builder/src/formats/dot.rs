//! Graphviz: `digraph { 0 [work_weight="5"; comm_weight="4"]; 1; 0 -> 1; }`.
//!
//! Nodes are numbers from 0 without gaps. Of the attributes only `work_weight` (work of the task, else 1) and `comm_weight` (words of its value,
//! else 1) of nodes count. Comments, chains of edges, quotes and defaults (`node [...]`) are understood, subgraphs and ports are not.

use std::io::{BufRead, Write};

use superstep_dag::Dag;

use super::FormatError;
use super::lexer::{Lexer, Token};
use super::lines::number;

/// Reads a graph.
///
/// # Errors
/// When the file is malformed or its edges form a cycle.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut parser = Parser::new(Lexer::new(reader)?);
    parser.header()?;
    while parser.lexer.token != Token::Sign(b'}') {
        parser.statement()?;
    }
    parser.lexer.advance()?;
    parser.lexer.expect(Token::End, "the end of the file")?;
    parser.graph()
}

/// What one node statement says of a task.
struct Node {
    task: u32,
    weight: Option<u32>,
    words: Option<u32>,
}

struct Parser<R> {
    lexer: Lexer<R>,
    nodes: Vec<Node>,
    edges: Vec<(u32, u32)>,
}

impl<R: BufRead> Parser<R> {
    fn new(lexer: Lexer<R>) -> Self {
        Self {
            lexer,
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// `strict digraph name {`
    fn header(&mut self) -> Result<(), FormatError> {
        if self.lexer.is_keyword(b"strict") {
            self.lexer.advance()?;
        }
        if !self.lexer.is_keyword(b"digraph") {
            return Err(self.lexer.unexpected("`digraph`"));
        }
        self.lexer.advance()?;
        self.lexer.accept(Token::Word)?;
        self.lexer.expect(Token::Sign(b'{'), "`{`")
    }

    fn statement(&mut self) -> Result<(), FormatError> {
        if self.lexer.accept(Token::Sign(b';'))? {
            return Ok(());
        }
        if [&b"node"[..], b"edge", b"graph"]
            .iter()
            .any(|k| self.lexer.is_keyword(k))
        {
            self.lexer.advance()?;
            return self.attributes(|_, _| true);
        }
        let Some(task) = self.task() else {
            return self.setting();
        };
        self.lexer.advance()?;
        if self.lexer.token == Token::Arrow {
            self.chain(task)
        } else {
            self.node(task)
        }
    }

    /// The word that comes next as a task.
    fn task(&self) -> Option<u32> {
        let is_word = self.lexer.token == Token::Word;
        number(&self.lexer.text).filter(|&task| is_word && task < 1 << 31)
    }

    /// `name = value`, which says nothing of tasks.
    fn setting(&mut self) -> Result<(), FormatError> {
        const EXPECTED: &str = "a task (a number below 2^31), a setting or `}`";
        let unexpected = self.lexer.unexpected(EXPECTED);
        let is_name = self.lexer.token == Token::Word;
        if is_name && !self.lexer.is_keyword(b"subgraph") {
            self.lexer.advance()?;
            if self.lexer.accept(Token::Sign(b'='))? {
                return self.lexer.expect(Token::Word, "a value");
            }
        }
        Err(unexpected)
    }

    fn node(&mut self, task: u32) -> Result<(), FormatError> {
        let mut node = Node {
            task,
            weight: None,
            words: None,
        };
        self.attributes(|name, value| {
            let value = number(value);
            match name {
                b"work_weight" => node.weight = value,
                b"comm_weight" => node.words = value,
                _ => return true,
            }
            value.is_some()
        })?;
        self.nodes.push(node);
        Ok(())
    }

    /// `-> task -> task`, after the first task.
    fn chain(&mut self, mut from: u32) -> Result<(), FormatError> {
        while self.lexer.accept(Token::Arrow)? {
            let Some(to) = self.task() else {
                return Err(self.lexer.unexpected("a task (a number below 2^31)"));
            };
            if from == to {
                return Err(self.lexer.unexpected(format!("a task other than {from}")));
            }
            self.lexer.advance()?;
            self.edges.push((from, to));
            from = to;
        }
        self.attributes(|_, _| true)
    }

    /// Any number of `[name = value; ...]`; `take` says whether it likes the value.
    fn attributes(
        &mut self,
        mut take: impl FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), FormatError> {
        let mut name = Vec::new();
        while self.lexer.accept(Token::Sign(b'['))? {
            while !self.lexer.accept(Token::Sign(b']'))? {
                name.clone_from(&self.lexer.text);
                self.lexer.expect(Token::Word, "an attribute or `]`")?;
                self.lexer.expect(Token::Sign(b'='), "`=`")?;
                if self.lexer.token != Token::Word {
                    return Err(self.lexer.unexpected("a value"));
                }
                if !take(&name, &self.lexer.text) {
                    return Err(self.lexer.unexpected("an integer below 2^32"));
                }
                self.lexer.advance()?;
                if !self.lexer.accept(Token::Sign(b';'))? {
                    self.lexer.accept(Token::Sign(b','))?;
                }
            }
        }
        Ok(())
    }

    fn graph(self) -> Result<Dag, FormatError> {
        let nodes = self.nodes.iter().map(|n| n.task);
        let named = nodes.chain(self.edges.iter().flat_map(|&(u, v)| [u, v]));
        let tasks = named.clone().max().map_or(0, |last| last as usize + 1);
        // A gap is certain when there are more tasks than names; saying so first bounds the memory by the size of the file.
        let mut gap = (tasks > self.nodes.len() + 2 * self.edges.len()).then_some(None);
        if gap.is_none() {
            let mut seen = vec![false; tasks];
            named.for_each(|task| seen[task as usize] = true);
            gap = seen.iter().position(|&s| !s).map(Some);
        }
        if let Some(task) = gap {
            let all = format!("every task from 0 to {}", tasks - 1);
            let missing = task.map_or(String::new(), |task| format!("; there is no task {task}"));
            return Err(self.lexer.unexpected(all + &missing));
        }
        let mut weights = vec![1; tasks];
        let mut words = vec![1; tasks];
        for node in &self.nodes {
            let at = node.task as usize;
            weights[at] = node.weight.unwrap_or(weights[at]);
            words[at] = node.words.unwrap_or(words[at]);
        }
        Ok(Dag::from_edges(tasks, &self.edges)?
            .with_weights(weights)?
            .with_words(words)?)
    }
}

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
