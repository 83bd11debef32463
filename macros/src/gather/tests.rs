//! Tests of which loops are scatters, and of what they are as gathers.

use quote::ToTokens;
use syn::{Block, ItemFn, Stmt, parse_quote};

use super::Gather;

/// Returns the kernel with gathers, whose loops go over `usize`.
fn of(function: &ItemFn) -> Option<Gather> {
    super::of(function, &|_| Some(parse_quote!(usize)))
}

/// Returns a kernel with this loop over rows.
fn kernel(rows: &Stmt) -> ItemFn {
    parse_quote! {
        pub fn solve(
            n: usize,
            #[structure] row: &[usize],
            #[structure] col: &[usize],
            #[values] values: &[f64],
            factor: f64,
            x: &mut [f64],
            y: &mut [f64],
        ) {
            let half = n / 2;
            #rows
        }
    }
}

fn gathers(rows: &Stmt) -> bool {
    of(&kernel(rows)).is_some()
}

/// Returns the text without spaces.
fn text(tokens: impl ToTokens) -> String {
    tokens
        .to_token_stream()
        .to_string()
        .split_whitespace()
        .collect()
}

#[test]
fn a_transposed_solve_is_a_gather() {
    let gather = of(&kernel(&parse_quote! {
        for i in (0..n).rev() {
            let last = row[i + 1] - 1;
            x[i] /= values[last];
            for e in row[i]..last {
                let target = col[e];
                if target < half {
                    x[target] -= factor * values[e] * x[i];
                }
            }
            y[i] = x[last];
        }
    }));
    assert!(gather.is_none(), "the array is used behind the scatter");
    let gather = of(&kernel(&parse_quote! {
        for i in (0..n).rev() {
            let last = row[i + 1] - 1;
            x[i] /= values[last];
            for e in row[i]..last {
                let target = col[e];
                if target < half {
                    x[target] -= factor * values[e] * x[i];
                }
            }
            y[i] = 1.0;
        }
    }));
    let gather = gather.expect("it scatters");
    let expected: Block = parse_quote!({
        let half = n / 2;
        for gathered_g_0 in 0..gathered_iterations_0.len() {
            let i = gathered_iterations_0[gathered_g_0] as usize;
            let last = row[i + 1] - 1;
            let gathered_own_0 = i;
            for gathered_k_0 in gathered_starts_0[gathered_g_0]..gathered_starts_0[gathered_g_0 + 1]
            {
                let i = gathered_sources_0[gathered_k_0 as usize] as usize;
                let e = gathered_entries_0[gathered_k_0 as usize] as usize;
                let target = col[e];
                x[gathered_own_0] -= factor * values[e] * x[i];
            }
            x[i] /= values[last];
            y[i] = 1.0;
        }
    });
    assert_eq!(text(&gather.function.block), text(expected));
    let [Stmt::Local(_), Stmt::Expr(recorded, _)] = &gather.recording[..] else {
        panic!("`half` is control, and there is one loop");
    };
    let expected: Stmt = parse_quote! {
        for i in (0..n).rev() {
            let last = row[i + 1] - 1;
            recorders[0usize].begin((i) as usize, (i) as usize);
            for e in row[i]..last {
                let target = col[e];
                if target < half {
                    recorders[0usize].update((e) as usize, (target) as usize);
                }
            }
        }
    };
    assert_eq!(text(recorded), text(expected));
}

#[test]
fn other_loops_stay_as_they_are() {
    let others: [Stmt; 12] = [
        // No scatter: the target is the iteration's own word.
        parse_quote!(for i in 0..n {
            for e in row[i]..row[i + 1] {
                x[i] -= values[e] * x[col[e]];
            }
        }),
        // The iteration has no word of its own.
        parse_quote!(for i in 0..n {
            for e in row[i]..row[i + 1] {
                x[col[e]] -= values[e];
            }
        }),
        // Two words of its own.
        parse_quote!(for i in 1..n {
            x[i] += x[i - 1];
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[i];
            }
        }),
        // The update reads what the kernel writes elsewhere.
        parse_quote!(for i in 0..n {
            y[i] = x[i];
            for e in row[i]..row[i + 1] {
                x[col[e]] -= y[i];
            }
        }),
        // Data of the iteration alone.
        parse_quote!(for i in 0..n {
            let s = 2.0 * x[i];
            for e in row[i]..row[i + 1] {
                x[col[e]] -= s;
            }
        }),
        // A copy of a word that has changed since.
        parse_quote!(for i in 0..n {
            let s = x[i];
            x[i] *= 2.0;
            for e in row[i]..row[i + 1] {
                x[col[e]] -= s;
            }
        }),
        // A variable that changes.
        parse_quote!(for i in 0..n {
            x[i] *= 2.0;
            let mut at = row[i];
            for e in row[i]..row[i + 1] {
                x[col[at]] -= x[i];
            }
        }),
        // Left early.
        parse_quote!(for i in 0..n {
            if row[i] > half {
                break;
            }
            x[i] *= 2.0;
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[i];
            }
        }),
        // Left with the kernel, whose results count.
        parse_quote!(for i in 0..n {
            if row[i] > half {
                return;
            }
            x[i] *= 2.0;
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[i];
            }
        }),
        // The word of its own is known in an inner loop alone.
        parse_quote!(for i in 0..n {
            for q in 0..2 {
                x[q] *= 2.0;
            }
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[q];
            }
        }),
        // Two updates.
        parse_quote!(for i in 0..n {
            x[i] *= 2.0;
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[i];
                y[col[e]] += x[i];
            }
        }),
        // The whole array is used.
        parse_quote!(for i in 0..n {
            x[i] *= 2.0;
            assert!(x.len() > i);
            for e in row[i]..row[i + 1] {
                x[col[e]] -= x[i];
            }
        }),
    ];
    for other in &others {
        assert!(!gathers(other), "{}", text(other));
    }
    let copies: [Stmt; 2] = [
        parse_quote!(for i in 0..n {
            x[i] *= 2.0;
            let s = x[i];
            for e in row[i]..row[i + 1] {
                x[col[e]] -= s;
            }
        }),
        parse_quote!(for i in 0..n {
            let s = 2.0 * x[i];
            x[i] = s;
            for e in row[i]..row[i + 1] {
                x[col[e]] -= s;
            }
        }),
    ];
    for copy in &copies {
        let gather = of(&kernel(copy)).expect("the copy has the word's value");
        assert!(text(&gather.function.block).contains("x[gathered_own_0]-=x[i];"));
    }
    let base: Stmt = parse_quote!(for i in 0..n {
        x[i] *= 2.0;
        for e in row[i]..row[i + 1] {
            x[col[e]] -= x[i];
        }
    });
    assert!(gathers(&base), "what they have in common is one");
    let guarded: Stmt = parse_quote!(for i in 0..n {
        #[guard]
        if x[i] == 0.0 {
            return Err(i);
        }
        for e in row[i]..row[i + 1] {
            x[col[e]] -= x[i];
        }
    });
    assert!(gathers(&guarded), "contents are unspecified behind a guard");
    let unknown = super::of(&kernel(&base), &|_| None);
    assert!(unknown.is_none(), "a variable has a type");
}
