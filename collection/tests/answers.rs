//! Kernels compute what their names say: answers that are known, or found in another way.

use superstep_collection::kernels::*;
use superstep_collection::pattern::{Factor, Random};

/// Numbers from 0 to 1.
fn numbers(n: usize) -> Vec<f64> {
    let mut random = Random::new(9);
    (0..n).map(|_| random.below(1000) as f64 / 1e3).collect()
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn a_cholesky_factor_times_its_transpose_is_the_matrix() {
    let n = 6;
    let a: Vec<f64> = (0..n * n)
        .map(|at| if at % (n + 1) == 0 { 9.0 } else { 1.0 })
        .collect();
    let mut l = a.clone();
    dense::cholesky(n, &mut l);
    for i in 0..n {
        for j in 0..=i {
            let product: f64 = (0..=j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            assert_near(product, a[i * n + j]);
        }
    }
}

/// R'R = A'A, by rotations as by reflections.
#[test]
fn both_triangles_of_qr_have_the_squares_of_the_matrix() {
    let n = 5;
    let a = numbers(n * n);
    let (mut rotated, mut reflected) = (a.clone(), a.clone());
    dense::givens(n, &mut rotated);
    dense::householder(n, n, &mut reflected, &mut vec![0.0; n]);
    for i in 0..n {
        for j in 0..n {
            let square = |m: &[f64], rows: usize| -> f64 {
                (0..rows).map(|k| m[k * n + i] * m[k * n + j]).sum()
            };
            let whole = square(&a, n);
            assert_near(square(&rotated, i.min(j) + 1), whole);
            assert_near(square(&reflected, i.min(j) + 1), whole);
        }
    }
}

#[test]
fn the_hessenberg_form_has_the_trace_of_the_matrix_and_of_its_square() {
    let n = 6;
    let a = numbers(n * n);
    let mut h = a.clone();
    dense::hessenberg(n, &mut h, &mut vec![0.0; n]);
    let trace = |m: &[f64]| -> f64 { (0..n).map(|i| m[i * n + i]).sum() };
    let squared = |m: &[f64]| -> f64 {
        let words = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        words.map(|(i, j)| m[i * n + j] * m[j * n + i]).sum()
    };
    assert_near(trace(&h), trace(&a));
    assert_near(squared(&h), squared(&a));
    assert!((2..n).all(|i| h[i * n].abs() < 1e-12));
}

#[test]
fn sweeps_make_columns_orthogonal_and_keep_their_squares() {
    let (m, n) = (6, 4);
    let a = numbers(m * n);
    let mut u = a.clone();
    dense::svd(m, n, 8, &mut u);
    let dot = |p: usize, q: usize| -> f64 { (0..m).map(|i| u[p * m + i] * u[q * m + i]).sum() };
    assert!((1..n).all(|q| dot(0, q).abs() < 1e-12));
    let squares = |words: &[f64]| -> f64 { words.iter().map(|word| word * word).sum() };
    assert_near(squares(&u), squares(&a));
}

#[test]
fn a_matrix_of_one_word_above_the_diagonal_has_a_short_exponential() {
    let (mut e, mut power, mut t) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    dense::exponential(2, 6, 2, &[0.0, 3.0, 0.0, 0.0], &mut e, &mut power, &mut t);
    assert_eq!(e, [1.0, 3.0, 0.0, 1.0]);
}

/// Correlations of a decaying signal are predicted from the last word alone.
#[test]
fn a_decaying_signal_has_one_coefficient() {
    let r: Vec<f64> = (0..6).map(|k| 0.5_f64.powi(k)).collect();
    let (mut a, mut error) = (vec![0.0; 6], 0.0);
    banded::levinson(5, &r, &mut a, &mut error);
    assert_eq!(a, [1.0, -0.5, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(error, 0.75);
}

#[test]
fn a_spline_through_a_line_is_the_line() {
    let x = [0.0, 1.0, 3.0, 4.0];
    let y = x.map(|x| 2.0 * x + 1.0);
    let (mut b, mut c, mut d, mut t) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
    banded::spline(4, &x, &y, &mut b, &mut c, &mut d, &mut t);
    assert_eq!((b[..3].to_vec(), c, d), (vec![2.0; 3], [0.0; 4], [0.0; 4]));
}

#[test]
fn a_sparse_factor_gives_the_matrix_of_the_grid() {
    let side = 4;
    let n = side * side;
    let f = Factor::of_grid(side);
    let diagonal = |k: usize| f.a_col[k + 1] - 1;
    let mut a = vec![-1.0; f.a_row.len()];
    (0..n).for_each(|k| a[diagonal(k)] = 4.0);
    let (mut l, mut d, mut y) = (vec![0.0; f.below.len()], vec![0.0; n], vec![0.0; n]);
    sparse::ldl(
        n, &f.a_col, &f.a_row, &f.l_row, &f.l_col, &f.place, &f.first, &f.below, &a, &mut l,
        &mut d, &mut y,
    );
    let mut dense = vec![0.0; n * n];
    for j in 0..n {
        dense[j * n + j] = 1.0;
        (f.first[j]..f.first[j + 1]).for_each(|p| dense[f.below[p] * n + j] = l[p]);
    }
    for i in 0..n {
        for j in 0..n {
            let product = (0..n).map(|k| dense[i * n + k] * d[k] * dense[j * n + k]);
            let (row, column) = (i.abs_diff(j) / side, i % side == j % side);
            let is_left = i / side == j / side && i.abs_diff(j) == 1;
            let wanted = match (i == j, is_left || (row == 1 && column)) {
                (true, _) => 4.0,
                (_, true) => -1.0,
                _ => 0.0,
            };
            assert_near(product.sum(), wanted);
        }
    }
}

#[test]
fn a_step_to_the_optimum_keeps_the_constraints_and_costs_less() {
    let (m, n) = (2, 5);
    let a = numbers(m * n);
    let c = [1.0, 3.0, 0.5, 2.0, 1.0];
    let x = [1.0, 0.5, 2.0, 1.0, 0.25];
    let mut next = x;
    estimation::interior(
        m,
        n,
        &a,
        &c,
        &mut next,
        &mut [0.0; 4],
        &mut [0.0; 2],
        &mut [0.0; 5],
    );
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    for row in a.chunks(n) {
        assert_near(dot(row, &next), dot(row, &x));
    }
    assert!(dot(&c, &next) < dot(&c, &x) && next.iter().all(|&word| word > 0.0));
}

#[test]
fn a_cycle_of_multigrid_leaves_a_tenth_of_the_error() {
    let (n, words) = (17, 17 * 17 + 9 * 9 + 5 * 5);
    let (mut u, mut f) = (vec![0.0; words], vec![0.0; words]);
    f[8 * n + 8] = 1.0;
    let mut left = |u: &mut [f64]| {
        grids::multigrid(n, 3, u, &mut f);
        let words = (1..n - 1).flat_map(|i| (1..n - 1).map(move |j| i * n + j));
        words
            .map(|at| f[at] - 4.0 * u[at] + u[at - 1] + u[at + 1] + u[at - n] + u[at + n])
            .map(|word| word * word)
            .sum::<f64>()
            .sqrt()
    };
    let (first, second) = (left(&mut u), left(&mut u));
    assert!(second < 0.1 * first, "{second} of {first}");
}

#[test]
fn a_blinker_blinks() {
    let mut cells = [0; 25];
    cells[11..14].fill(1);
    let standing = |cells: &[u8; 25]| [7, 12, 17].map(|at| cells[at]);
    grids::life(5, 1, &mut cells, &mut [0; 25]);
    assert_eq!(standing(&cells), [1, 1, 1]);
    assert_eq!(cells.iter().sum::<u8>(), 3);
}

#[test]
fn rule_110_begins_as_it_is_known_to() {
    let mut cells = [false; 5 * 8];
    cells[7] = true;
    grids::automaton(8, 4, &mut cells);
    let row = |t: usize| cells[8 * t..8 * t + 8].iter().map(|&cell| u8::from(cell));
    let rows: Vec<Vec<u8>> = (1..5).map(|t| row(t).collect()).collect();
    let known = [
        [0, 0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 1, 1, 1],
        [0, 0, 0, 0, 1, 1, 0, 1],
        [0, 0, 0, 1, 1, 1, 1, 1],
    ];
    assert_eq!(rows, known);
}

#[test]
fn letters_that_are_equal_are_aligned_and_gaps_cost() {
    let score = |a: &[u8], b: &[u8]| {
        let words = (a.len() + 1) * (b.len() + 1);
        let (mut best, mut gap_b, mut gap_a) = (vec![0; words], vec![0; words], vec![0; words]);
        dynamic::alignment(a.len(), b.len(), a, b, &mut best, &mut gap_b, &mut gap_a);
        best[words - 1]
    };
    assert_eq!(score(b"ACGTA", b"ACGTA"), 25);
    // Four pairs, and a gap of one or of two letters.
    assert_eq!(score(b"ACGTA", b"ACTA"), 20 - 11);
    assert_eq!(score(b"ACGGTA", b"ACTA"), 20 - 12);
    let local = |a: &[u8], b: &[u8]| {
        let (mut table, mut best) = (vec![0; (a.len() + 1) * (b.len() + 1)], 0);
        dynamic::smith_waterman(a.len(), b.len(), a, b, &mut table, &mut best);
        best
    };
    assert_eq!(local(b"GGGACGTGG", b"TTACGTT"), 12);
}

#[test]
fn the_knapsack_takes_the_best_of_all_subsets() {
    let weight = [3, 4, 5, 9, 14, 2];
    let value = [3, 4, 4, 10, 15, 1];
    let room = 17;
    let mut best = vec![0; room + 1];
    dynamic::knapsack(room, &weight, &value, &mut best);
    let subsets = (0..1 << weight.len()).filter_map(|set: usize| {
        let taken = || (0..weight.len()).filter(|i| set >> i & 1 == 1);
        let fits = taken().map(|i| weight[i]).sum::<usize>() <= room;
        fits.then(|| taken().map(|i| value[i]).sum::<u32>())
    });
    assert_eq!(Some(best[room]), subsets.max());
}

/// S -> A B | A T, T -> S B, A -> a, B -> b: as many letters a as b after them.
#[test]
fn a_grammar_of_two_letters_parses_its_words() {
    let [s, a, b, t] = [0, 1, 2, 3];
    let rules = [[s, a, b], [s, a, t], [t, s, b]];
    let is_word = |text: &[u8]| {
        let n = text.len();
        let mut parses = vec![false; (n + 1) * n * 4];
        for (start, &letter) in text.iter().enumerate() {
            parses[(n + start) * 4 + if letter == b'a' { a } else { b }] = true;
        }
        dynamic::cyk(n, 4, &rules, &mut parses);
        parses[n * n * 4 + s]
    };
    assert!(is_word(b"ab") && is_word(b"aaabbb"));
    assert!(!is_word(b"abab") && !is_word(b"aab") && !is_word(b"ba"));
}

/// The example of Cormen, Leiserson, Rivest and Stein, section 15.2.
#[test]
fn the_chain_of_the_textbook_takes_15125_multiplications() {
    let mut cost = [0; 36];
    dynamic::chain(6, &[30, 35, 15, 5, 10, 20, 25], &mut cost);
    assert_eq!(cost[5], 15125);
}

#[test]
fn the_shortest_tour_is_the_shortest_of_all() {
    let n = 6;
    let mut random = Random::new(1);
    let distance: Vec<u32> = (0..n * n).map(|_| 1 + random.below(50) as u32).collect();
    let mut best = vec![0; n << n];
    dynamic::held_karp(n, &distance, &mut best);
    let all = ((1 << n) - 1) * n;
    let tour = (1..n)
        .map(|last| best[all + last] + distance[last * n])
        .min();
    fn shortest(at: usize, left: &[usize], n: usize, distance: &[u32]) -> u32 {
        let ways = left.iter().map(|&next| {
            let rest: Vec<usize> = left.iter().copied().filter(|&city| city != next).collect();
            distance[at * n + next] + shortest(next, &rest, n, distance)
        });
        ways.min().unwrap_or(distance[at * n])
    }
    assert_eq!(tour, Some(shortest(0, &[1, 2, 3, 4, 5], n, &distance)));
}

#[test]
fn a_signal_is_warped_onto_its_slower_self() {
    let (a, b) = ([1.0, 2.0, 4.0], [1.0, 1.0, 2.0, 2.0, 4.0]);
    let mut cost = [0.0; 15];
    dynamic::warping(3, 5, &a, &b, &mut cost);
    assert_eq!(cost[14], 0.0);
}

#[test]
fn the_wavelet_of_a_constant_has_no_details() {
    let mut x = [7; 16];
    signal::wavelet(16, &mut x);
    assert_eq!(x[0], 7);
    assert_eq!(x[1..], [0; 15]);
}

#[test]
fn sums_and_medians_of_an_image_are_those_of_its_pixels() {
    let n = 5;
    let image: Vec<u8> = (0..25).map(|at| (at * 7 % 25) as u8).collect();
    let (mut sums, mut medians) = (vec![0; 36], vec![0; 25]);
    image::integral(n, &image, &mut sums);
    image::median(n, &image, &mut medians);
    let sum: u32 = image.iter().map(|&pixel| u32::from(pixel)).sum();
    assert_eq!(sums[35], sum);
    let mut around: Vec<u8> = (1..4)
        .flat_map(|i| image[i * n + 1..i * n + 4].to_vec())
        .collect();
    around.sort_unstable();
    assert_eq!(medians[2 * n + 2], around[4]);
}

#[test]
fn one_wrong_bit_of_a_code_is_found() {
    let (check, bit) = superstep_collection::pattern::parity(32);
    let mut belief = vec![2.0; 32];
    belief[5] = -1.0;
    coding::ldpc(5, &check, &bit, &mut belief, &mut vec![0.0; bit.len()]);
    assert!(belief.iter().all(|&belief| belief > 0.0));
}

/// Words of the code vanish at the first 16 powers of 2.
#[test]
fn check_bytes_make_a_word_of_the_code() {
    let times = |mut a: u8, mut b: u8| {
        let mut product = 0;
        while b > 0 {
            product ^= a * (b & 1);
            a = (a << 1) ^ (0x1d * (a >> 7));
            b >>= 1;
        }
        product
    };
    let generator = [
        59, 13, 104, 189, 68, 209, 30, 8, 163, 65, 41, 229, 98, 50, 36, 59,
    ];
    let data: Vec<u8> = (0..20).map(|at| at * 13 + 5).collect();
    let mut check = [[0; 16]];
    coding::reed_solomon(1, 20, &generator, &data, &mut check);
    let mut root = 1;
    for _ in 0..16 {
        let word = data.iter().chain(&check[0]);
        assert_eq!(word.fold(0, |sum, &byte| times(sum, root) ^ byte), 0);
        root = times(root, 2);
    }
}

/// FIPS 180-4, the digest of `abc`.
#[test]
fn the_hash_of_abc_is_the_published_one() {
    let mut block = [0; 64];
    block[..4].copy_from_slice(b"abc\x80");
    block[63] = 24;
    let mut state = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
        0x5be0cd19,
    ];
    hashing::sha256(1, &block, &mut state);
    let known = [
        0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61,
        0xf20015ad,
    ];
    assert_eq!(state, known);
}

/// RFC 8439, section 2.3.2.
#[test]
fn the_stream_of_chacha_is_the_published_one() {
    let start = [
        0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504, 0x0b0a0908,
        0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c, 0x00000001, 0x09000000,
        0x4a000000, 0x00000000,
    ];
    let mut data = [0; 16];
    hashing::chacha(1, &start, &mut data);
    assert_eq!(data[..4], [0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3]);
    assert_eq!(data[15], 0x4e3c50a2);
}

#[test]
fn a_transform_of_numbers_is_a_polynomial_at_powers_of_the_root() {
    let n = 8_usize;
    let prime = transforms::PRIME;
    // 3^((p - 1) / 8) by squaring: 119 * 2^20 is its exponent.
    let mut root = (0..119).fold(1, |power, _| power * 3 % prime);
    for _ in 0..20 {
        root = root * root % prime;
    }
    let powers: Vec<u64> = std::iter::successors(Some(1), |power| Some(power * root % prime))
        .take(n)
        .collect();
    let first = [3, 1, 4, 1, 5, 9, 2, 6];
    let mut x = first;
    transforms::ntt(n, &powers, &mut x);
    for (at, &value) in x.iter().enumerate() {
        let k = (at as u8).reverse_bits() as usize >> 5;
        let sum: u64 = (0..n).map(|i| first[i] * powers[i * k % n] % prime).sum();
        assert_eq!(value, sum % prime);
    }
}

#[test]
fn a_transform_of_walsh_undoes_itself() {
    let first = [3, 1, 4, 1, 5, 9, 2, 6];
    let mut x = first;
    transforms::hadamard(8, &mut x);
    assert_eq!(x[0], 31);
    transforms::hadamard(8, &mut x);
    assert_eq!(x, first.map(|word| 8 * word));
}

#[test]
fn the_network_sorts() {
    let mut x: Vec<f32> = numbers(64).into_iter().map(|word| word as f32).collect();
    let mut sorted = x.clone();
    sorted.sort_unstable_by(f32::total_cmp);
    transforms::bitonic(64, &mut x);
    assert_eq!(x, sorted);
}

#[test]
fn anomalies_satisfy_the_equation_of_kepler() {
    let (mean, eccentricity) = ([0.5, 2.0], [0.1, 0.7]);
    let mut place = [[0.0; 2]; 2];
    simulation::planets(2, &mean, &eccentricity, &mut place);
    for ((&mean, &eccentricity), [x, y]) in mean.iter().zip(&eccentricity).zip(place) {
        let short = (1.0_f64 - eccentricity * eccentricity).sqrt();
        let anomaly = (y / short).atan2(x + eccentricity);
        assert_near(anomaly - eccentricity * anomaly.sin(), mean);
    }
}

#[test]
fn a_square_contains_what_is_inside() {
    use geometry::{Aabb, Point, Ray};
    let corner = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point { x, y });
    let point = [(0.5, 0.5), (1.5, 0.5), (0.9, 0.1)].map(|(x, y)| Point { x, y });
    let mut inside = [false; 3];
    geometry::polygon(3, 4, &point, &corner, &mut inside);
    assert_eq!(inside, [true, false, true]);
    let ray = [1.0, -1.0].map(|inverse| Ray {
        origin: [0.0, 0.5, 0.5],
        inverse: [inverse, f32::INFINITY, f32::INFINITY],
    });
    let aabb = [2.0, 5.0].map(|at| Aabb {
        low: [at, 0.0, 0.0],
        high: [at + 1.0, 1.0, 1.0],
    });
    let mut nearest = [0.0; 2];
    geometry::boxes(2, 2, &ray, &aabb, &mut nearest);
    assert_eq!(nearest, [2.0, f32::INFINITY]);
}

/// The example of Cormen, Leiserson, Rivest and Stein, section 25.2.
#[test]
fn shortest_paths_of_the_textbook_are_found() {
    let no = f64::INFINITY;
    let mut distance = [
        [0.0, 3.0, 8.0, no, -4.0],
        [no, 0.0, no, 1.0, 7.0],
        [no, 4.0, 0.0, no, no],
        [2.0, no, -5.0, 0.0, no],
        [no, no, no, 6.0, 0.0],
    ];
    graphs::floyd(5, distance.as_flattened_mut());
    let known = [
        [0.0, 1.0, -3.0, 2.0, -4.0],
        [3.0, 0.0, -4.0, 1.0, -1.0],
        [7.0, 4.0, 0.0, 5.0, 3.0],
        [2.0, -1.0, -5.0, 0.0, -2.0],
        [8.0, 5.0, 1.0, 6.0, 0.0],
    ];
    assert_eq!(distance, known);
}

#[test]
fn the_closure_is_what_a_walk_reaches() {
    let n = 12;
    let mut random = Random::new(2);
    let edges: Vec<bool> = (0..n * n).map(|_| random.below(8) == 0).collect();
    let mut reach = edges.clone();
    graphs::closure(n, &mut reach);
    for start in 0..n {
        let (mut seen, mut next) = (vec![false; n], vec![start]);
        while let Some(at) = next.pop() {
            for to in 0..n {
                if edges[at * n + to] && !seen[to] {
                    seen[to] = true;
                    next.push(to);
                }
            }
        }
        assert_eq!(reach[start * n..][..n], seen);
    }
}

/// Rounds over all edges find what all pairs do.
#[test]
fn one_node_s_paths_are_a_row_of_all_paths() {
    let n = 10;
    let (from, to) = superstep_collection::pattern::edges(n);
    let length: Vec<f32> = (0..from.len()).map(|e| 1.0 + (e * 7 % 11) as f32).collect();
    let mut distance: Vec<f32> = (0..n).map(|i| if i == 0 { 0.0 } else { 1e9 }).collect();
    graphs::bellman_ford(n, &from, &to, &length, &mut distance);
    let mut all = vec![1e9; n * n];
    for e in 0..from.len() {
        let word = &mut all[from[e] as usize * n + to[e] as usize];
        *word = f64::min(*word, length[e].into());
    }
    (0..n).for_each(|i| all[i * n + i] = 0.0);
    graphs::floyd(n, &mut all);
    assert!((0..n).all(|i| f64::from(distance[i]) == all[i]));
}
