//! List of all algorithms.

use superstep_scheduler::{Algorithm, Effort, Needs, Row, Scheduler, Setting};

use crate::rivals::{CopyInsertion, Dsh, Etf, HillClimb};
use crate::tree::TreeAlgorithm;
use crate::{Bcsh, Cuts, Portfolio};

/// All algorithms: those of [the scheduler's list](superstep_scheduler::ALL), and those of this
/// crate.
///
/// They are in the order in which documents show them.
pub const ALL: &[Algorithm] = &[
    Algorithm::new(&AUTO),
    Algorithm::Serial,
    Algorithm::Levels,
    Algorithm::Owners,
    Algorithm::Pipeline,
    Algorithm::GrowLocal,
    Algorithm::BspGreedy,
    Algorithm::new(&BCSH),
    Algorithm::new(&CUTS),
    Algorithm::new(&PORTFOLIO),
    Algorithm::Reduction,
    Algorithm::Alg3Star,
    Algorithm::new(&ALG3),
    Algorithm::new(&ALG2),
    Algorithm::new(&ALG1),
    Algorithm::new(&PY),
    Algorithm::new(&OPTIMAL),
    Algorithm::new(&ETF),
    Algorithm::new(&DSH),
    Algorithm::new(&HILL_CLIMB),
    Algorithm::new(&COPY_INSERTION),
];

static AUTO: Row = Algorithm::Auto.row().made_by(portfolio);

static BCSH: Row = Algorithm::Bcsh.row().made_by(|_| Box::new(Bcsh::default()));

static CUTS: Row = Algorithm::Cuts.row().made_by(|setting| {
    Box::new(match setting.effort {
        Effort::Fast => Cuts::FAST,
        Effort::Balanced => Cuts::BALANCED,
        Effort::Thorough => Cuts::THOROUGH,
    })
});

static PORTFOLIO: Row = Algorithm::Portfolio.row().made_by(portfolio);

fn portfolio(setting: Setting) -> Box<dyn Scheduler> {
    Box::new(Portfolio {
        effort: setting.effort,
    })
}

static ALG3: Row = tree(TreeAlgorithm::Alg3, |_| Box::new(TreeAlgorithm::Alg3));

static ALG2: Row = tree(TreeAlgorithm::Alg2, |_| Box::new(TreeAlgorithm::Alg2));

static ALG1: Row = tree(TreeAlgorithm::Alg1, |_| Box::new(TreeAlgorithm::Alg1));

static PY: Row = tree(TreeAlgorithm::Py, |_| Box::new(TreeAlgorithm::Py));

static OPTIMAL: Row = tree(TreeAlgorithm::Optimal, |_| Box::new(TreeAlgorithm::Optimal));

const fn tree(algorithm: TreeAlgorithm, maker: fn(Setting) -> Box<dyn Scheduler>) -> Row {
    Row {
        needs: Needs::CompleteTree,
        ..Row::new(algorithm.name(), algorithm.idea(), maker)
    }
}

static ETF: Row = Row::new(
    "etf",
    "earliest task first, a classic list scheduler",
    |_| Box::new(Etf),
);

static DSH: Row = Row::new(
    "dsh",
    "the duplication scheduling heuristic of Kruatrachue and Lewis: for small graphs",
    |_| Box::new(Dsh),
);

static HILL_CLIMB: Row = Row::new(
    "hill-climb",
    "hill climbing on the BSP cost from a greedy schedule (up to 64 processors)",
    |_| Box::new(HillClimb),
);

static COPY_INSERTION: Row = Row::new(
    "copy-insertion",
    "copies in place of messages in a greedy schedule (up to 64 processors)",
    |_| Box::new(CopyInsertion),
);

#[cfg(test)]
mod tests {
    use superstep_dag::Dag;
    use superstep_machine::{Machine, Memory};

    use super::*;

    #[test]
    fn names_are_those_of_the_schedulers_and_lead_back() {
        for &algorithm in ALL {
            assert_eq!(Algorithm::named(algorithm.name(), ALL), Ok(algorithm));
            if algorithm != Algorithm::Auto {
                let scheduler = algorithm.scheduler(Setting::default()).expect("it is here");
                assert_eq!(scheduler.name(), algorithm.name());
            }
        }
        let error = Algorithm::named("fastest", ALL).unwrap_err().to_string();
        assert!(error.ends_with("copy-insertion"), "{error}");
    }

    #[test]
    fn the_scheduler_s_are_among_them_in_their_order() {
        let theirs = ALL
            .iter()
            .filter(|each| superstep_scheduler::ALL.contains(each));
        assert!(theirs.eq(superstep_scheduler::ALL));
        for stub in [Algorithm::Bcsh, Algorithm::Cuts, Algorithm::Portfolio] {
            let here = stub.of(ALL);
            assert_eq!(here, stub);
            assert!(stub.scheduler(Setting::default()).is_err());
            assert!(here.scheduler(Setting::default()).is_ok());
        }
    }

    #[test]
    fn what_copies_tasks_wins_over_private_memory_only() {
        let winners = |memory| -> Vec<&str> {
            let all = ALL.iter();
            all.filter(|each| each.can_win(memory))
                .map(|each| each.name())
                .collect()
        };
        let shared = winners(Memory::Shared);
        for name in ["levels", "owners", "pipeline", "grow-local"] {
            assert!(shared.contains(&name), "{shared:?}");
        }
        let private = winners(Memory::Private);
        assert!(shared.iter().all(|name| private.contains(name)));
        for name in ["bcsh", "cuts", "portfolio"] {
            assert!(private.contains(&name) && !shared.contains(&name), "{name}");
        }
    }

    #[test]
    fn what_an_algorithm_needs_is_what_it_refuses_graphs_for() {
        let fork = Dag::from_edges(3, &[(0, 1), (0, 2)]).expect("it has no cycle");
        let chain = Dag::from_edges(3, &[(0, 1), (1, 2)]).expect("it has no cycle");
        let machine = Machine::new(2);
        let refused = |algorithm: Algorithm, graph| {
            let found = algorithm.schedule(graph, &machine, Setting::default());
            found.is_err_and(|error| error.is_about_the_graph())
        };
        for &algorithm in ALL {
            let needs = algorithm.needs();
            assert_eq!(
                refused(algorithm, &fork),
                needs != Needs::Nothing,
                "{algorithm}"
            );
            let is_no_chain = matches!(needs, Needs::Homes | Needs::CompleteTree);
            assert_eq!(refused(algorithm, &chain), is_no_chain, "{algorithm}");
        }
    }
}
