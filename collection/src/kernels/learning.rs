//! Layers of neural networks.

use superstep::kernel;

/// Convolves `inputs` images of `n` x `n` bytes to `outputs` of `n - 2` by 3 x 3 weights, and
/// quantises again.
#[kernel]
pub fn convolution(
    inputs: usize,
    outputs: usize,
    n: usize,
    x: &[i8],
    w: &[i8],
    bias: &[i32],
    y: &mut [i8],
) {
    let m = n - 2;
    for o in 0..outputs {
        for i in 0..m {
            for j in 0..m {
                let mut sum = bias[o];
                for c in 0..inputs {
                    for di in 0..3 {
                        for dj in 0..3 {
                            sum += i32::from(x[(c * n + i + di) * n + j + dj])
                                * i32::from(w[((o * inputs + c) * 3 + di) * 3 + dj]);
                        }
                    }
                }
                y[(o * m + i) * m + j] = (sum >> 7).clamp(-128, 127) as i8;
            }
        }
    }
}

/// Applies a dense layer of bytes to `batch` inputs: the sums are scaled, and negative ones cut
/// off.
#[kernel]
pub fn layer(
    batch: usize,
    inputs: usize,
    outputs: usize,
    x: &[u8],
    w: &[i8],
    bias: &[i32],
    y: &mut [u8],
) {
    for b in 0..batch {
        for o in 0..outputs {
            let mut sum = bias[o];
            for i in 0..inputs {
                sum += i32::from(x[b * inputs + i]) * i32::from(w[o * inputs + i]);
            }
            y[b * outputs + o] = (sum.max(0) >> 8).min(255) as u8;
        }
    }
}

/// From minus infinity to infinity: from 0 to 1.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Runs a gated recurrent unit of `h` states on `steps` inputs of `d` words. Rows of `w` are inputs
/// before states, for update, reset and new state. `gate` has 3 `h` words of scratch.
#[kernel]
pub fn recurrent(
    steps: usize,
    d: usize,
    h: usize,
    x: &[f32],
    w: &[f32],
    state: &mut [f32],
    gate: &mut [f32],
) {
    let width = d + h;
    for t in 0..steps {
        for g in 0..2 * h {
            let mut sum = 0.0;
            for i in 0..d {
                sum += w[g * width + i] * x[t * d + i];
            }
            for i in 0..h {
                sum += w[g * width + d + i] * state[i];
            }
            gate[g] = sigmoid(sum);
        }
        for g in 2 * h..3 * h {
            let mut sum = 0.0;
            for i in 0..d {
                sum += w[g * width + i] * x[t * d + i];
            }
            for i in 0..h {
                sum += w[g * width + d + i] * gate[h + i] * state[i];
            }
            gate[g] = sum.tanh();
        }
        for i in 0..h {
            state[i] = (1.0 - gate[i]) * state[i] + gate[i] * gate[2 * h + i];
        }
    }
}

/// Fits `features` weights to `n` samples in `epochs` epochs of single steps (logistic regression).
#[kernel]
pub fn logistic(
    n: usize,
    features: usize,
    epochs: usize,
    rate: f32,
    x: &[f32],
    label: &[bool],
    w: &mut [f32],
) {
    for _ in 0..epochs {
        for i in 0..n {
            let mut sum = 0.0;
            for f in 0..features {
                sum += w[f] * x[i * features + f];
            }
            let wrong: f32 = sigmoid(sum) - if label[i] { 1.0 } else { 0.0 };
            for f in 0..features {
                w[f] -= rate * wrong * x[i * features + f];
            }
        }
    }
}
