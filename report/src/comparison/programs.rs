//! Programs of one kernel instance side by side.

use serde::{Deserialize, Serialize};

use super::Comparison;
use crate::{KernelReport, Report, SCHEMA};

/// A program of a kernel instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramRow {
    /// Number of processors.
    pub processors: usize,
    /// Name of the scheduler.
    pub algorithm: String,
    /// Set if the program's processors have memories of their own.
    pub private_memory: bool,
    /// Nanoseconds that a call is predicted to take.
    pub predicted_ns: u64,
    /// Nanoseconds that a recorded call took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_ns: Option<u64>,
    /// Nanoseconds of the function as written, by prediction; 0 if they are not known.
    pub function_ns: u64,
    /// Speed-up over the function as written, by prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_function: Option<f64>,
    /// Speed-up over the program for one processor, by prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_one: Option<f64>,
    /// Share of the processors' time that is work, of the recorded call if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<f64>,
    /// Mean work of processors over the largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_balance: Option<f64>,
    /// Largest work of a processor over the run without copies and latencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serialisation: Option<f64>,
    /// Time of the run without copies and latencies over its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<f64>,
    /// Number of supersteps.
    pub supersteps: usize,
    /// Words that cross from one processor to another.
    pub words: u64,
}

impl Comparison {
    /// Compares programs of one instance of a kernel. Speed-ups over one processor are those over
    /// the fastest such program of that instance in the kernel's report.
    pub fn of_programs(kernel: &KernelReport, programs: &[&Report]) -> Self {
        let control = programs.first().map_or("", |report| &report.control);
        let own = kernel.programs.iter();
        let one = own.filter(|report| report.processors == 1 && report.control == control);
        let one = one.map(Report::predicted).filter(|&ns| ns > 0.0);
        let one = one.min_by(f64::total_cmp);
        let KernelReport {
            kernel, file, line, ..
        } = kernel;
        let control = match control {
            "" => String::new(),
            control => format!(", {control}"),
        };
        Self {
            schema: SCHEMA,
            of: match &file[..] {
                "" => format!("{kernel}{control}"),
                file => format!("{kernel} ({file}:{line}){control}"),
            },
            programs: programs.iter().map(|report| row(report, one)).collect(),
            ..Self::default()
        }
    }
}

fn row(report: &Report, one: Option<f64>) -> ProgramRow {
    let predicted = report.predicted();
    let over = |base: f64| (base > 0.0 && predicted > 0.0).then(|| base / predicted);
    let times = report.times.as_ref();
    let best = times.map(|times| times.measured.unwrap_or(times.predicted));
    ProgramRow {
        processors: report.processors,
        algorithm: report.algorithm.clone(),
        private_memory: report.private_memory,
        predicted_ns: predicted as u64,
        measured_ns: times.and_then(|times| times.measured.map(|measured| measured.run_ns)),
        function_ns: report.function,
        over_function: over(report.function as f64),
        over_one: one.and_then(over),
        efficiency: best.map(|best| best.efficiency()),
        load_balance: best.map(|best| best.load_balance),
        serialisation: best.map(|best| best.serialisation),
        transfer: best.map(|best| best.transfer),
        supersteps: report.supersteps,
        words: report.loads.iter().map(|load| load.words_sent).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Figures;

    #[test]
    fn programs_are_beside_the_function_and_beside_one_processor() {
        let report = |control: &str, processors, predicted| Report {
            control: control.into(),
            processors,
            function: 1200,
            program: Some(Figures {
                predicted,
                ..Figures::default()
            }),
            ..Report::default()
        };
        let kernel = KernelReport {
            kernel: "lu".into(),
            file: "src/kernels.rs".into(),
            line: 5,
            instances: Vec::new(),
            programs: vec![
                report("n = 8", 1, 100),
                report("n = 16", 1, 800),
                report("n = 16", 2, 400),
            ],
            print_seconds: 0.0,
            unplanned: None,
            sources: Vec::new(),
        };
        let compared = Comparison::of_programs(&kernel, &[&kernel.programs[2]]);
        assert_eq!(compared.of, "lu (src/kernels.rs:5), n = 16");
        let [two] = &compared.programs[..] else {
            panic!("one program")
        };
        assert_eq!((two.over_function, two.over_one), (Some(3.0), Some(2.0)));
        assert_eq!(two.efficiency, None, "no times are known");
    }
}
