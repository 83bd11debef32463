//! The five sources with all their tables and figures.

use crate::source::Kind::{Explains, Lost, Repeated, Settings};
use crate::source::{Experiment, Item, Kind, Source};
use crate::{latency, prediction, rounds, schedules, topology, trees};

/// Reason for which times on the machine of 1992 cannot be had.
const AP1000: Kind = Lost("not to be had: times on an AP1000");

/// Reason for which measurements of a real cluster cannot be had.
const CLUSTER: Kind = Lost("not to be had: measured on a real cluster");

/// Makes an item that explains.
const fn item(number: &'static str, title: &'static str) -> Item {
    Item {
        number,
        title,
        kind: Explains,
    }
}

impl Item {
    /// Repeats the item by an experiment.
    const fn by(self, experiment: Experiment) -> Self {
        self.of_kind(Repeated(experiment))
    }

    const fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

/// All sources.
pub static SOURCES: [Source; 5] = [
    Source {
        name: "latency",
        title: "Kaishima et al.: collective times by distributions of latencies with heavy tails",
        items: &[
            item("figure 1", "density of a maximum over more paths"),
            item("figure 2", "Gantt chart of collective operations"),
            item("figure 3", "estimation and evaluation, step by step"),
            item(
                "figure 4",
                "collective time over processors, Pareto and normal",
            )
            .by(latency::figure_4),
            item("table 1", "parameters of the evaluation data").of_kind(Settings),
            item("figure 5", "a trace of round trips and its estimates").by(latency::figure_5),
            item("figure 6", "errors of estimates, all shapes above 1").by(latency::figure_6),
            item("table 2", "part of the data with a shape of 1 or less").by(latency::table_2),
            item("figure 7", "gain of Pareto over normal estimates").by(latency::figure_7),
            item("figure 8", "errors of estimates, some shape of 1 or less").by(latency::figure_8),
            item("table 3", "the machine that estimates").of_kind(Settings),
            item("figure 9", "time of an estimate over processors").by(latency::figure_9),
        ],
    },
    Source {
        name: "topology",
        title: "Shirai (thesis, 2007): fast inference of topologies from round trips",
        items: &[
            item("figure 2.1", "forms of topologies"),
            item("figure 3.1", "model of a network"),
            item("figure 3.2", "topology of three hosts"),
            item("figure 3.3", "information of a pair"),
            item("figure 3.4", "steps of the inference"),
            item("figure 4.1", "measuring a pair"),
            item("figure 4.2", "spread of round trips in cluster 4").of_kind(CLUSTER),
            item("figure 4.3", "round trips with another card").of_kind(CLUSTER),
            item("figure 4.4", "results by the range in which branches agree"),
            item("figure 4.5", "size of faults by the spread"),
            item("figure 4.6", "leaving out a host"),
            item("figure 4.7", "inference of one host"),
            item("figure 5.1", "the four clusters").of_kind(Settings),
            item("figure 5.2", "inferred tree of 256 hosts").of_kind(CLUSTER),
            item("figure 5.3", "that tree by switches").of_kind(CLUSTER),
            item("figure 5.4", "results by the interval of branches").by(topology::figure_5_4),
            item("figure 5.5", "results where hosts are chosen at random").by(topology::figure_5_5),
            item("figure 5.6", "wrong answers about shared links").by(topology::figure_5_6),
            item("figure 5.7", "time of the inference").by(topology::figure_5_7),
            item("figure 5.8", "part of the pairs that is measured").by(topology::figure_5_8),
            item("figure 6.1", "order in which bandwidths are measured"),
            item("figure 6.2", "time of a tree of bandwidths").by(topology::figure_6_2),
            item("figure 6.3", "accuracy of a tree of bandwidths").by(topology::figure_6_3),
            item("figure 6.4", "bandwidth of broadcasts in cluster 4").by(topology::figure_6_4),
            item("figure 6.5", "applications by ranks").of_kind(CLUSTER),
        ],
    },
    Source {
        name: "thesis",
        title: "Fujimoto (thesis, 2000): bulk-synchronous schedules, and reductions under a delay",
        items: &[
            item("table 1.1", "cases with optimal schedules"),
            item("figure 1.1", "DSH by the model and on the machine").of_kind(AP1000),
            item("figure 2.1", "a task graph"),
            item("figure 2.2", "schedules of it"),
            item("figure 2.3", "a complete binary tree"),
            item("figure 2.4", "duplication of tasks"),
            item("figure 2.5", "another task graph"),
            item("figure 2.6", "independent groups"),
            item("figure 2.7", "delay over the length of a message").of_kind(AP1000),
            item("figure 3.1", "overhead of software"),
            item("figure 3.2", "models and machines"),
            item("figure 3.3", "a bulk-synchronous schedule"),
            item("figure 3.4", "packing of messages"),
            item("figure 3.5", "overhead saved by packing"),
            item("figure 3.6", "connected components"),
            item("table 3.1", "schedules of Jacobi 128").by(schedules::table_3_1),
            item("table 3.2", "schedules of LU 128, processors saved").by(schedules::table_3_2),
            item("table 3.3", "schedules of LU 128, processors not saved").by(schedules::table_3_3),
            item("table 3.4", "processors of each layer of LU 128").by(schedules::table_3_4),
            item("table 3.5", "words of a message after each layer of LU 128")
                .by(schedules::table_3_5),
            item("table 3.6", "schedules of LU 32").by(schedules::table_3_6),
            item("table 3.7", "schedules of FFT 8192").by(schedules::table_3_7),
            item("table 3.8", "schedules of Jacobi 512").by(schedules::table_3_8),
            item("table 3.9", "loads of each layer of LU 128")
                .of_kind(Lost("not to be had: its digits are lost")),
            item("figure 3.7", "gain of packing, Jacobi 128").by(schedules::figure_3_7),
            item("figure 3.8", "gain of saving processors, LU 128").by(schedules::figure_3_8),
            item("figure 3.9", "BCSH and DSH on LU 32").by(schedules::figure_3_9),
            item("figure 3.10", "speed-ups").by(schedules::figure_3_10),
            item("table 4.1", "algorithms for delays").by(trees::table_4_1),
            item("figure 4.1", "a schedule of PY").by(trees::figure_4_1),
            item("figure 4.2", "that schedule without repeated work").by(trees::figure_4_2),
            item("figure 4.3", "a tree of 16 operands").by(trees::figure_4_3),
            item("figure 4.4", "makespans by a lower bound").by(trees::figure_4_4),
            item("table 4.2", "the bound e over the delay").by(trees::table_4_2),
            item("figure 4.5", "ALG1 by both lower bounds").by(trees::figure_4_5),
            item("figure 4.6", "construction of ALG1"),
            item("figure 4.7", "a schedule of ALG1").by(trees::figure_4_7),
            item("figure 4.8", "construction of ALG2"),
            item("figure 4.9", "processors by those of ALG1").by(trees::figure_4_9),
            item("figure 4.10", "makespan times processors").by(trees::figure_4_10),
            item("figure 4.11", "construction of ALG3"),
            item("figure 4.12", "proof: roots and cuts"),
            item("figure 4.13", "proof: two curves"),
            item("figure 4.14", "proof: ALG1"),
        ],
    },
    Source {
        name: "rounds",
        title: "Yamamoto, Tsuru and Oie: PTUMR, work that is dealt in several rounds",
        items: &[
            item("figure 1", "scheduling in several rounds"),
            item("figure 2", "model of distributed computing"),
            item("figure 3", "UMR"),
            item("figure 4", "PTUMR"),
            item("figure 5", "function that makes rounds an integer").by(rounds::figure_5),
            item("table 1", "the platform").of_kind(Settings),
            item(
                "figure 6",
                "makespan over the workers that are sent to at once",
            )
            .by(rounds::figure_6),
            item("figure 7", "makespan over the workers").by(rounds::figure_7),
            item("figure 8", "makespan over the network").by(rounds::figure_8),
            item("figure 9", "makespan over the work").by(rounds::figure_9),
        ],
    },
    Source {
        name: "prediction",
        title: "Mizutani, Ino and Hagihara: master/slave programs predicted from some of their tasks",
        items: &[
            item("figure 1", "times of tasks by interpolation"),
            item("figure 2", "a message in LogGP"),
            item("figure 3", "steps of a prediction"),
            item("figure 4", "a simulated program"),
            item("figure 5", "predicted makespans, Mandelbrot set").by(prediction::figure_5),
            item("table 1", "tasks and their totals").by(prediction::table_1),
            item("table 2", "errors against runs").of_kind(CLUSTER),
            item("table 3", "errors against the makespan of all tasks").by(prediction::table_3),
            item("figure 6", "time of a prediction").by(prediction::figure_6),
            item("table 4", "errors of totals and of makespans").by(prediction::table_4),
            item("figure 7", "time of inserting an event").by(prediction::figure_7),
            item("figure 8", "insertion of an event"),
            item("table 5", "time of predictions and of runs").by(prediction::table_5),
            item("table 6", "moves of events").by(prediction::table_6),
        ],
    },
];
