//! The tree as text for people.

use std::fmt::Write;

use super::Tree;

impl Tree {
    /// Returns the tree as lines of text, from the switch next to host 0: each host and switch
    /// behind its link's one-way latency in microseconds.
    ///
    /// ```
    /// use superstep_network::topology::Tree;
    ///
    /// let tree: Tree = "(a:10,b:10,(c:12,d:12.34):7);".parse()?;
    /// assert_eq!(
    ///     tree.drawing(),
    ///     "switch
    /// ├─ 10.0  a
    /// ├─ 10.0  b
    /// └─ 7.0  switch
    ///    ├─ 12.0  c
    ///    └─ 12.3  d
    /// "
    /// );
    /// # Ok::<(), superstep_network::topology::NewickError>(())
    /// ```
    pub fn drawing(&self) -> String {
        let mut text = String::new();
        let first = self.order[1];
        let name = |v: u32| match self.names.get(v as usize) {
            Some(name) => name,
            None => "switch",
        };
        let mut children = self.children();
        // Two hosts alone hang on each other.
        let top = if self.switches() == 0 { 0 } else { first };
        if top == first {
            children[top as usize].insert(0, 0);
        }
        let _ = writeln!(text, "{}", name(top));
        let mut stack: Vec<(u32, String, bool)> = Vec::new();
        let push = |stack: &mut Vec<(u32, String, bool)>, v: u32, indent: &str| {
            let below = &children[v as usize];
            let last = below.len().saturating_sub(1);
            for (position, &child) in below.iter().enumerate().rev() {
                stack.push((child, indent.to_owned(), position == last));
            }
        };
        push(&mut stack, top, "");
        while let Some((v, indent, is_last)) = stack.pop() {
            let latency = self.latency(if v == 0 { first } else { v });
            let (corner, bar) = if is_last {
                ("└─", "   ")
            } else {
                ("├─", "│  ")
            };
            let _ = writeln!(text, "{indent}{corner} {latency:.1}  {}", name(v));
            if v != 0 {
                push(&mut stack, v, &format!("{indent}{bar}"));
            }
        }
        text
    }
}
