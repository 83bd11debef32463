//! Words far apart are planned as words side by side are, and take no memory for those between.

#[path = "../../fuzz/spoil.rs"]
#[allow(dead_code)]
mod spoil;
mod support;

use std::sync::Arc;

use std::ops::Range;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use spoil::{Counting, peak};
use superstep_planner::{
    Accesses, Costs, Fault, Graph, ProofError, Receiver, Track, TrackError, Used, choose,
    grow_local, prove,
};
use support::{Kernel, Pattern};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Words that stay side by side, and how far these blocks are apart.
const BLOCK: usize = 50;
const APART: usize = 1_000_000_007;

/// Returns where a word stands.
fn place(word: usize) -> usize {
    word + word / BLOCK * APART
}

/// A kernel whose words stand far apart.
struct Scattered<'k> {
    kernel: &'k Kernel,
    lengths: Vec<usize>,
    used: Option<Used>,
}

impl<'k> Scattered<'k> {
    fn new(kernel: &'k Kernel) -> Self {
        let mut scattered = Self {
            kernel,
            lengths: kernel.lengths().iter().map(|&end| place(end)).collect(),
            used: None,
        };
        scattered.used = Some(Used::of(&scattered));
        scattered
    }
}

impl Track for Scattered<'_> {
    fn iterations(&self) -> u32 {
        self.kernel.iterations()
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn used(&self) -> Option<&Used> {
        self.used.as_ref()
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        let mut scatter = Scatter(accesses);
        let mut all = Accesses::new(&mut scatter);
        self.kernel.track(iterations, &mut all)?;
        all.end();
        Ok(())
    }
}

/// Tells accesses with the places of their words.
struct Scatter<'a, 'r>(&'a mut Accesses<'r>);

impl Scatter<'_, '_> {
    fn each(&mut self, words: Range<usize>, mut tell: impl FnMut(&mut Accesses<'_>, Range<usize>)) {
        let mut start = words.start;
        while start < words.end {
            let end = words.end.min((start / BLOCK + 1) * BLOCK);
            tell(self.0, place(start)..place(start) + end - start);
            start = end;
        }
    }
}

impl Receiver for Scatter<'_, '_> {
    fn begin(&mut self) {
        self.0.begin();
    }

    fn read(&mut self, array: u16, words: Range<usize>) {
        self.each(words, |accesses, words| accesses.read(array, words));
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.each(words, |accesses, words| accesses.write(array, words));
    }

    fn update(&mut self, array: u16, words: Range<usize>) {
        self.each(words, |accesses, words| accesses.update(array, words));
    }
}

/// Prices with which each iteration is a grain.
fn costs() -> Costs {
    Costs {
        least: 1.0,
        ..Costs::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn plans_and_proofs_are_those_of_words_side_by_side(
        kind in 0..Kernel::KINDS,
        family in 0..Pattern::FAMILIES,
        n in 1usize..200,
        seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = Kernel::family(kind, Pattern::family(family, n, random), random);
        let scattered = Scattered::new(&kernel);
        let graph = Graph::new(&kernel, &costs()).expect("a good kernel");
        let (far, most) = peak(|| Graph::new(&scattered, &costs()).expect("a good kernel"));
        prop_assert!(most < 64 << 20, "{} bytes", most);
        prop_assert_eq!(far.boundaries(), graph.boundaries());
        for grain in 0..graph.grains() {
            prop_assert_eq!(far.predecessors(grain), graph.predecessors(grain));
            prop_assert_eq!(far.operands(grain), graph.operands(grain));
        }

        let plan = grow_local(&graph, 3, &costs());
        prop_assert!(prove(&scattered, plan.clone()).is_ok());
        let mut less = plan;
        if !less.order.is_free() {
            let at = random.random_range(0..less.order.waits.items.len());
            Arc::make_mut(&mut less.order).waits.items[at].steps = 0;
            let near = prove(&kernel, less.clone()).map(drop).map_err(scatter);
            prop_assert_eq!(prove(&scattered, less).map(drop), near);
        }
    }
}

/// Returns the error with the place of its word.
fn scatter(error: ProofError) -> ProofError {
    match error {
        ProofError::Unordered {
            dependence,
            array,
            word,
            first,
            second,
        } => ProofError::Unordered {
            dependence,
            array,
            word: place(word),
            first,
            second,
        },
        other => other,
    }
}

/// `x[i] = x[far]`, and then a word behind the array, if there is an iteration for it.
struct Far {
    word: usize,
    iterations: u32,
    lengths: [usize; 1],
    used: Option<Used>,
}

impl Track for Far {
    fn iterations(&self) -> u32 {
        self.iterations
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn used(&self) -> Option<&Used> {
        self.used.as_ref()
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for i in iterations.start as usize..iterations.end as usize {
            x.begin();
            match i {
                0..2 => x.read(0, self.word..self.word + 1),
                _ => x.read(0, self.lengths[0]..self.lengths[0] + 1),
            }
            x.write(0, i..i + 1);
        }
        Ok(())
    }
}

#[test]
fn a_far_word_takes_no_memory_for_those_before_it() {
    for word in [4e8 as usize, u32::MAX as usize, 1 << 50, usize::MAX - 1] {
        let mut far = Far {
            word,
            iterations: 2,
            lengths: [word + 1],
            used: None,
        };
        let (plan, most) = peak(|| {
            far.used = Some(Used::of(&far));
            let graph = Graph::new(&far, &costs())?;
            let (plan, _) = choose(&graph, 2, &costs()).expect("a plan");
            Ok::<_, TrackError>(prove(&far, plan).is_ok())
        });
        assert_eq!(plan, Ok(true));
        assert!(most < 1 << 20, "{most} bytes for word {word}");
    }
}

#[test]
fn a_word_behind_the_array_is_named() {
    let mut far = Far {
        word: 1 << 30,
        iterations: 3,
        lengths: [(1 << 30) + 1],
        used: None,
    };
    far.used = Some(Used::of(&far));
    let error = Graph::new(&far, &costs()).map(drop).unwrap_err();
    let text = "iteration 2: array 0 has 1073741825 words, none at 1073741825";
    assert_eq!(error.to_string(), text);
}
