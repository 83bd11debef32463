//! Random loop nests.
//!
//! A nest is grown statement by statement. Every index is affine in loop variables whose range is
//! known (or reduced modulo a constant). So the largest index of every array is known too, and each
//! array is declared just as long as it must be.

use crate::draw::Draw;
use crate::kernel::{Kernel, Shape, array_type};
use crate::word::Word;

/// Style of nests.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Depth of the deepest loop.
    pub depth: usize,
    /// Value of the size `n`; the other size, `m`, is a third of it and 3.
    pub n: usize,
    /// Top-level nests.
    pub nests: usize,
}

/// A control variable and its range, both ends included.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    least: usize,
    most: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Input,
    InOut,
    InOutArray,
    Local,
}

/// An array, and the largest index seen in each of its dimensions.
#[derive(Clone, Debug)]
struct Array {
    name: &'static str,
    place: Place,
    most: Vec<usize>,
}

struct Nest<'a> {
    draw: &'a mut Draw,
    word: Word,
    style: Style,
    arrays: Vec<Array>,
    variables: Vec<Variable>,
    /// Local scalars in scope, and whether each may be assigned.
    scalars: Vec<(String, bool)>,
    names: usize,
    lines: Vec<String>,
}

/// A random kernel over `word`.
pub fn kernel(name: &str, draw: &mut Draw, word: Word, style: Style) -> Kernel {
    let mut arrays = vec![
        Array {
            name: "a",
            place: Place::InOut,
            most: vec![0],
        },
        Array {
            name: "b",
            place: Place::Input,
            most: vec![0],
        },
        Array {
            name: "c",
            place: Place::InOut,
            most: vec![0],
        },
    ];
    if draw.chance(50) {
        arrays.push(Array {
            name: "grid",
            place: Place::InOutArray,
            most: vec![0, 0],
        });
    }
    if draw.chance(40) {
        arrays.push(Array {
            name: "w",
            place: Place::Local,
            most: vec![0],
        });
    } else if draw.chance(40) {
        arrays.push(Array {
            name: "w",
            place: Place::Local,
            most: vec![0, 0],
        });
    }
    let (n, m) = (style.n, style.n / 3 + 3);
    let mut nest = Nest {
        draw,
        word,
        style,
        arrays,
        variables: Vec::new(),
        scalars: Vec::new(),
        names: 0,
        lines: Vec::new(),
    };
    nest.scalars.push(("*s".into(), true));
    for _ in 0..style.nests {
        nest.nest(style.depth);
    }
    let Nest {
        arrays,
        mut lines,
        draw,
        ..
    } = nest;

    let mut kernel = Kernel::new(name, format!("A random nest over `{}`.", word.name()));
    // An integer that control does not use would be data.
    for (size, value) in [("n", n), ("m", m)] {
        let is_control = |line: &String| {
            let loops = line.starts_with("for ") || line.starts_with("if ");
            loops && tokens(line).any(|token| token == size)
                || line.contains(&format!("[{size} -"))
                || line.contains(&format!("({size} +"))
        };
        if lines.iter().any(is_control) {
            kernel = kernel.size(size, value);
        }
    }
    for array in &arrays {
        let lengths: Vec<usize> = array.most.iter().map(|most| most + 1).collect();
        kernel = match array.place {
            Place::Input => kernel.input(array.name, word, lengths[0]),
            Place::InOut => kernel.inout(array.name, word, lengths[0]),
            Place::InOutArray => kernel.data(array.name, word, Shape::InOutArray(lengths)),
            Place::Local => {
                let first = word.literal(draw);
                let value = lengths
                    .iter()
                    .rev()
                    .fold(first, |inner, length| format!("[{inner}; {length}]"));
                lines.insert(
                    0,
                    format!(
                        "let mut {}: {} = {value};",
                        array.name,
                        array_type(word.name(), &lengths)
                    ),
                );
                kernel
            }
        };
    }
    kernel
        .data("s", word, Shape::InOutScalar)
        .body(lines.join("\n"))
}

fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric())
}

impl Nest<'_> {
    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A loop, and what is in it.
    fn nest(&mut self, depth: usize) {
        let name = self.fresh("i");
        let variable = self.header(&name);
        self.variables.push(variable);
        let scalars = self.scalars.len();
        if depth > 1 {
            self.before(depth);
            self.nest(depth - 1);
            if self.draw.chance(30) {
                self.statement();
            }
        } else {
            if self.lines.iter().all(|line| !line.starts_with("a[")) {
                let target = self.element(0);
                self.assign(&target);
            }
            for _ in 0..self.draw.between(1, 2) {
                self.statement();
            }
        }
        self.scalars.truncate(scalars);
        self.variables.pop();
        self.line("}".into());
    }

    /// Writes a statement that may stand in front of an inner loop.
    fn before(&mut self, depth: usize) {
        match self.draw.between(0, 5) {
            0 | 1 => {
                let (name, value) = (self.fresh("t"), self.expression());
                let word = self.word.name();
                self.line(format!("let mut {name}: {word} = {value};"));
                self.scalars.push((name, true));
            }
            2 => self.statement(),
            3 if depth == 2 => {
                let name = self.fresh("k");
                let (last, most) = self.largest();
                self.line(format!("let {name} = {last} / 2 + 1;"));
                self.variables.push(Variable {
                    name,
                    least: 0,
                    most: most / 2 + 1,
                });
                // The variable goes out of scope with the loop around it; what follows may use it.
                let inner = self.variables.len() - 1;
                self.statement();
                self.variables.remove(inner);
            }
            _ => {}
        }
    }

    fn largest(&self) -> (String, usize) {
        self.variables
            .last()
            .map_or(("n".into(), self.style.n), |v| (v.name.clone(), v.most))
    }

    /// Opens a loop.
    fn header(&mut self, name: &str) -> Variable {
        let (n, m) = (self.style.n, self.style.n / 3 + 3);
        let variable = |least, most| Variable {
            name: name.into(),
            least,
            most,
        };
        let outer = self
            .variables
            .last()
            .cloned()
            .filter(|outer| outer.most + 1 >= n);
        let (range, variable) = match outer {
            Some(outer) if self.draw.chance(60) => {
                let o = outer.name;
                match self.draw.between(0, 5) {
                    0 => (format!("{o}..n + 1"), variable(outer.least, n)),
                    1 => (format!("0..{o}"), variable(0, outer.most - 1)),
                    2 => (
                        format!("({o} + 1..n + 2).rev()"),
                        variable(outer.least + 1, n + 1),
                    ),
                    3 => (format!("0..={o}"), variable(0, outer.most)),
                    4 => (
                        format!("(0..{o} + 2).step_by(2)"),
                        variable(0, outer.most + 1),
                    ),
                    _ => (
                        format!("({o}..=n).rev().step_by(2)"),
                        variable(outer.least, n),
                    ),
                }
            }
            _ => match self.draw.between(0, 7) {
                0 => ("0..n".into(), variable(0, n - 1)),
                1 => ("1..n - 1".into(), variable(1, n - 2)),
                2 => ("(0..n).rev()".into(), variable(0, n - 1)),
                3 => ("(0..n).step_by(3)".into(), variable(0, n - 1)),
                4 => ("1..=m".into(), variable(1, m)),
                5 => ("(1..=n).rev()".into(), variable(1, n)),
                6 => ("(0..2 * m).rev().step_by(2)".into(), variable(0, 2 * m - 1)),
                _ => ("m / 2..n".into(), variable(m / 2, n - 1)),
            },
        };
        self.line(format!("for {name} in {range} {{"));
        variable
    }

    /// An assignment, or several under a condition or in a block.
    fn statement(&mut self) {
        match self.draw.between(0, 9) {
            0 | 1 => self.guarded(),
            2 => {
                // A temporary that shadows the one before it.
                let value = self.expression();
                let word = self.word.name();
                self.line("{".into());
                self.line(format!("let t: {word} = {value};"));
                self.scalars.push(("t".into(), false));
                let value = self.expression();
                self.line(format!("let t: {word} = {value};"));
                self.assignment();
                self.scalars.pop();
                self.line("}".into());
            }
            _ => self.assignment(),
        }
    }

    fn guarded(&mut self) {
        let Some(variable) = self.variables.last().cloned() else {
            return self.assignment();
        };
        let (name, first) = (&variable.name, self.variables[0].name.clone());
        match self.draw.between(0, 3) {
            0 if variable.least == 0 && variable.most > 0 => {
                self.line(format!("if {name} > 0 {{"));
                let last = self.variables.len() - 1;
                self.variables[last].least = 1;
                self.assignment();
                self.variables[last].least = 0;
            }
            1 => {
                self.line(format!("if {name} % 3 == 1 {{"));
                self.assignment();
                self.line(format!("}} else if {name} > {first} || n < 4 {{"));
                self.assignment();
            }
            2 => {
                self.line(format!(
                    "if ({name} + {first}) % 2 == 0 && {name} != n / 2 {{"
                ));
                self.assignment();
                self.line("} else {".into());
                self.assignment();
            }
            _ => {
                self.line(format!("if !({name} == {first} + 1) {{"));
                self.assignment();
                self.assignment();
            }
        }
        self.line("}".into());
    }

    fn assignment(&mut self) {
        let scalars: Vec<String> = self
            .scalars
            .iter()
            .filter(|s| s.1)
            .map(|s| s.0.clone())
            .collect();
        let target = if self.draw.chance(15) {
            self.draw.pick(&scalars).clone()
        } else {
            self.written()
        };
        self.assign(&target);
    }

    fn assign(&mut self, target: &str) {
        let value = self.expression();
        if self.draw.chance(40) {
            let compound = self.word.compound(self.draw, &value);
            self.line(format!("{target} {compound};"));
        } else {
            self.line(format!("{target} = {value};"));
        }
    }

    /// An element of an array that may be written.
    fn written(&mut self) -> String {
        let choices: Vec<usize> = (0..self.arrays.len())
            .filter(|&a| self.arrays[a].place != Place::Input)
            .collect();
        let array = *self.draw.pick(&choices);
        self.element(array)
    }

    fn element(&mut self, array: usize) -> String {
        let mut text = self.arrays[array].name.to_string();
        for dimension in 0..self.arrays[array].most.len() {
            let small =
                self.arrays[array].most.len() > 1 || self.arrays[array].place == Place::Local;
            let (index, most) = self.index(small);
            let known = &mut self.arrays[array].most[dimension];
            *known = most.max(*known);
            text += &format!("[{index}]");
        }
        text
    }

    /// An index and the largest value that it takes; `small` keeps that below 2 `n`.
    fn index(&mut self, small: bool) -> (String, usize) {
        let n = self.style.n;
        let x = self.draw.pick(&self.variables).clone();
        let y = self.draw.pick(&self.variables).clone();
        let last = self
            .variables
            .last()
            .expect("statements stand in loops")
            .clone();
        match self.draw.between(0, if small { 5 } else { 9 }) {
            0 => (last.name, last.most),
            1 if x.least > 0 => (format!("{} - 1", x.name), x.most - 1),
            1 => (format!("{} + 1", x.name), x.most + 1),
            2 if x.most <= n => (format!("n - {}", x.name), n - x.least),
            2 | 3 => (x.name, x.most),
            4 => (format!("({} + 3 * {}) % 17", x.name, y.name), 16),
            5 => (format!("{} / 2", x.name), x.most / 2),
            6 => (format!("{} + {}", x.name, y.name), x.most + y.most),
            7 => (format!("2 * {} + 1", x.name), 2 * x.most + 1),
            _ => (
                format!("{} * (n + 2) + {}", x.name, last.name),
                x.most * (n + 2) + last.most,
            ),
        }
    }

    fn operand(&mut self) -> String {
        match self.draw.between(0, 11) {
            0 => self.word.literal(self.draw),
            1 => {
                let control = self.draw.pick(&self.variables).name.clone();
                self.word.from_control(&control)
            }
            2 | 3 if !self.scalars.is_empty() => self.draw.pick(&self.scalars).0.clone(),
            4 => {
                let variable = self.draw.pick(&self.variables).clone();
                let otherwise = self.word.literal(self.draw);
                let most = variable.most.saturating_sub(1);
                let known = &mut self.arrays[0].most[0];
                *known = most.max(*known);
                format!(
                    "(if {0} > 0 {{ a[{0} - 1] }} else {{ {otherwise} }})",
                    variable.name
                )
            }
            _ => {
                let array = self.draw.between(0, self.arrays.len() - 1);
                self.element(array)
            }
        }
    }

    fn expression(&mut self) -> String {
        let mut operands: Vec<String> = (0..3).map(|_| self.operand()).collect();
        for operand in &mut operands {
            if operand.starts_with('*') {
                *operand = format!("({operand})");
            }
        }
        let word = self.word;
        if self.draw.chance(35) {
            let inner = word.expression(self.draw, &operands);
            operands.push(format!("({inner})"));
        }
        word.expression(self.draw, &operands)
    }
}
