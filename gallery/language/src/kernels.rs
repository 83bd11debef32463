//! The kernels. Each is about something that a macro could get wrong.

use steps::kernel;

/// Two kernels of the same name: this one.
pub mod one {
    use steps::kernel;

    /// Doubles `x`.
    #[kernel]
    pub fn scale(n: usize, x: &mut [f64]) {
        for i in 0..n {
            x[i] *= 2.0;
        }
    }
}

/// Two kernels of the same name: the other.
pub mod two {
    use steps::kernel;

    /// Adds to `x` what stands in the module above.
    #[kernel]
    pub fn scale(n: usize, x: &mut [f64]) {
        for i in 0..n {
            x[i] += super::OFFSET;
        }
    }
}

/// A constant that kernels use.
pub const OFFSET: f64 = 3.0;

/// Words of a local array.
pub const WIDTH: usize = 4;

// Functions with names that the expansions have too.

fn s0(x: f64) -> f64 {
    x + 1.0
}

fn trace(x: f64) -> f64 {
    x * 2.0
}

mod statements {
    pub(super) fn twice(x: f64) -> f64 {
        2.0 * x
    }
}

/// Scalars in and out, shadowing, a local array, labels, loops of every kind.
#[kernel]
pub fn scalars(n: usize, h: f64, scale: &f64, x: &mut [f64], total: &mut f64) {
    let mut t = [0.0; WIDTH];
    let n = n + 1;
    *total = 0.0;
    'outer: for i in (0..n).rev() {
        for j in (i..=n).step_by(2) {
            if j > 3 * i + 5 {
                continue 'outer;
            }
            if i == 1 {
                break 'outer;
            }
            let u = x[i] * h;
            let v: f64 = s0(u) + trace(u) + statements::twice(u) + self::s0(u) * scale;
            t[j % WIDTH] += v;
            {
                let v = u + v;
                *total += v.abs().max(h);
            }
        }
    }
    for q in 0..WIDTH {
        x[q] = t[q] + q as f64;
    }
    let mut k = 0;
    while k < n {
        x[k] = x[k].mul_add(2.0, *total);
        k += if k % 2 == 0 { 1 } else { 2 };
    }
    let (low, high) = (n / 4, n / 2);
    x[low] = total.sqrt();
    x[high] -= -1.0;
    loop {
        if k > 20 {
            break;
        }
        k += 3;
        x[0] += k as f64;
    }
}

/// Nested arrays, fixed arrays by reference and by value, array literals.
#[kernel]
pub fn shapes(m: &mut [[f64; WIDTH]; 3], v: &[[f64; 3]], w: [f64; WIDTH], out: &mut [f64; 3]) {
    for i in 0..3 {
        let mut sum = 0.0;
        for j in 0..WIDTH {
            m[i][j] += v[j][i] * w[j];
            sum += m[i][j];
        }
        out[i] = sum;
    }
    let mut z = [[0.0f64; 2]; 2];
    z[0][1] = out[0];
    let e = [out[1], z[0][1], 3.0];
    z = [[e[0], 1.0], [2.0, e[2]]];
    out[2] = e[0] + e[1] * e[2] + z[1][0] + m.len() as f64 + m[0].len() as f64;
}

/// A type of one's own, without `Default`.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// Place.
    pub x: f64,
    /// Velocities.
    pub v: [f64; 2],
}

/// Fields of elements, tuples, `bool`, bit operations.
#[kernel]
pub fn fields(
    n: usize,
    p: &mut [Particle],
    pair: &mut (f64, u8),
    bits: &mut [u32],
    seen: &mut bool,
) {
    for i in 0..n {
        p[i].x += p[i].v[0] * 0.5;
        p[i].v[i % 2] = p[i].x;
        let moved: Particle = Particle {
            x: p[i].v[1],
            ..p[i]
        };
        p[(i + 1) % n] = moved;
        bits[i] = bits[i].wrapping_mul(31) ^ ((i as u32) << 3);
        bits[i] <<= 2;
        *seen |= bits[i] > 5 && p[i].x > 0.0;
        pair.0 += p[i].x;
        pair.1 = pair.1.rotate_left(1);
    }
}

/// A parameter that small runs do not touch, of the type of a local.
#[kernel]
pub fn untouched(n: usize, p: &[Particle], x: &mut [f64]) {
    for i in 0..n {
        let moved: Particle = Particle {
            x: x[i],
            v: [0.5, 2.0],
        };
        x[i] = moved.x * moved.v[1];
        if i > 5 {
            x[i] += p[i].x;
        }
    }
}

/// A local of a type that no parameter has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn with(self, x: f64) -> Range {
        Range {
            low: self.low.min(x),
            high: self.high.max(x),
        }
    }
}

/// Locals of that type.
#[kernel]
pub fn local_type(n: usize, x: &[f64], width: &mut f64) {
    let mut range: Range = Range::default();
    for i in 0..n {
        range = range.with(x[i]);
    }
    *width = range.high - range.low;
}

/// Lengths of slices as control.
#[kernel]
pub fn lengths(a: &[f64], x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = if a.is_empty() { 0.0 } else { a[i % a.len()] } / x.len() as f64;
    }
}

/// `match` on control: guards, bindings, ranges; `match` on data.
#[kernel]
pub fn arms(n: usize, #[structure] kind: &[i8], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] = match i {
            0 => 1.0,
            m if m % 2 == 0 => m as f64 * 0.5,
            m => x[m - 1] + m as f64,
        };
        y[i] += match kind[i] {
            k @ (1 | 2) => k as f64,
            k if k < 0 => -x[i],
            _ => 0.0,
        };
        y[i] += match x[i] {
            v if v > 0.5 && i > 0 => v + x[i - 1],
            v => -v,
        };
        y[i] += (0..3)
            .map(|q| match i {
                0 => q as f64,
                m => (m * q) as f64,
            })
            .sum::<f64>();
        match kind[i] {
            3 => y[i] = kind[i] as f64,
            k if k == 1 || matches!(i, 3..=4) => {
                y[i] += 1.0;
            }
            _ => {}
        }
    }
}

/// Conditions on control and data together: what must not be read is not.
#[kernel]
pub fn guards(n: usize, #[structure] kind: &[i8], x: &[f64], y: &mut [f64], f: &mut [bool]) {
    for i in 0..n {
        y[i] = if i > 0 && x[i - 1] > 0.5 {
            x[i - 1]
        } else {
            0.0
        };
        y[i] += if x[i] > 0.5 && i > 0 { x[i - 1] } else { x[i] };
        y[i] += if !(i == 0 || x[i] < 0.3) && kind[i - 1] > 0 {
            x[i - 1]
        } else if i + 1 < n || x[i] < 0.1 {
            x[(i + 1) % n]
        } else {
            1.0
        };
        y[i] *= if i > 0 && i + 1 < n {
            let t = x[i - 1];
            t * x[i + 1]
        } else {
            2.0
        };
        y[i] += {
            let mut s = 0.0;
            for r in 0..4 {
                if r == 2 {
                    continue;
                }
                s += x[i] * r as f64;
            }
            s
        };
        f[i] = i > 0 && (x[i - 1] > 0.4 || i + 1 == n || x[i + 1] > 0.2);
        f[i] ^= i == 0 || matches!(x[i - 1], v if v < 0.1);
    }
}

/// Structure in nested arrays and in `bool`.
#[kernel]
pub fn edges(#[structure] pairs: &[[u32; 2]], #[structure] both: &[bool; 3], x: &mut [f64]) {
    for e in 0..pairs.len() {
        let from = pairs[e][0] as usize;
        let to = pairs[e][1] as usize;
        x[to] += x[from] * 0.125 + pairs[e][1] as f64;
        if both[e] {
            x[from] -= x[to];
        }
    }
}

fn pick(i: usize, n: usize) -> usize {
    (i * 7 + 3) % n
}

/// Integers as data and as control, side by side.
#[kernel]
pub fn integers(n: usize, seed: u64, x: &mut [u64], y: &mut [i32]) {
    let mut order = [0; 8];
    for i in 0..8 {
        order[i] = (i * 3) % 8;
    }
    assert!(n >= 8, "n = {n}");
    debug_assert_eq!(n % 2, 0);
    let mut count = 0;
    for i in 0..n {
        let j = pick(i, n);
        x[i] = x[j].wrapping_add(seed).rotate_left(count);
        x[order[i % 8]] ^= 0xff;
        y[i] += (x[i] % 100) as i32 - i as i32;
        count += 1;
    }
    y[1] = {
        let q = y[0];
        let mut s = 0;
        for r in 0..3 {
            s += q * r;
        }
        s
    };
    for _ in 0..2 {
        y[2] = if let 1..=3 = y[1] { 1 } else { y[2] - 1 };
    }
    for b in 0..4u8 {
        y[3] += b as i32;
    }
}

/// Flags and sizes of several types, and two ways through.
#[kernel]
pub fn ways(n: u32, m: i64, up: bool, x: &mut [i64], count: &mut u8) {
    let mut at = if up { 0 } else { n as usize - 1 };
    let last = n as usize - 1;
    'go: loop {
        x[at] = m - at as i64;
        *count = count.wrapping_add(1);
        if up {
            if at == last {
                break 'go;
            }
            at += 1;
        } else {
            if at == 0 {
                break 'go;
            }
            at -= 1;
        }
    }
    for k in (1..=m).rev().step_by(2) {
        x[(k % 3) as usize] += k;
    }
    let down = !up;
    x[0] = if down { 1 } else { x[1] + down as i64 };
    if down {
        return;
    }
    x[1] = -1;
}

/// Lifetimes, lints, a scalar carried from iteration to iteration.
#[inline]
#[allow(clippy::many_single_char_names)]
#[kernel]
pub fn smooth<'a>(n: usize, #[structure] p: &'a [u16], x: &'a [f64], y: &mut [f64]) {
    #[allow(clippy::no_effect_underscore_binding)]
    let mut previous = x[0];
    for i in 0..n {
        let current = previous.mul_add(0.5, x[i]);
        let w = [current, previous, 1.0];
        y[p[i % 3] as usize + i] = w[0] + w[1] * w[2];
        previous = current;
    }
}

/// `mut` parameters by value, raw identifiers.
#[kernel]
pub fn by_value(mut n: usize, mut f: f64, x: &mut [f64]) {
    n /= 2;
    f *= 2.0;
    for i in 0..n {
        x[i] = f;
        f += 1.0;
    }
    let mut at = 0;
    for i in 0..n {
        x[at] = 1.0;
        if i % 2 == 0 {
            at += 1;
        }
    }
    let r#type = x[1];
    x[0] = r#type;
}

/// Parameters and variables with names that the expansions use.
#[kernel]
pub fn hygiene(
    control: usize,
    #[structure] sink: &[usize],
    original: &mut [f64],
    recorder: &mut f64,
    key: f64,
    label: &[f64],
    arguments: &[f64],
    lengths: &mut [f64],
    copies: &f64,
    with: usize,
) {
    let trace = control + with;
    for prepared in 0..trace {
        original[prepared] += key * label[sink[prepared]] * arguments[prepared] + prepared as f64;
    }
    for any in 0..lengths.len() {
        lengths[any] = *copies;
    }
    *recorder = original[control];
}

/// Refuses nothing and computes nothing: a kernel without data.
#[kernel]
pub fn nothing(n: usize) {
    for _ in 0..n {}
}
