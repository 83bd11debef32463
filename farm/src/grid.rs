//! Product grids of measured items, and linear interpolation between them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Invalid,
    error::{check, check_count, check_each, check_items, check_times},
    shape,
};

/// Positions along one axis at which items are measured, ascending.
///
/// ```
/// use superstep_farm::Axis;
///
/// // Four of 1024 items: both ends, and as even as can be between them.
/// assert_eq!(Axis::spread(1024, 4)?.nodes(), [0.0, 341.0, 682.0, 1023.0]);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    nodes: Vec<f64>,
}

/// Position of a coordinate on an axis: the node at or below it, and how far it is to the next one.
#[derive(Clone, Copy)]
struct Position {
    below: usize,
    above: usize,
    /// Share of the distance between both.
    share: f64,
}

impl Axis {
    /// Makes an axis of nodes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there are none, or they are not finite or do not ascend.
    pub fn new(nodes: Vec<f64>) -> Result<Self, Invalid> {
        if nodes.is_empty() {
            return Err(Invalid::Count {
                name: "nodes",
                found: 0,
                expected: 1,
                why: "an axis has at least one",
            });
        }
        for (position, &value) in nodes.iter().enumerate() {
            let ascends = position == 0 || nodes[position - 1] < value;
            if !(value.is_finite() && ascends) {
                return Err(Invalid::Entry {
                    name: "nodes",
                    position,
                    value,
                    range: "finite and above the node before",
                });
            }
        }
        Ok(Self { nodes })
    }

    /// Spreads `points` nodes over the items `0..length`, both ends among them: the node `i` is
    /// `i (length - 1) / (points - 1)`, rounded.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there are more points than items, fewer than two of several items, or none.
    pub fn spread(length: usize, points: usize) -> Result<Self, Invalid> {
        let fits = points <= length && points >= length.min(2) && points > 0;
        let range = "from 2 to the number of items of its axis";
        check("points", points as f64, fits, range)?;
        let step = (length - 1) as f64 / (points - 1).max(1) as f64;
        let nodes = (0..points).map(|at| (at as f64 * step).round()).collect();
        Ok(Self { nodes })
    }

    /// Returns the nodes.
    #[must_use]
    pub fn nodes(&self) -> &[f64] {
        &self.nodes
    }

    /// Finds a coordinate. Outside the nodes it is at the nearest one.
    fn position(&self, at: f64) -> Position {
        let above = self.nodes.partition_point(|&node| node < at);
        let node = |below| Position {
            below,
            above: below,
            share: 0.0,
        };
        match self.nodes.get(above) {
            None => node(self.nodes.len() - 1),
            Some(&upper) if above == 0 || upper == at => node(above),
            Some(&upper) => {
                let lower = self.nodes[above - 1];
                Position {
                    below: above - 1,
                    above,
                    share: (at - lower) / (upper - lower),
                }
            }
        }
    }

    /// Returns every second node, from the first to the last; `None` if their number is even.
    /// A single node stays.
    fn coarser(&self) -> Option<Self> {
        let odd = self.nodes.len() % 2 == 1;
        odd.then(|| Self {
            nodes: self.nodes.iter().copied().step_by(2).collect(),
        })
    }
}

/// Costs measured on the product of axes, from which those of all items are interpolated.
///
/// Interpolation is linear along each axis in turn. It is equation (1) of Mizutani, Ino and
/// Hagihara, fast performance prediction of master/slave programs by executing a subset of tasks.
/// The weight at the lower node is `1 - p`, where the print has `p - 1`. Outside the grid the
/// nearest node counts.
///
/// ```
/// use superstep_farm::{Axis, Grid};
///
/// let grid = Grid::new(vec![Axis::new(vec![0.0, 3.0])?, Axis::new(vec![1.0])?], vec![2.0, 8.0])?;
/// assert_eq!(grid.at(&[1.0, 1.0])?, 4.0);
/// assert_eq!(grid.everywhere(&[5, 1])?, [2.0, 4.0, 6.0, 8.0, 8.0]);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Vec<Axis>,
    /// Row by row: the last axis runs fastest.
    values: Vec<f64>,
}

impl Grid {
    /// Makes a grid of axes and the values at their product, the last axis running fastest.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is no axis, or not a finite value for each node.
    pub fn new(axes: Vec<Axis>, values: Vec<f64>) -> Result<Self, Invalid> {
        let lengths: Vec<usize> = axes.iter().map(|axis| axis.nodes.len()).collect();
        let expected = shape::items(&lengths)?;
        let why = "each node of the grid has one";
        check_count("values", values.len(), expected, why)?;
        check_each("values", values.iter().copied(), "finite", f64::is_finite)?;
        Ok(Self { axes, values })
    }

    /// Makes a grid of items that are the nodes of one, in any order. Item `i` of an axis has the
    /// coordinate `i`.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if they are no product of axes, there is not a cost for each, or the shape has
    /// no items or too many.
    pub fn from_items(shape: &[usize], items: &[usize], costs: &[f64]) -> Result<Self, Invalid> {
        let count = shape::items(shape)?;
        check_items(items, count)?;
        check_times("costs", costs)?;
        check_count("costs", costs.len(), items.len(), "each sample has one")?;
        let indices = items.iter().map(|&item| shape::indices(shape, item));
        let indices: Vec<Vec<usize>> = indices.collect();
        let nodes = |axis: usize| indices.iter().map(move |indices| indices[axis]);
        let axes: Vec<Vec<usize>> = (0..shape.len())
            .map(|axis| Vec::from_iter(nodes(axis).collect::<BTreeSet<_>>()))
            .collect();
        // No more than the items, of which each has one: or else some node lacks its item.
        let lengths: Vec<usize> = axes.iter().map(Vec::len).collect();
        let sorted: BTreeMap<usize, f64> =
            items.iter().copied().zip(costs.iter().copied()).collect();
        let product = lengths.iter().fold(1.0, |sum, &length| sum * length as f64);
        if product != items.len() as f64 || sorted.len() != items.len() || items.is_empty() {
            return Err(Invalid::Nodes {
                items: sorted.len(),
                lengths,
            });
        }
        let axis = |nodes: Vec<usize>| Axis {
            nodes: nodes.into_iter().map(|node| node as f64).collect(),
        };
        Self::new(
            axes.into_iter().map(axis).collect(),
            sorted.into_values().collect(),
        )
    }

    /// Returns the axes.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Interpolates at one point, in time in proportion to the nodes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if the point has not a number for each axis.
    pub fn at(&self, point: &[f64]) -> Result<f64, Invalid> {
        self.has_axes("coordinates", point.len())?;
        let is_number = |at: f64| !at.is_nan();
        check_each("point", point.iter().copied(), "a number", is_number)?;
        let places = point.iter().map(|&at| vec![at]).collect::<Vec<_>>();
        Ok(self.on_product(&places)[0])
    }

    /// Interpolates at all items of a shape, the last axis running fastest. Item `i` of an axis
    /// has the coordinate `i`. Takes time in proportion to the items and axes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if the shape has not as many axes as the grid, or too many items.
    pub fn everywhere(&self, shape: &[usize]) -> Result<Vec<f64>, Invalid> {
        self.has_axes("lengths", shape.len())?;
        shape::items(shape)?;
        let places = |&length: &usize| (0..length).map(|at| at as f64).collect();
        Ok(self.on_product(&shape.iter().map(places).collect::<Vec<_>>()))
    }

    /// Returns the grid of every second node of each axis, both ends among them; `None` if an
    /// axis has an even number of nodes, or there is one node alone.
    ///
    /// The relative difference of the totals that both predict is the stop rule of nested grids:
    /// normally more than the error of the finer one.
    #[must_use]
    pub fn coarser(&self) -> Option<Self> {
        if self.values.len() == 1 {
            return None;
        }
        let axes = self.axes.iter().map(Axis::coarser);
        let axes = axes.collect::<Option<Vec<_>>>()?;
        let points = axes.iter().map(|axis| axis.nodes.clone());
        let values = self.on_product(&points.collect::<Vec<_>>());
        Some(Self { axes, values })
    }

    fn has_axes(&self, name: &'static str, found: usize) -> Result<(), Invalid> {
        let why = "each axis of the grid has one";
        check_count(name, found, self.axes.len(), why)
    }

    /// Interpolates on the product of coordinates, axis by axis from the first.
    fn on_product(&self, coordinates: &[Vec<f64>]) -> Vec<f64> {
        let mut values = self.values.clone();
        let mut before = 1;
        for (axis, coordinates) in self.axes.iter().zip(coordinates) {
            let nodes = axis.nodes.len();
            let after = values.len() / (before * nodes);
            let positions: Vec<Position> =
                coordinates.iter().map(|&at| axis.position(at)).collect();
            let mut wider = Vec::with_capacity(before * positions.len() * after);
            for slab in values.chunks_exact(nodes * after) {
                for position in &positions {
                    let lower = &slab[position.below * after..][..after];
                    if position.share == 0.0 {
                        wider.extend_from_slice(lower);
                    } else {
                        let upper = &slab[position.above * after..][..after];
                        let between = |(&low, &high)| between(low, high, position.share);
                        wider.extend(lower.iter().zip(upper).map(between));
                    }
                }
            }
            before *= positions.len();
            values = wider;
        }
        values
    }
}

/// Returns the value at a share of the way, never beyond either end.
fn between(low: f64, high: f64, share: f64) -> f64 {
    (low + share * (high - low)).clamp(low.min(high), low.max(high))
}
