// The table of all cases, which `case.rs` reads for calls and `instances.rs` for traces. Each has a
// macro `cases` of its own.
//
// `sizes` are a tiny, a small and a real one. `pattern` is what control needs beside them; `given`
// is data that is only read, and `data` what the kernel writes.

cases! {
    dense::cholesky {
        sizes: n in [6, 24, 96],
        instance: (n),
        data: (a = dominant(n)),
        call: (n, a),
    }
    dense::givens {
        sizes: n in [5, 16, 56],
        instance: (n),
        data: (a = draw(1, n * n, |u| u + 0.5)),
        call: (n, a),
    }
    dense::householder {
        sizes: (m, n) in [(6, 4), (18, 14), (72, 56)],
        instance: (m, n),
        data: (a = draw(1, m * n, |u| u - 0.5), tau = vec![0.0; n]),
        call: (m, n, a, tau),
    }
    dense::hessenberg {
        sizes: n in [5, 14, 48],
        instance: (n),
        data: (a = draw(1, n * n, |u| u - 0.5), v = vec![0.0; n]),
        call: (n, a, v),
    }
    dense::svd {
        sizes: (m, n, sweeps) in [(4, 3, 2), (12, 10, 2), (40, 28, 3)],
        instance: (m, n, sweeps),
        data: (a = draw(1, m * n, |u| u - 0.5)),
        call: (m, n, sweeps, a),
    }
    dense::backward {
        sizes: n in [8, 64, 600],
        instance: (n),
        given: { let u = dominant(n); },
        data: (x = draw(1, n, |u| u)),
        call: (n, &u, x),
    }
    dense::inverse {
        sizes: n in [5, 16, 56],
        instance: (n),
        data: (a = dominant(n).iter().map(|&word| word as f32).collect::<Vec<_>>()),
        call: (n, a),
    }
    dense::exponential {
        sizes: (n, terms, squarings) in [(3, 4, 1), (7, 8, 2), (24, 8, 2)],
        instance: (n, terms, squarings),
        given: { let a = draw(1, n * n, |u| u - 0.5); },
        data: (e = vec![0.0; n * n], power = vec![0.0; n * n], t = vec![0.0; n * n]),
        call: (n, terms, squarings, &a, e, power, t),
    }
    estimation::kalman {
        sizes: (n, steps) in [(3, 2), (6, 8), (12, 40)],
        instance: (n, steps),
        given: {
            let f = draw(1, n * n, |u| u / n as f64);
            let q = dominant(n);
            let h = draw(2, n, |u| u);
            let y = draw(3, steps, |u| u);
        },
        data: (x = vec![0.0; n], p = dominant(n), t = vec![0.0; n * n], gain = vec![0.0; n]),
        call: (n, steps, &f, &q, &h, 0.5, &y, x, p, t, gain),
    }
    estimation::riccati {
        sizes: (n, steps) in [(3, 2), (6, 8), (12, 40)],
        instance: (n, steps),
        given: {
            let a = draw(1, n * n, |u| u / n as f64);
            let b = draw(2, n, |u| u);
            let q = dominant(n);
        },
        data: (p = dominant(n), t = vec![0.0; n * n], w = vec![0.0; n]),
        call: (n, steps, &a, &b, &q, 0.5, p, t, w),
    }
    estimation::interior {
        sizes: (m, n) in [(3, 5), (10, 24), (36, 200)],
        instance: (m, n),
        given: {
            let a = draw(1, m * n, |u| u);
            let c = draw(2, n, |u| u);
        },
        data: (
            x = draw(3, n, |u| u + 0.5),
            normal = vec![0.0; m * m],
            y = vec![0.0; m],
            d = vec![0.0; n],
        ),
        call: (m, n, &a, &c, x, normal, y, d),
    }
    banded::tridiagonal {
        sizes: (systems, n) in [(3, 6), (20, 50), (500, 100)],
        instance: (systems, n),
        given: {
            let lower = draw(1, systems * n, |u| u - 0.5);
            let diagonal = draw(2, systems * n, |u| u + 2.0);
            let upper = draw(3, systems * n, |u| u - 0.5);
        },
        data: (x = draw(4, systems * n, |u| u), c = vec![0.0; systems * n]),
        call: (systems, n, &lower, &diagonal, &upper, x, c),
    }
    banded::pentadiagonal {
        sizes: (systems, n) in [(4, 5), (16, 24), (128, 100)],
        instance: (systems, n),
        data: (
            d = draw(1, systems * n, |u| u as f32 + 6.0),
            e = draw(2, systems * n, |u| u as f32 - 2.0),
            f = draw(3, systems * n, |u| u as f32 - 0.5),
            x = draw(4, systems * n, |u| u as f32),
        ),
        call: (systems, n, d, e, f, x),
    }
    banded::spline {
        sizes: n in [8, 300, 12_000],
        instance: (n),
        given: {
            let mut x = draw(1, n, |u| u + 0.1);
            for i in 1..n {
                x[i] += x[i - 1];
            }
            let y = draw(2, n, |u| u);
        },
        data: (b = vec![0.0; n], c = vec![0.0; n], d = vec![0.0; n], t = vec![0.0; n]),
        call: (n, &x, &y, b, c, d, t),
    }
    banded::levinson {
        sizes: n in [6, 50, 350],
        instance: (n),
        given: { let r: Vec<f64> = (0..=n).map(|k| 1.0 / (1 + k * k) as f64).collect(); },
        data: (a = vec![0.0; n + 1], error = 0.0),
        call: (n, &r, a, error),
    }
    sparse::product {
        sizes: n in [12, 300, 10_000],
        pattern: { let (row, col) = pattern::rows(n); },
        instance: (n, &row, &col),
        given: {
            let values = draw(1, col.len(), |u| u);
            let x = draw(2, n, |u| u);
        },
        data: (y = vec![0.0; n]),
        call: (n, &row, &col, &values, &x, y),
    }
    sparse::substitution {
        sizes: n in [12, 300, 10_000],
        pattern: { let (row, col) = pattern::triangle(n); },
        instance: (n, &row, &col),
        given: { let values = draw(1, col.len(), |u| 0.1 * u + 1.0); },
        data: (x = draw(2, n, |u| u)),
        call: (n, &row, &col, &values, x),
    }
    sparse::ldl {
        sizes: side in [4, 8, 20],
        pattern: {
            let n = side * side;
            let Factor { a_col, a_row, l_row, l_col, place, first, below } = Factor::of_grid(side);
        },
        instance: (n, &a_col, &a_row, &l_row, &l_col, &place, &first, &below),
        given: {
            let is_diagonal = |e: usize| a_col.contains(&(e + 1));
            let a: Vec<f64> = (0..a_row.len())
                .map(|e| if is_diagonal(e) { 4.0 } else { -1.0 })
                .collect();
        },
        data: (l = vec![0.0; below.len()], d = vec![0.0; n], y = vec![0.0; n]),
        call: (n, &a_col, &a_row, &l_row, &l_col, &place, &first, &below, &a, l, d, y),
    }
    sparse::pagerank {
        sizes: (n, steps) in [(16, 2), (100, 5), (2_000, 8)],
        pattern: { let (into, from) = pattern::web(n); },
        instance: (n, steps, &into, &from),
        given: {
            let links = |page| from.iter().filter(|&&other| other == page).count().max(1);
            let share: Vec<f64> = (0..n).map(|page| 1.0 / links(page) as f64).collect();
        },
        data: (rank = vec![1.0 / n as f64; n], next = vec![0.0; n]),
        call: (n, steps, &into, &from, &share, rank, next),
    }
    grids::seidel {
        sizes: (n, sweeps) in [(6, 2), (20, 10), (128, 10)],
        instance: (n, sweeps),
        data: (u = draw(1, n * n, |u| u)),
        call: (n, sweeps, u),
    }
    grids::multigrid {
        sizes: (n, levels) in [(9, 3), (33, 4), (129, 6)],
        instance: (n, levels),
        given: { let words: usize = (0..levels).map(|l| usize::pow((n - 1) / (1 << l) + 1, 2)).sum(); },
        data: (u = vec![0.0; words], f = draw(1, words, |u| u)),
        call: (n, levels, u, f),
    }
    grids::waves {
        sizes: (n, steps) in [(6, 2), (20, 4), (120, 5)],
        instance: (n, steps),
        given: { let source = draw(1, steps, |u| u as f32); },
        data: (
            ez = vec![0.0; n * n],
            hx = draw(2, n * n, |u| u as f32),
            hy = draw(3, n * n, |u| u as f32),
        ),
        call: (n, steps, &source, ez, hx, hy),
    }
    grids::life {
        sizes: (n, generations) in [(6, 2), (16, 6), (96, 10)],
        instance: (n, generations),
        data: (cells = draw(1, n * n, |u| u8::from(u < 0.4)), next = vec![0; n * n]),
        call: (n, generations, cells, next),
    }
    grids::automaton {
        sizes: (n, steps) in [(9, 4), (64, 40), (512, 300)],
        instance: (n, steps),
        data: (cells = draw(1, n * (steps + 1), |u| u < 0.5)),
        call: (n, steps, cells),
    }
    dynamic::alignment {
        sizes: (n, m) in [(6, 5), (40, 40), (250, 250)],
        instance: (n, m),
        given: {
            let a = letters(1, n);
            let b = letters(2, m);
        },
        data: (
            best = vec![0; (n + 1) * (m + 1)],
            gap_b = vec![0; (n + 1) * (m + 1)],
            gap_a = vec![0; (n + 1) * (m + 1)],
        ),
        call: (n, m, &a, &b, best, gap_b, gap_a),
    }
    dynamic::smith_waterman {
        sizes: (n, m) in [(6, 5), (45, 45), (280, 280)],
        instance: (n, m),
        given: {
            let a = letters(1, n);
            let b = letters(2, m);
        },
        data: (table = vec![0; (n + 1) * (m + 1)], best = 0),
        call: (n, m, &a, &b, table, best),
    }
    dynamic::knapsack {
        sizes: (n, room) in [(4, 40), (20, 200), (100, 2_000)],
        pattern: { let weight = pattern::weights(n); },
        instance: (room, &weight),
        given: { let value = draw(1, n, |u| (100.0 * u) as u32); },
        data: (best = vec![0; room + 1]),
        call: (room, &weight, &value, best),
    }
    dynamic::cyk {
        sizes: (n, symbols, count) in [(4, 3, 4), (13, 5, 8), (45, 5, 8)],
        pattern: { let rules = pattern::grammar(symbols, count); },
        instance: (n, symbols, &rules),
        data: (parses = draw(1, (n + 1) * n * symbols, |u| u < 0.4)),
        call: (n, symbols, &rules, parses),
    }
    dynamic::chain {
        sizes: n in [5, 22, 90],
        instance: (n),
        given: { let size = draw(1, n + 1, |u| 1 + (100.0 * u) as u64); },
        data: (cost = vec![0; n * n]),
        call: (n, &size, cost),
    }
    dynamic::held_karp {
        sizes: n in [4, 8, 13],
        instance: (n),
        given: { let distance = draw(1, n * n, |u| 1 + (100.0 * u) as u32); },
        data: (best = vec![0; n << n]),
        call: (n, &distance, best),
    }
    dynamic::warping {
        sizes: (n, m) in [(6, 5), (60, 60), (400, 400)],
        instance: (n, m),
        given: {
            let a = draw(1, n, |u| u as f32);
            let b = draw(2, m, |u| u as f32);
        },
        data: (cost = vec![0.0; n * m]),
        call: (n, m, &a, &b, cost),
    }
    dynamic::options {
        sizes: n in [6, 40, 400],
        instance: (n),
        given: { let up = 1.01_f64; },
        data: (
            price = (0..=n).map(|i| 100.0 * up.powi(n as i32 - 2 * i as i32)).collect::<Vec<_>>(),
            value = vec![0.0; n + 1],
        ),
        call: (n, 100.0, up.recip(), 0.999, 0.5, price, value),
    }
    signal::gain {
        sizes: n in [8, 16, 100_000],
        instance: (n),
        data: (x = draw(1, n, |u| u)),
        call: (n, x),
    }
    signal::biquads {
        sizes: (channels, n, sections) in [(2, 6, 2), (4, 64, 4), (4, 2_000, 4)],
        instance: (channels, n, sections),
        given: { let coefficients = vec![[0.2, 0.4, 0.2, -0.4, 0.2]; sections]; },
        data: (x = draw(1, channels * n, |u| u as f32)),
        call: (channels, n, sections, &coefficients, x),
    }
    signal::reverb {
        sizes: n in [1_400, 2_000, 12_000],
        instance: (n),
        given: { let x = draw(1, n, |u| u as f32 - 0.5); },
        data: (comb = vec![0.0; 4 * n], pass = vec![0.0; 2 * n], y = vec![0.0; n]),
        call: (n, &x, comb, pass, y),
    }
    signal::fir {
        sizes: (n, taps) in [(9, 4), (200, 16), (2_500, 64)],
        instance: (n, taps),
        given: {
            let h = draw(1, taps, |u| u as f32);
            let x = draw(2, n + taps, |u| u as f32);
        },
        data: (y = vec![0.0; n]),
        call: (n, taps, &h, &x, y),
    }
    signal::lms {
        sizes: (n, taps) in [(5, 4), (100, 16), (2_500, 32)],
        instance: (n, taps),
        given: {
            let x = draw(1, n + taps, |u| u as f32 - 0.5);
            let wanted = draw(2, n, |u| u as f32);
        },
        data: (w = vec![0.0; taps], left = vec![0.0; n]),
        call: (n, taps, 0.01, &x, &wanted, w, left),
    }
    signal::wavelet {
        sizes: n in [16, 2_048, 65_536],
        instance: (n),
        data: (x = draw(1, n, |u| (256.0 * u) as i32)),
        call: (n, x),
    }
    signal::dct {
        sizes: blocks in [1, 4, 150],
        instance: (blocks),
        given: {
            let cosine = [0, 1, 2, 3, 4, 5, 6, 7].map(|u| {
                let scale = if u == 0 { 0.125_f64 } else { 0.25 };
                [1, 3, 5, 7, 9, 11, 13, 15].map(|odd| {
                    let angle = std::f64::consts::PI * f64::from(odd * u) / 16.0;
                    (scale.sqrt() * angle.cos()) as f32
                })
            });
        },
        data: (x = vec![[[0.0; 8]; 8].map(|row| row.map(|word: f32| word + 1.0)); blocks]),
        call: (blocks, &cosine, x),
    }
    image::pyramid {
        sizes: (n, levels) in [(8, 2), (48, 3), (400, 4)],
        instance: (n, levels),
        data: (
            image = draw(1, 2 * n * n, |u| (256.0 * u) as u8),
            rows = vec![0; n * n],
        ),
        call: (n, levels, image, rows),
    }
    image::median {
        sizes: n in [6, 40, 320],
        instance: (n),
        given: { let image = draw(1, n * n, |u| (256.0 * u) as u8); },
        data: (result = vec![0; n * n]),
        call: (n, &image, result),
    }
    image::integral {
        sizes: n in [6, 45, 300],
        instance: (n),
        given: { let image = draw(1, n * n, |u| (256.0 * u) as u8); },
        data: (sums = vec![0; (n + 1) * (n + 1)]),
        call: (n, &image, sums),
    }
    image::dither {
        sizes: n in [5, 24, 160],
        instance: (n),
        data: (image = draw(1, n * n, |u| (256.0 * u) as i16)),
        call: (n, image),
    }
    coding::viterbi {
        sizes: steps in [3, 60, 2_000],
        instance: (steps),
        given: {
            let change = draw(1, 64, |u| -u);
            let seen = draw(2, 8 * steps, |u| -u);
        },
        data: (best = vec![0.0; 8 * steps]),
        call: (steps, &change, &seen, best),
    }
    coding::ldpc {
        sizes: (n, rounds) in [(8, 2), (96, 2), (768, 8)],
        pattern: { let (check, bit) = pattern::parity(n); },
        instance: (rounds, &check, &bit),
        data: (
            belief = draw(1, n, |u| 3.0 * u as f32 - 1.0),
            message = vec![0.0; bit.len()],
        ),
        call: (rounds, &check, &bit, belief, message),
    }
    coding::reed_solomon {
        sizes: (words, n) in [(2, 5), (2, 100), (40, 239)],
        instance: (words, n),
        given: {
            let generator = [
                59, 13, 104, 189, 68, 209, 30, 8, 163, 65, 41, 229, 98, 50, 36, 59,
            ];
            let data = draw(1, words * n, |u| (256.0 * u) as u8);
        },
        data: (check = vec![[0; 16]; words]),
        call: (words, n, &generator, &data, check),
    }
    hashing::mixing {
        sizes: (n, rounds) in [(8, 3), (256, 20), (4_096, 40)],
        instance: (n, rounds),
        data: (word = (0..n as u32).collect::<Vec<_>>()),
        call: (n, rounds, word),
    }
    hashing::sha256 {
        sizes: blocks in [1, 6, 150],
        instance: (blocks),
        given: { let bytes = draw(1, 64 * blocks, |u| (256.0 * u) as u8); },
        data: (
            state = [
                0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
            ],
        ),
        call: (blocks, &bytes, state),
    }
    hashing::chacha {
        sizes: blocks in [1, 6, 180],
        instance: (blocks),
        given: {
            let mut start = [0; 16];
            start.copy_from_slice(&draw(1, 16, |u| (1e9 * u) as u32));
        },
        data: (data = vec![0; 16 * blocks]),
        call: (blocks, &start, data),
    }
    transforms::ntt {
        sizes: n in [8, 256, 8_192],
        instance: (n),
        given: { let root = roots(n); },
        data: (x = draw(1, n, |u| (1e6 * u) as u64)),
        call: (n, &root, x),
    }
    transforms::hadamard {
        sizes: n in [8, 256, 8_192],
        instance: (n),
        data: (x = draw(1, n, |u| (100.0 * u) as i32)),
        call: (n, x),
    }
    transforms::bitonic {
        sizes: n in [8, 64, 1_024],
        instance: (n),
        data: (x = draw(1, n, |u| u as f32)),
        call: (n, x),
    }
    transforms::gates {
        sizes: (bits, count) in [(3, 4), (6, 20), (11, 30)],
        pattern: { let target = pattern::targets(count, bits); },
        instance: (bits, &target),
        given: {
            let gate: Vec<[Complex<f64>; 4]> = draw(1, count, |u| {
                let (sin, cos) = (6.0 * u).sin_cos();
                [(cos, 0.0), (0.0, -sin), (0.0, -sin), (cos, 0.0)].map(|(re, im)| Complex::new(re, im))
            });
        },
        data: (state = draw(2, 1 << bits, |u| Complex::new(u, 1.0 - u))),
        call: (bits, &target, &gate, state),
    }
    simulation::line {
        sizes: (n, steps) in [(6, 3), (40, 50), (1_000, 100)],
        instance: (n, steps),
        data: (body = bodies(n)),
        call: (n, steps, body),
    }
    simulation::cloud {
        sizes: (n, steps) in [(4, 2), (20, 1), (64, 4)],
        instance: (n, steps),
        data: (body = bodies(n)),
        call: (n, steps, body),
    }
    simulation::weather {
        sizes: (n, steps) in [(7, 2), (40, 8), (200, 60)],
        instance: (n, steps),
        data: (
            x = draw(1, n, |u| 8.0 + u),
            k = vec![0.0; n],
            sum = vec![0.0; n],
            t = vec![0.0; n],
        ),
        call: (n, steps, 0.01, x, k, sum, t),
    }
    simulation::planets {
        sizes: n in [8, 1_000, 20_000],
        instance: (n),
        given: {
            let mean = draw(1, n, |u| 6.0 * u);
            let eccentricity = draw(2, n, |u| 0.9 * u);
        },
        data: (place = vec![[0.0; 2]; n]),
        call: (n, &mean, &eccentricity, place),
    }
    learning::convolution {
        sizes: (inputs, outputs, n) in [(1, 2, 5), (2, 2, 12), (4, 8, 24)],
        instance: (inputs, outputs, n),
        given: {
            let x = draw(1, inputs * n * n, |u| (256.0 * u - 128.0) as i8);
            let w = draw(2, outputs * inputs * 9, |u| (256.0 * u - 128.0) as i8);
            let bias = vec![64; outputs];
        },
        data: (y = vec![0; outputs * (n - 2) * (n - 2)]),
        call: (inputs, outputs, n, &x, &w, &bias, y),
    }
    learning::layer {
        sizes: (batch, inputs, outputs) in [(2, 5, 3), (4, 32, 24), (24, 96, 64)],
        instance: (batch, inputs, outputs),
        given: {
            let x = draw(1, batch * inputs, |u| (256.0 * u) as u8);
            let w = draw(2, outputs * inputs, |u| (256.0 * u - 128.0) as i8);
            let bias = vec![64; outputs];
        },
        data: (y = vec![0; batch * outputs]),
        call: (batch, inputs, outputs, &x, &w, &bias, y),
    }
    learning::recurrent {
        sizes: (steps, d, h) in [(2, 2, 3), (6, 4, 10), (30, 16, 32)],
        instance: (steps, d, h),
        given: {
            let x = draw(1, steps * d, |u| u as f32);
            let w = draw(2, 3 * h * (d + h), |u| u as f32 - 0.5);
        },
        data: (state = vec![0.0; h], gate = vec![0.0; 3 * h]),
        call: (steps, d, h, &x, &w, state, gate),
    }
    learning::logistic {
        sizes: (n, features, epochs) in [(4, 3, 2), (40, 10, 4), (400, 20, 8)],
        instance: (n, features, epochs),
        given: {
            let x = draw(1, n * features, |u| u as f32 - 0.5);
            let label = draw(2, n, |u| u < 0.5);
        },
        data: (w = vec![0.0; features]),
        call: (n, features, epochs, 0.1, &x, &label, w),
    }
    geometry::boxes {
        sizes: (rays, boxes) in [(4, 3), (60, 50), (400, 300)],
        instance: (rays, boxes),
        given: {
            let ray: Vec<Ray> = draw(1, rays, |u| Ray {
                origin: [0.0, u as f32, 0.5],
                inverse: [1.0, 4.0 + u as f32, -6.0],
            });
            let aabb: Vec<Aabb> = draw(2, boxes, |u| Aabb {
                low: [u as f32 + 1.0, u as f32, 0.0],
                high: [u as f32 + 1.5, u as f32 + 0.5, 0.5],
            });
        },
        data: (nearest = vec![0.0; rays]),
        call: (rays, boxes, &ray, &aabb, nearest),
    }
    geometry::polygon {
        sizes: (n, m) in [(6, 5), (40, 25), (500, 60)],
        instance: (n, m),
        given: {
            let point: Vec<Point> = points(1, n);
            let corner: Vec<Point> = (0..m)
                .map(|j| (j as f32 * std::f32::consts::TAU / m as f32).sin_cos())
                .map(|(x, y)| Point { x: 0.5 + 0.4 * x, y: 0.5 + 0.4 * y })
                .collect();
        },
        data: (inside = vec![false; n]),
        call: (n, m, &point, &corner, inside),
    }
    geometry::bezier {
        sizes: n in [4, 80, 3_000],
        instance: (n),
        given: {
            let mut control = [Point::default(); 8];
            control.copy_from_slice(&points(1, 8));
        },
        data: (curve = vec![Point::default(); n]),
        call: (n, &control, curve),
    }
    graphs::floyd {
        sizes: n in [5, 16, 56],
        instance: (n),
        data: (distance = draw(1, n * n, |u| 1.0 + 100.0 * u)),
        call: (n, distance),
    }
    graphs::closure {
        sizes: n in [5, 16, 56],
        instance: (n),
        data: (reach = draw(1, n * n, |u| u < 1.5 / n as f64)),
        call: (n, reach),
    }
    graphs::bellman_ford {
        sizes: (n, rounds) in [(8, 3), (80, 6), (1_000, 12)],
        pattern: { let (from, to) = pattern::edges(n); },
        instance: (rounds, &from, &to),
        given: { let length = draw(1, from.len(), |u| u as f32); },
        data: (distance = (0..n).map(|i| if i == 0 { 0.0 } else { f32::MAX }).collect::<Vec<_>>()),
        call: (rounds, &from, &to, &length, distance),
    }
}
