//! Layers of fan-ins: every layer combines groups of neighbours at once.

/// Returns the fastest layers for `parts` partial results, one on each processor. They are fan-ins
/// from the first layer on; their product is at least `parts`.
///
/// A layer of fan-in f costs f - 1 combinations, each with the overhead of taking in a message, and
/// one delay. All are in units of one combination. The fan-ins of a tree are equal or differ by
/// one, the smaller first. Of several equally fast numbers of layers it is the largest. The best
/// fan-in f is near f (ln f - 1) = tau - 1.
///
/// ```
/// use superstep_reduction::layered::{Layers, layers};
///
/// let layers = layers(1024, 10, 0);
/// assert_eq!(layers, Layers { fan_ins: vec![10, 10, 11], time: 58 });
/// ```
pub fn layers(parts: u64, tau: u64, overhead: u64) -> Layers {
    if parts <= 1 {
        return Layers {
            fan_ins: Vec::new(),
            time: 0,
        };
    }
    let most = u64::BITS - (parts - 1).leading_zeros();
    let with = |count| {
        let fan_ins = balanced(parts, count);
        let combinations: u64 = fan_ins.iter().map(|fan_in| fan_in - 1).sum();
        let time = combinations * (1 + overhead) + u64::from(count) * tau;
        Layers { fan_ins, time }
    };
    (1..=most)
        .rev()
        .map(with)
        .min_by_key(|layers| layers.time)
        .expect("there is at least one layer")
}

/// Layers of fan-ins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Fan-in of each layer, from the first on: each at least 2.
    pub fan_ins: Vec<u64>,
    /// Time at which the last layer is done.
    pub time: u64,
}

/// Returns the least fan-ins f and f + 1, `count` of them, whose product is at least `parts`.
fn balanced(parts: u64, count: u32) -> Vec<u64> {
    let reaches = |fan_in: u64, larger: u32| {
        let product = u128::from(fan_in).checked_pow(count - larger);
        let rest = u128::from(fan_in + 1).checked_pow(larger);
        product
            .zip(rest)
            .and_then(|(a, b)| a.checked_mul(b))
            .is_none_or(|product| product >= u128::from(parts))
    };
    let (mut low, mut fan_in) = (1, parts);
    while fan_in - low > 1 {
        let middle = low.midpoint(fan_in);
        if reaches(middle, 0) {
            fan_in = middle;
        } else {
            low = middle;
        }
    }
    // `fan_in` is the least that reaches alone; one less reaches with as many larger ones as
    // needed.
    let smaller = fan_in - 1;
    let larger = (0..=count)
        .find(|&larger| reaches(smaller, larger))
        .unwrap_or(count);
    let mut fan_ins = vec![smaller; (count - larger) as usize];
    fan_ins.extend(vec![fan_in; larger as usize]);
    fan_ins.retain(|&fan_in| fan_in > 1);
    fan_ins
}
