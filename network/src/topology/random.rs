//! Random numbers that are the same on every machine and in every version.

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform below `bound`, which is above 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Shuffles a list; each order is as likely (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }

    /// Uniform in (0, 1].
    #[cfg(feature = "simulation")]
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Exponentially distributed, with mean 1.
    #[cfg(feature = "simulation")]
    pub(crate) fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    /// Gamma-distributed with shape 2 and scale 1, so with mean 2.
    #[cfg(feature = "simulation")]
    pub(crate) fn gamma2(&mut self) -> f64 {
        -(self.unit() * self.unit()).ln()
    }

    /// Normally distributed, with standard deviation 1 (Box and Muller 1958).
    #[cfg(feature = "simulation")]
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
