//! The five sources with all their tables and figures.

use crate::source::Kind::{Explains, Lost, Repeated, Settings};
use crate::source::{Item, Kind, Source};
use crate::{latency, prediction, rounds, schedules, topology, trees};

/// Reason for which times on the machine of 1992 cannot be had.
const AP1000: Kind = Lost("not to be had: times on an AP1000");

/// Reason for which measurements of a real cluster cannot be had.
const CLUSTER: Kind = Lost("not to be had: measured on a real cluster");

const fn item(number: &'static str, title: &'static str, kind: Kind) -> Item {
    Item {
        number,
        title,
        kind,
    }
}

/// All sources.
pub static SOURCES: [Source; 5] = [
    Source {
        name: "latency",
        title: "Kaishima et al.: collective times by distributions of latencies with heavy tails",
        items: &[
            item("figure 1", "density of a maximum over more paths", Explains),
            item("figure 2", "Gantt chart of collective operations", Explains),
            item(
                "figure 3",
                "estimation and evaluation, step by step",
                Explains,
            ),
            item(
                "figure 4",
                "collective time over processors, Pareto and normal",
                Repeated(latency::figure_4),
            ),
            item("table 1", "parameters of the evaluation data", Settings),
            item(
                "figure 5",
                "a trace of round trips and its estimates",
                Repeated(latency::figure_5),
            ),
            item(
                "figure 6",
                "errors of estimates, all shapes above 1",
                Repeated(latency::figure_6),
            ),
            item(
                "table 2",
                "part of the data with a shape of 1 or less",
                Repeated(latency::table_2),
            ),
            item(
                "figure 7",
                "gain of Pareto over normal estimates",
                Repeated(latency::figure_7),
            ),
            item(
                "figure 8",
                "errors of estimates, some shape of 1 or less",
                Repeated(latency::figure_8),
            ),
            item("table 3", "the machine that estimates", Settings),
            item(
                "figure 9",
                "time of an estimate over processors",
                Repeated(latency::figure_9),
            ),
        ],
    },
    Source {
        name: "topology",
        title: "Shirai (thesis, 2007): fast inference of topologies from round trips",
        items: &[
            item("figure 2.1", "forms of topologies", Explains),
            item("figure 3.1", "model of a network", Explains),
            item("figure 3.2", "topology of three hosts", Explains),
            item("figure 3.3", "information of a pair", Explains),
            item("figure 3.4", "steps of the inference", Explains),
            item("figure 4.1", "measuring a pair", Explains),
            item("figure 4.2", "spread of round trips in cluster 4", CLUSTER),
            item("figure 4.3", "round trips with another card", CLUSTER),
            item(
                "figure 4.4",
                "results by the range in which branches agree",
                Explains,
            ),
            item("figure 4.5", "size of faults by the spread", Explains),
            item("figure 4.6", "leaving out a host", Explains),
            item("figure 4.7", "inference of one host", Explains),
            item("figure 5.1", "the four clusters", Settings),
            item("figure 5.2", "inferred tree of 256 hosts", CLUSTER),
            item("figure 5.3", "that tree by switches", CLUSTER),
            item(
                "figure 5.4",
                "results by the interval of branches",
                Repeated(topology::figure_5_4),
            ),
            item(
                "figure 5.5",
                "results where hosts are chosen at random",
                Repeated(topology::figure_5_5),
            ),
            item(
                "figure 5.6",
                "wrong answers about shared links",
                Repeated(topology::figure_5_6),
            ),
            item(
                "figure 5.7",
                "time of the inference",
                Repeated(topology::figure_5_7),
            ),
            item(
                "figure 5.8",
                "part of the pairs that is measured",
                Repeated(topology::figure_5_8),
            ),
            item(
                "figure 6.1",
                "order in which bandwidths are measured",
                Explains,
            ),
            item(
                "figure 6.2",
                "time of a tree of bandwidths",
                Repeated(topology::figure_6_2),
            ),
            item(
                "figure 6.3",
                "accuracy of a tree of bandwidths",
                Repeated(topology::figure_6_3),
            ),
            item(
                "figure 6.4",
                "bandwidth of broadcasts in cluster 4",
                Repeated(topology::figure_6_4),
            ),
            item("figure 6.5", "applications by ranks", CLUSTER),
        ],
    },
    Source {
        name: "thesis",
        title: "Fujimoto (thesis, 1999): bulk-synchronous schedules, and reductions under a delay",
        items: &[
            item("table 1.1", "cases with optimal schedules", Explains),
            item("figure 1.1", "DSH by the model and on the machine", AP1000),
            item("figure 2.1", "a task graph", Explains),
            item("figure 2.2", "schedules of it", Explains),
            item("figure 2.3", "a complete binary tree", Explains),
            item("figure 2.4", "duplication of tasks", Explains),
            item("figure 2.5", "another task graph", Explains),
            item("figure 2.6", "independent groups", Explains),
            item("figure 2.7", "delay over the length of a message", AP1000),
            item("figure 3.1", "overhead of software", Explains),
            item("figure 3.2", "models and machines", Explains),
            item("figure 3.3", "a bulk-synchronous schedule", Explains),
            item("figure 3.4", "packing of messages", Explains),
            item("figure 3.5", "overhead saved by packing", Explains),
            item("figure 3.6", "connected components", Explains),
            item(
                "table 3.1",
                "schedules of Jacobi 128",
                Repeated(schedules::table_3_1),
            ),
            item(
                "table 3.2",
                "schedules of LU 128, processors saved",
                Repeated(schedules::table_3_2),
            ),
            item(
                "table 3.3",
                "schedules of LU 128, processors not saved",
                Repeated(schedules::table_3_3),
            ),
            item(
                "table 3.4",
                "processors of each layer of LU 128",
                Repeated(schedules::table_3_4),
            ),
            item(
                "table 3.5",
                "words of a message after each layer of LU 128",
                Repeated(schedules::table_3_5),
            ),
            item(
                "table 3.6",
                "schedules of LU 32",
                Repeated(schedules::table_3_6),
            ),
            item(
                "table 3.7",
                "schedules of FFT 8192",
                Repeated(schedules::table_3_7),
            ),
            item(
                "table 3.8",
                "schedules of Jacobi 512",
                Repeated(schedules::table_3_8),
            ),
            item(
                "table 3.9",
                "loads of each layer of LU 128",
                Lost("not to be had: its digits are lost"),
            ),
            item(
                "figure 3.7",
                "gain of packing, Jacobi 128",
                Repeated(schedules::figure_3_7),
            ),
            item(
                "figure 3.8",
                "gain of saving processors, LU 128",
                Repeated(schedules::figure_3_8),
            ),
            item(
                "figure 3.9",
                "BCSH and DSH on LU 32",
                Repeated(schedules::figure_3_9),
            ),
            item("figure 3.10", "speed-ups", Repeated(schedules::figure_3_10)),
            item(
                "table 4.1",
                "algorithms for delays",
                Repeated(trees::table_4_1),
            ),
            item(
                "figure 4.1",
                "a schedule of PY",
                Repeated(trees::figure_4_1),
            ),
            item(
                "figure 4.2",
                "that schedule without repeated work",
                Repeated(trees::figure_4_2),
            ),
            item(
                "figure 4.3",
                "a tree of 16 operands",
                Repeated(trees::figure_4_3),
            ),
            item(
                "figure 4.4",
                "makespans by a lower bound",
                Repeated(trees::figure_4_4),
            ),
            item(
                "table 4.2",
                "the bound e over the delay",
                Repeated(trees::table_4_2),
            ),
            item(
                "figure 4.5",
                "ALG1 by both lower bounds",
                Repeated(trees::figure_4_5),
            ),
            item("figure 4.6", "construction of ALG1", Explains),
            item(
                "figure 4.7",
                "a schedule of ALG1",
                Repeated(trees::figure_4_7),
            ),
            item("figure 4.8", "construction of ALG2", Explains),
            item(
                "figure 4.9",
                "processors by those of ALG1",
                Repeated(trees::figure_4_9),
            ),
            item(
                "figure 4.10",
                "makespan times processors",
                Repeated(trees::figure_4_10),
            ),
            item("figure 4.11", "construction of ALG3", Explains),
            item("figure 4.12", "proof: roots and cuts", Explains),
            item("figure 4.13", "proof: two curves", Explains),
            item("figure 4.14", "proof: ALG1", Explains),
        ],
    },
    Source {
        name: "rounds",
        title: "Yamamoto, Tsuru and Oie: PTUMR, work that is dealt in several rounds",
        items: &[
            item("figure 1", "scheduling in several rounds", Explains),
            item("figure 2", "model of distributed computing", Explains),
            item("figure 3", "UMR", Explains),
            item("figure 4", "PTUMR", Explains),
            item(
                "figure 5",
                "function that makes rounds an integer",
                Repeated(rounds::figure_5),
            ),
            item("table 1", "the platform", Settings),
            item(
                "figure 6",
                "makespan over the workers that are sent to at once",
                Repeated(rounds::figure_6),
            ),
            item(
                "figure 7",
                "makespan over the workers",
                Repeated(rounds::figure_7),
            ),
            item(
                "figure 8",
                "makespan over the network",
                Repeated(rounds::figure_8),
            ),
            item(
                "figure 9",
                "makespan over the work",
                Repeated(rounds::figure_9),
            ),
        ],
    },
    Source {
        name: "prediction",
        title: "Mizutani, Ino and Hagihara: master/slave programs predicted from some of their tasks",
        items: &[
            item("figure 1", "times of tasks by interpolation", Explains),
            item("figure 2", "a message in LogGP", Explains),
            item("figure 3", "steps of a prediction", Explains),
            item("figure 4", "a simulated program", Explains),
            item(
                "figure 5",
                "predicted makespans, Mandelbrot set",
                Repeated(prediction::figure_5),
            ),
            item(
                "table 1",
                "tasks and their totals",
                Repeated(prediction::table_1),
            ),
            item("table 2", "errors against runs", CLUSTER),
            item(
                "table 3",
                "errors against the makespan of all tasks",
                Repeated(prediction::table_3),
            ),
            item(
                "figure 6",
                "time of a prediction",
                Repeated(prediction::figure_6),
            ),
            item(
                "table 4",
                "errors of totals and of makespans",
                Repeated(prediction::table_4),
            ),
            item(
                "figure 7",
                "time of inserting an event",
                Repeated(prediction::figure_7),
            ),
            item("figure 8", "insertion of an event", Explains),
            item(
                "table 5",
                "time of predictions and of runs",
                Repeated(prediction::table_5),
            ),
            item("table 6", "moves of events", Repeated(prediction::table_6)),
        ],
    },
];
