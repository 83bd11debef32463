//! Newick, the text form of trees that programs of phylogenetics read and draw.

use std::{fmt::Write, str::FromStr};

use super::{Link, Tree};

/// Reason for which a text is no tree in Newick.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct NewickError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The defect.
    pub message: String,
}

impl Tree {
    /// Returns the tree in Newick, rooted at the switch next to host 0; lengths are one-way
    /// latencies in microseconds.
    ///
    /// Names are quoted where they need it. Two hosts have all of their latency on the second.
    pub fn newick(&self) -> String {
        let mut text = String::from("(");
        self.write_host(0, &mut text);
        let first = self.order[1];
        let root_latency = self.latency(first);
        if self.switches() == 0 {
            text.push_str(":0,");
            self.write_host(first, &mut text);
            let _ = write!(text, ":{root_latency});");
            return text;
        }
        let _ = write!(text, ":{root_latency}");
        // The root's own parenthesis is open; each switch below closes before what comes after it.
        let mut open = vec![first];
        for &v in &self.order[2..] {
            while open.last() != Some(&self.parents[v as usize]) {
                self.close(&mut open, &mut text);
            }
            if !text.ends_with('(') {
                text.push(',');
            }
            if (v as usize) < self.hosts() {
                self.write_host(v, &mut text);
                let _ = write!(text, ":{}", self.latency(v));
            } else {
                text.push('(');
                open.push(v);
            }
        }
        while open.len() > 1 {
            self.close(&mut open, &mut text);
        }
        text.push_str(");");
        text
    }

    fn close(&self, open: &mut Vec<u32>, text: &mut String) {
        if let Some(v) = open.pop() {
            let _ = write!(text, "):{}", self.latency(v));
        }
    }

    fn write_host(&self, host: u32, text: &mut String) {
        let name = &self.names[host as usize];
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"()[]{}:;,'\"".contains(c);
        if name.chars().all(plain) {
            text.push_str(name);
        } else {
            let _ = write!(text, "'{}'", name.replace('\'', "''"));
        }
    }
}

/// Reads a tree whose every link has a length, the one-way latency in microseconds. Hosts are
/// numbered as they stand; names of switches and comments in brackets are passed over, and a switch
/// between two links becomes one link.
impl FromStr for Tree {
    type Err = NewickError;

    fn from_str(text: &str) -> Result<Self, NewickError> {
        let mut reader = Reader {
            rest: text.char_indices().peekable(),
            text,
        };
        let parsed = reader.tree()?;
        let (names, switches, links) = parsed.without_passing();
        Self::new(names, switches, &links).map_err(|error| reader.error(text.len(), error))
    }
}

/// Nodes as they are read: a host has a name, a switch does not; each but the root has a parent.
#[derive(Default)]
struct Nodes {
    names: Vec<Option<String>>,
    parents: Vec<usize>,
    lengths: Vec<f64>,
}

impl Nodes {
    fn add(&mut self, name: Option<String>, parent: usize) -> usize {
        self.names.push(name);
        self.parents.push(parent);
        self.lengths.push(0.0);
        self.names.len() - 1
    }

    /// Returns the names, number of switches and links, with links joined where a switch has two of
    /// them.
    fn without_passing(self) -> (Vec<String>, usize, Vec<Link>) {
        let count = self.names.len();
        let mut children = vec![0_usize; count];
        for node in 1..count {
            children[self.parents[node]] += 1;
        }
        let is_host = |node: usize| self.names[node].is_some();
        let passes = |node: usize| !is_host(node) && node > 0 && children[node] == 1;
        let root_passes = !is_host(0) && children[0] == 2;
        let mut numbers = vec![0_u32; count];
        let mut next = 0;
        for node in (0..count).filter(|&node| is_host(node)) {
            numbers[node] = next;
            next += 1;
        }
        let hosts = next;
        for node in (0..count).filter(|&node| !is_host(node)) {
            if !(passes(node) || node == 0 && root_passes) {
                numbers[node] = next;
                next += 1;
            }
        }
        let (mut links, mut at_root) = (Vec::new(), Vec::new());
        for node in (1..count).filter(|&node| !passes(node)) {
            let (mut up, mut latency) = (self.parents[node], self.lengths[node]);
            while passes(up) {
                latency += self.lengths[up];
                up = self.parents[up];
            }
            if up == 0 && root_passes {
                at_root.push((numbers[node], latency));
            } else {
                let between = [numbers[up], numbers[node]];
                links.push(Link { between, latency });
            }
        }
        if let [(a, x), (b, y)] = at_root[..] {
            links.push(Link {
                between: [a, b],
                latency: x + y,
            });
        }
        let names = self.names.into_iter().flatten().collect();
        (names, (next - hosts) as usize, links)
    }
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::CharIndices<'a>>,
    text: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: usize, message: impl ToString) -> NewickError {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        NewickError {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            message: message.to_string(),
        }
    }

    /// Returns the next character that is neither space nor comment, without taking it.
    fn peek(&mut self) -> Result<(usize, char), NewickError> {
        while let Some(&(at, c)) = self.rest.peek() {
            if c == '[' {
                if !self.rest.any(|(_, c)| c == ']') {
                    return Err(self.error(at, "this comment has no end"));
                }
            } else if c.is_whitespace() {
                self.rest.next();
            } else {
                return Ok((at, c));
            }
        }
        Err(self.error(self.text.len(), "the tree has no end: `;` is missing"))
    }

    fn tree(&mut self) -> Result<Nodes, NewickError> {
        let mut nodes = Nodes::default();
        let root = nodes.add(None, 0);
        let (at, c) = self.peek()?;
        if c != '(' {
            return Err(self.error(at, format!("expected `(`, found `{c}`")));
        }
        self.rest.next();
        let mut open = root;
        let mut depth = 1_usize;
        // Reads one child after the other: a parenthesis opens a switch, a name is a host.
        loop {
            let (at, c) = self.peek()?;
            if c == '(' {
                self.rest.next();
                open = nodes.add(None, open);
                depth += 1;
                continue;
            }
            let name = self.name()?;
            if name.is_empty() {
                return Err(self.error(at, format!("expected a host's name, found `{c}`")));
            }
            let mut node = nodes.add(Some(name), open);
            loop {
                nodes.lengths[node] = self.length()?;
                let (at, c) = self.peek()?;
                self.rest.next();
                match c {
                    ',' => break,
                    ')' => {
                        self.peek()?;
                        self.name()?;
                        (node, open) = (open, nodes.parents[open]);
                        depth -= 1;
                        if depth == 0 {
                            return self.end().map(|()| nodes);
                        }
                    }
                    _ => return Err(self.error(at, format!("expected `,` or `)`, found `{c}`"))),
                }
            }
        }
    }

    /// Reads what may follow the last parenthesis: a length without meaning, and the semicolon.
    fn end(&mut self) -> Result<(), NewickError> {
        if self.peek()?.1 == ':' {
            self.length()?;
        }
        let (at, c) = self.peek()?;
        if c != ';' {
            return Err(self.error(at, format!("expected `;`, found `{c}`")));
        }
        self.rest.next();
        match self.rest.find(|(_, c)| !c.is_whitespace()) {
            Some((at, _)) => Err(self.error(at, "the file goes on after the tree's `;`")),
            None => Ok(()),
        }
    }

    /// Reads a name, which may be quoted or empty.
    fn name(&mut self) -> Result<String, NewickError> {
        let (at, c) = self.peek()?;
        let mut name = String::new();
        if c != '\'' {
            while let Some(&(_, c)) = self.rest.peek()
                && !c.is_whitespace()
                && !"()[]:;,'".contains(c)
            {
                name.push(c);
                self.rest.next();
            }
            return Ok(name);
        }
        self.rest.next();
        while let Some((_, c)) = self.rest.next() {
            if c == '\'' && self.rest.next_if(|&(_, c)| c == '\'').is_none() {
                return Ok(name);
            }
            name.push(c);
        }
        Err(self.error(at, "this quoted name has no end"))
    }

    fn length(&mut self) -> Result<f64, NewickError> {
        let (at, c) = self.peek()?;
        if c != ':' {
            let message = format!("expected `:` and a latency in microseconds, found `{c}`");
            return Err(self.error(at, message));
        }
        self.rest.next();
        let (at, _) = self.peek()?;
        let number = self.name()?;
        match number.parse::<f64>() {
            Ok(latency) if latency.is_finite() && latency >= 0.0 => Ok(latency),
            _ => {
                let message = format!("`{number}` is no latency: a finite number, at least 0");
                Err(self.error(at, message))
            }
        }
    }
}
