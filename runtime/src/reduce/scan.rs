//! Scans (prefix reductions): the combination of the operands up to each one, or before it.

use superstep_reduction::Tree;

use super::forest::{Forest, blocks, combine_range};
use super::member::Member;

impl Member<'_> {
    /// Returns, for each operand of this processor, in their order, the combination of all operands
    /// up to it (collective).
    ///
    /// In fixed order each result depends on the number of operands alone. What stands before its
    /// block is combined as in [`reduce`](Self::reduce), and the block's operands follow from left
    /// to right. Two passes over the operands; `operand` is called once for each.
    ///
    /// ```
    /// use superstep_runtime::reduce::{self, Tree};
    ///
    /// let tree = Tree::fixed(5, 2);
    /// let sums = reduce::run(2, move |member| member.inclusive_scan(&tree, |i| i + 1, |a, b| a + b))?;
    /// assert_eq!(sums.concat(), [1, 3, 6, 10, 15]);
    /// # Ok::<(), superstep_runtime::error::RunError>(())
    /// ```
    pub fn inclusive_scan<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        operand: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Vec<T> {
        self.scan(tree, operand, &combine, |before, value| {
            let up_to = match before.take() {
                Some(before) => combine(before, value),
                None => value,
            };
            *before = Some(up_to.clone());
            up_to
        })
    }

    /// Returns, for each operand of this processor, in their order, the combination of all operands
    /// before it (collective); `identity` for the first of all. Otherwise as
    /// [`inclusive_scan`](Self::inclusive_scan).
    pub fn exclusive_scan<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        operand: impl Fn(usize) -> T,
        identity: T,
        combine: impl Fn(T, T) -> T,
    ) -> Vec<T> {
        self.scan(tree, operand, &combine, |before, value| {
            match before.take() {
                Some(left) => {
                    *before = Some(combine(left.clone(), value));
                    left
                }
                None => {
                    *before = Some(value);
                    identity.clone()
                }
            }
        })
    }

    /// Returns what `step` makes of each operand and of the prefix before it, which `step` updates.
    fn scan<T: Clone + Send + 'static, C: Fn(T, T) -> T>(
        &mut self,
        tree: &Tree,
        operand: impl Fn(usize) -> T,
        combine: &C,
        step: impl Fn(&mut Option<T>, T) -> T,
    ) -> Vec<T> {
        self.begin(tree);
        let range = self.operands(tree);
        let first = range.start;
        let values: Vec<T> = range.clone().map(operand).collect();
        let value = |i: usize| values[i - first].clone();
        let totals: Vec<T> = blocks(tree, range.clone())
            .map(|block| combine_range(block, &value, combine))
            .collect();
        let mut own = Forest::new(tree.order());
        for (block, total) in blocks(tree, range.clone()).zip(&totals) {
            own.push(tree, block, total.clone(), combine);
        }
        let mut before = self.before(tree, own, combine);
        let mut values = values.into_iter();
        let mut results = Vec::with_capacity(range.len());
        for (block, total) in blocks(tree, range).zip(totals) {
            let mut up_to = before.clone().finish(combine);
            let operands = values.by_ref().take(block.len());
            results.extend(operands.map(|value| step(&mut up_to, value)));
            before.push(tree, block, total, combine);
        }
        results
    }

    /// Returns the prefix before this processor's operands: totals go up the tree, prefixes down.
    fn before<T: Clone + Send + 'static>(
        &self,
        tree: &Tree,
        own: Forest<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Forest<T> {
        let mut total = own;
        let mut between = Vec::new();
        for child in tree.children(self.processor()) {
            between.push((child, total.clone()));
            total.append(self.receive(child), combine);
        }
        let before = match tree.parent(self.processor()) {
            Some(parent) => {
                self.send(parent, total);
                self.receive(parent)
            }
            None => Forest::new(tree.order()),
        };
        // Whoever was taken in last has the most below it.
        for (child, own) in between.into_iter().rev() {
            let mut left = before.clone();
            left.append(own, combine);
            self.send(child, left);
        }
        before
    }
}
