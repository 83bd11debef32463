//! Recorded runs beside the prediction.

use superstep_order::{CallForm, Order, Recording, Rows, Timeline};
use superstep_plan::synchronisation::Synchronisation;

use crate::report::Times;
use crate::{Breakdown, Count, Details, Kind, Location, Report, SCHEMA, Statement, Supersteps};

/// Reasons for which a recording says nothing of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedError {
    /// The recording is of another program.
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
        /// The reason.
        reason: String,
    },
}

impl RecordedError {
    fn function(recording: &Recording) -> Self {
        Self::Function {
            kernel: recording.kernel.clone(),
            reason: recording.reason.clone(),
        }
    }
}

impl Report {
    /// Makes the report of a recorded run alone: of a farm, or of a plan that is not at hand. Its
    /// chunks are told as they ran, and nothing is known of what they have to do with each other.
    /// There are no details where their table would be out of proportion to the recording.
    ///
    /// # Errors
    /// If the call ran the function as written.
    pub fn of_recording(recording: &Recording) -> Result<(Self, Option<Details>), RecordedError> {
        let timeline = &recording.timeline;
        if timeline.processors() == 0 {
            return Err(RecordedError::function(recording));
        }
        let order = order_of(timeline);
        let supersteps = Supersteps::new(&order);
        let one = |chunk: u32| Some(chunk..chunk + 1);
        let report = Self {
            supersteps: supersteps.count() as usize,
            loads: supersteps.loads(one, Some(timeline)),
            ..Self::of_chunks(recording, &order)
        };
        let details = supersteps.fit(order.steps()).then(|| Details {
            plan: supersteps.table(one),
            timelines: vec![supersteps.spread(timeline)],
            ..Details::default()
        });
        Ok((report, details))
    }

    /// Returns the figures of recorded chunks, without supersteps and shares.
    fn of_chunks(recording: &Recording, order: &Order) -> Self {
        let Recording { timeline, call, .. } = recording;
        let (chunks, processors) = (order.steps(), order.processors());
        let works = timeline.sums().into_iter().map(|sum| sum.work);
        let work = works.fold(0, u64::saturating_add);
        let measured = Breakdown::of(timeline, order, call.saturating_sub(timeline.end()));
        let (kind, kernel, machine) = match recording.form {
            CallForm::Farm => (Kind::Farm, None, "thread"),
            _ => {
                let kernel = Location {
                    name: recording.kernel.clone(),
                    ..Location::default()
                };
                (Kind::Plan, Some(kernel), "processor")
            }
        };
        Self {
            schema: SCHEMA,
            kind,
            kernel,
            machine: Count(processors as u64, machine).to_string(),
            tasks: chunks,
            processors,
            processors_used: processors,
            times: Some(Times {
                measured: Some(measured),
                ..Times::default()
            }),
            statements: vec![Statement {
                text: "chunk".into(),
                counts: Some("chunk".into()),
                tasks: chunks as u64,
                measured_ns: Some(work),
                ..Statement::default()
            }],
            ..Self::default()
        }
    }

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
            return Err(RecordedError::function(recording));
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
        let weight = |statement: &Statement| Times::of_task(statement.work_ns, statement.tasks);
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

/// Returns the order of recorded steps: nobody knows who waits for whom.
fn order_of(timeline: &Timeline) -> Order {
    let steps = (0..timeline.processors()).map(|each| timeline.steps_of(each).len() as u32);
    let firsts = std::iter::once(0).chain(steps.scan(0, |first, steps| {
        *first += steps;
        Some(*first)
    }));
    Order {
        processors: firsts.collect(),
        waits: Rows::sorted(timeline.steps().len(), std::iter::empty()),
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

    /// Makes two supersteps of a processor: one task of the first statement, then three of the
    /// second.
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
    fn a_run_alone_tells_what_each_thread_did() {
        let farm = Recording {
            form: CallForm::Farm,
            threads: vec![0, 0, 1],
            timeline: Timeline::new(
                vec![0, 2, 3],
                [(5, 95), (10, 90), (40, 60)]
                    .map(|(wait, work)| Step {
                        wait,
                        work,
                        copy: 0,
                    })
                    .to_vec(),
            ),
            ..recording(0)
        };
        let (report, details) = Report::of_recording(&farm).expect("it has steps");
        assert_eq!((report.name(), report.tasks), ("farm", 3));
        let loads = report
            .loads
            .iter()
            .map(|load| [load.tasks, load.work_ns, load.wait_ns, load.idle_ns]);
        assert!(loads.eq([[2, 185, 15, 0], [1, 60, 40, 100]]));
        let times = report.times.unwrap_or_default();
        assert!(times.predicted.is_unknown());
        assert_eq!(times.measured.map(|times| times.run_ns), Some(300));
        assert_eq!(
            details.map(|details| details.tasks()),
            Some(vec![1, 1, 1, 0])
        );
        let plan = Recording {
            form: CallForm::Plan,
            ..farm
        };
        let (report, _) = Report::of_recording(&plan).expect("it has steps");
        assert_eq!((report.name(), report.kind), ("sums", Kind::Plan));
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
