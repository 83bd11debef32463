//! Recorded runs beside the prediction.

use superstep_order::{Recording, Timeline};
use superstep_plan::synchronisation::Synchronisation;

use crate::report::Times;
use crate::{Breakdown, Details, Report};

/// Reasons for which a recording says nothing of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedError {
    /// It is of another program.
    #[error(
        "the timeline is of another program of {kernel}, or of another build: record a run of this one"
    )]
    Other {
        /// Name of the kernel that was recorded.
        kernel: String,
    },
    /// The call ran the function as written.
    #[error("the recorded call of {kernel} ran the function as written: {reason}")]
    Function {
        /// Name of the kernel.
        kernel: String,
        /// Why.
        reason: String,
    },
}

impl Report {
    /// Adds a recorded run to a report and its details: where its time went, beside the prediction.
    ///
    /// # Errors
    /// If it is no run of this program.
    pub fn add_recorded(
        &mut self,
        details: &mut Details,
        recording: &Recording,
    ) -> Result<(), RecordedError> {
        let Recording {
            kernel, timeline, ..
        } = recording;
        let kernel = || kernel.clone();
        if timeline.processors() == 0 {
            let reason = recording.reason.clone();
            return Err(RecordedError::Function {
                kernel: kernel(),
                reason,
            });
        }
        let table = Synchronisation::new(&details.plan).unwrap_or_default();
        let order = table.ordered().order();
        let is_of_steps = (0..timeline.processors()).all(|processor| {
            timeline.steps_of(processor).len() == details.plan.supersteps as usize
        });
        if recording.identity != details.plan.identity()
            || timeline.processors() != order.processors()
            || !is_of_steps
        {
            return Err(RecordedError::Other { kernel: kernel() });
        }
        let beside = recording.call.saturating_sub(timeline.end());
        let measured = Breakdown::of(timeline, order, beside);
        self.times.get_or_insert_default().measured = Some(measured);
        self.share_measured(details, timeline);
        let predicted = details.timelines.first().cloned();
        let none = || {
            Timeline::new(
                order.processors.clone(),
                vec![Default::default(); order.steps()],
            )
        };
        details.timelines = vec![predicted.unwrap_or_else(none), timeline.clone()];
        Ok(())
    }

    /// Shares the measured work of each step among its statements, by the predicted work of their
    /// tasks.
    fn share_measured(&mut self, details: &Details, timeline: &Timeline) {
        let weight =
            |statement: &crate::Statement| Times::of_task(statement.work_ns, statement.tasks);
        let weights: Vec<f64> = self.statements.iter().map(weight).collect();
        let mut measured = vec![0.0; weights.len()];
        let plan = &details.plan;
        let mut own = vec![0.0; weights.len()];
        for superstep in 0..plan.supersteps as usize {
            for processor in 0..plan.processors as usize {
                own.fill(0.0);
                plan.code(superstep, processor)
                    .walk(&plan.bodies, &mut |body, run| {
                        for &statement in plan.bodies[body].statements() {
                            let statement = usize::from(statement);
                            own[statement] += weights[statement] * run.count() as f64;
                        }
                    });
                let work = timeline.steps_of(processor)[superstep].work as f64;
                let all: f64 = own.iter().sum();
                if all > 0.0 {
                    for (sum, own) in measured.iter_mut().zip(&own) {
                        *sum += work * own / all;
                    }
                }
            }
        }
        for (statement, measured) in self.statements.iter_mut().zip(measured) {
            statement.measured_ns = Some(measured.round() as u64);
        }
    }
}

impl Times {
    /// Returns the mean work of a task, or 1 where nothing is known of it.
    fn of_task(work_ns: u64, tasks: u64) -> f64 {
        match work_ns {
            0 => 1.0,
            work => work as f64 / tasks.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_order::Times as Step;
    use superstep_plan::{Body, Code, Plan, Term};

    use super::*;
    use crate::Statement;

    /// Two supersteps of a processor: one task of the first statement, then three of the second.
    fn program() -> (Report, Details) {
        let code = |body, count| Code {
            terms: vec![Term::Run { body }],
            values: vec![count, 0, 1],
            ..Code::default()
        };
        let plan = Plan {
            processors: 1,
            supersteps: 2,
            scatter: vec![Vec::new()],
            gather: vec![Vec::new()],
            bodies: vec![Body::own(vec![0], 1), Body::own(vec![1], 1)],
            code: vec![code(0, 1), code(1, 3)],
            ..Plan::default()
        };
        let statement = |tasks, work_ns| Statement {
            tasks,
            work_ns,
            ..Statement::default()
        };
        let report = Report {
            statements: vec![statement(1, 100), statement(3, 30)],
            ..Report::default()
        };
        (
            report,
            Details {
                plan,
                ..Details::default()
            },
        )
    }

    fn recording(identity: u64) -> Recording {
        let step = |work| Step {
            work,
            ..Step::default()
        };
        Recording {
            kernel: "sums".into(),
            identity,
            call: 300,
            timeline: Timeline::new(vec![0, 2], vec![step(150), step(90)]),
            threads: vec![0, 0],
            ..Recording::default()
        }
    }

    #[test]
    fn measured_work_is_that_of_the_statements_that_a_step_runs() {
        let (mut report, mut details) = program();
        let recording = recording(details.plan.identity());
        assert_eq!(report.add_recorded(&mut details, &recording), Ok(()));
        let measured = report.statements.iter().map(|each| each.measured_ns);
        assert!(measured.eq([Some(150), Some(90)]));
        let times = report
            .times
            .unwrap_or_default()
            .measured
            .unwrap_or_default();
        assert_eq!(
            (times.run_ns, times.work_ns, times.synchronisation_ns),
            (300, 240, 60)
        );
        assert_eq!(details.timelines[1], recording.timeline);
        assert_eq!(details.timelines[0].end(), 0, "nothing is predicted");
    }

    #[test]
    fn runs_of_others_are_refused() {
        let (mut report, mut details) = program();
        let identity = details.plan.identity();
        let other = report.add_recorded(&mut details, &recording(identity + 1));
        assert!(matches!(other, Err(RecordedError::Other { .. })));
        let function = Recording {
            reason: "no threads".into(),
            timeline: Timeline::default(),
            ..recording(identity)
        };
        let error = report.add_recorded(&mut details, &function).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the recorded call of sums ran the function as written: no threads"
        );
        assert_eq!(report.times, None);
    }
}
