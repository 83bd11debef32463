use superstep::kernel;

const SIGMA: [[usize; 16]; 10] = [[0; 16]; 10];

#[kernel]
fn mix(rounds: usize, m: &[u32], v: &mut [u32]) {
    for round in 0..rounds {
        let s = &SIGMA[round % 10];
        for i in 0..8 {
            v[i] = v[i].wrapping_add(m[s[2 * i]]);
        }
    }
}

#[kernel]
fn first(m: &[u32], v: &mut [u32]) {
    let mut s = &SIGMA[0];
    v[0] = m[s[0]];
    s = &SIGMA[1];
    v[1] = m[s[1]];
}

fn main() {}
