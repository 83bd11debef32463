//! Reductions of vectors, element by element.

use superstep_reduction::Tree;

use super::forest::Forest;
use super::member::Member;

impl Member<'_> {
    /// Combines vectors of `length` elements, element by element (collective); processor 0 gets the
    /// result, if there are any vectors.
    ///
    /// If the tree says that vectors of this length [are better scattered](Tree::scatters), every
    /// processor combines its part of all vectors.
    ///
    /// # Panics
    /// Also when a vector has another length.
    pub fn reduce_vectors<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        length: usize,
        vector: impl Fn(usize) -> Vec<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Option<Vec<T>> {
        if !tree.scatters(length) {
            return self.reduce(tree, checked(length, vector), by_element(&combine));
        }
        let part = self.scatter(tree, length, vector, &combine)?;
        if self.processor() > 0 {
            self.send(0, part);
            return None;
        }
        Some(self.concatenate(tree, part))
    }

    /// Combines vectors as [`reduce_vectors`](Self::reduce_vectors) does (collective), but every
    /// processor gets the result.
    ///
    /// ```
    /// use superstep_runtime::reduce::{self, Tree};
    ///
    /// let tree = Tree::free(3, 3);
    /// let sums = reduce::run(3, move |member| {
    ///     member.allreduce_vectors(&tree, 2, |i| vec![i, 10 * i], |a, b| a + b)
    /// })?;
    /// assert_eq!(sums, vec![Some(vec![3, 30]); 3]);
    /// # Ok::<(), superstep_runtime::error::RunError>(())
    /// ```
    pub fn allreduce_vectors<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        length: usize,
        vector: impl Fn(usize) -> Vec<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Option<Vec<T>> {
        if !tree.scatters(length) {
            return self.allreduce(tree, checked(length, vector), by_element(&combine));
        }
        let all = self.scatter(tree, length, vector, &combine).map(|part| {
            let others = (0..tree.active()).filter(|&other| other != self.processor());
            others.for_each(|other| self.send(other, part.clone()));
            self.concatenate(tree, part)
        });
        Some(self.hand_on(tree, all))
    }

    /// Returns this processor's part of the result; `None` if it takes no part.
    fn scatter<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        length: usize,
        vector: impl Fn(usize) -> Vec<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Option<Vec<T>> {
        self.begin(tree);
        let (active, me) = (tree.active(), self.processor());
        if me >= active {
            return None;
        }
        let combine = by_element(combine);
        let mut own = Forest::of(
            tree,
            self.operands(tree),
            &checked(length, vector),
            &combine,
        );
        // From the last part on, each is cut off at the end.
        let mut mine = None;
        for other in (0..active).rev() {
            let first = part(length, active, other);
            let (rest, tail) = own.split(|vector: &mut Vec<T>| vector.split_off(first));
            own = rest;
            if other == me {
                mine = Some(tail);
            } else {
                self.send(other, tail);
            }
        }
        let mut result = Forest::new(tree.order());
        for other in 0..active {
            result.append(self.take_or_receive(&mut mine, other), &combine);
        }
        result.finish(&combine)
    }

    /// Joins the parts of all processors that take part, of which one is its own.
    fn concatenate<T: 'static>(&self, tree: &Tree, part: Vec<T>) -> Vec<T> {
        let mut mine = Some(part);
        let parts = (0..tree.active()).flat_map(|other| self.take_or_receive(&mut mine, other));
        parts.collect()
    }
}

/// Returns the position at which the part of a processor begins.
fn part(length: usize, active: usize, processor: usize) -> usize {
    (length as u128 * processor as u128 / active as u128) as usize
}

/// Checks that vectors have the length that was announced.
fn checked<T>(length: usize, vector: impl Fn(usize) -> Vec<T>) -> impl Fn(usize) -> Vec<T> {
    move |i| {
        let vector = vector(i);
        assert_eq!(vector.len(), length, "length of vector {i}");
        vector
    }
}

/// Combines vectors in place of the left one.
fn by_element<T>(combine: &impl Fn(T, T) -> T) -> impl Fn(Vec<T>, Vec<T>) -> Vec<T> {
    |left, right| {
        let pairs = left.into_iter().zip(right);
        pairs.map(|(left, right)| combine(left, right)).collect()
    }
}
