//! Fills in the report of a schedule, and of the program made of it.

use superstep_machine::{Machine, Memory, Times as Prices};
use superstep_order::Times as StepTimes;
use superstep_plan::synchronisation::Synchronisation;
use superstep_plan::{Body, Code, Plan, Precedence, Run, Term};
use superstep_report::{
    Array, Breakdown, Dependences, Details, Kind, Location, Report, Role, SCHEMA, Statement, Times,
    Traffic,
};
use superstep_schedule::{CheckedSchedule, Costs, Transfer, bounds, communication, folded_size};
use superstep_tracer::{Kernel, Trace};

use crate::checked::CheckedProgram;
use crate::predict::supersteps::{Data, Prediction, by_processor};

/// Counts what a schedule costs, and what no schedule of its graph beats.
pub fn of_schedule(schedule: &CheckedSchedule<'_>, machine: &Machine, seconds: f64) -> Report {
    let graph = schedule.graph();
    let costs = Costs::of(schedule, machine);
    let critical_path = bounds::critical_path(graph);
    Report {
        schema: SCHEMA,
        machine: machine.to_string(),
        tasks: graph.tasks(),
        edges: graph.edges(),
        total_work: graph.total_work(),
        critical_path,
        lower_bound: critical_path.max(bounds::work_bound(graph, machine.processors)),
        makespan_bound: bounds::makespan_bound(graph, machine),
        bsp_bound: bounds::bsp_bound(graph, machine),
        processors: schedule.schedule().processors(),
        supersteps: costs.supersteps,
        makespan: costs.makespan,
        bsp_cost: costs.bsp_cost,
        duplication_rate: costs.duplication_rate,
        messages: costs.messages,
        mean_message_words: costs.mean_message_words,
        processors_used: costs.processors_used,
        folded_size: folded_size(schedule.schedule()),
        seconds,
        ..Report::default()
    }
}

/// Returns who runs which tasks in each superstep of a schedule, and when by the BSP model. Adds
/// the shares of processors and supersteps to its report.
///
/// Times are in units of work. Each superstep begins at a barrier: processors wait for the longest
/// of the one before. The longest exchange of words, in or out, is copying of all.
pub fn details_of_schedule(
    report: &mut Report,
    schedule: &CheckedSchedule<'_>,
    machine: &Machine,
) -> Details {
    let transfers = communication(schedule);
    let traffic = traffic(transfers.transfers());
    let (graph, lists) = (schedule.graph(), schedule.schedule());
    let (processors, supersteps) = (lists.processors(), lists.supersteps());
    let works = |superstep: usize| {
        let work = |&task: &u32| u64::from(graph.weight(task));
        let works = (0..processors).map(move |p| lists.tasks(superstep, p).iter().map(work).sum());
        works.collect::<Vec<u64>>()
    };
    let mut steps: Vec<StepTimes> = Vec::with_capacity(processors * supersteps);
    let mut precedences = Vec::new();
    let mut before = vec![0; processors];
    for superstep in 0..supersteps {
        let longest = before.iter().copied().max().unwrap_or(0);
        let slowest = before.iter().position(|&end| end == longest).unwrap_or(0) as u32;
        let latency = if superstep > 0 {
            machine.latency.round() as u64
        } else {
            0
        };
        let copy = (machine.gap * exchanged(&traffic, superstep, processors) as f64).round() as u64;
        let works = works(superstep);
        for (processor, &work) in (0..).zip(&works) {
            let wait = longest - before[processor as usize] + latency;
            steps.push(StepTimes { wait, copy, work });
            if superstep > 0 && processor != slowest {
                let (superstep, peer) = (superstep as u32, slowest);
                precedences.push(Precedence {
                    superstep,
                    processor,
                    peer,
                    ended: superstep - 1,
                });
            }
        }
        before = works;
    }
    let plan = Plan {
        processors: processors as u32,
        supersteps: supersteps as u32,
        precedences,
        scatter: vec![Vec::new(); processors],
        gather: vec![Vec::new(); processors],
        bodies: vec![Body::own(vec![0], 1)],
        code: (0..supersteps)
            .flat_map(|s| (0..processors).map(move |p| intervals(lists.tasks(s, p))))
            .collect(),
        ..Plan::default()
    };
    report.statements = vec![Statement {
        text: "task".into(),
        counts: Some("task".into()),
        tasks: lists.task_instances() as u64,
        work_ns: steps.iter().map(|step| step.work).sum(),
        ..Statement::default()
    }];
    let details = Details {
        plan,
        timelines: vec![by_processor(processors, supersteps, &steps)],
        traffic,
        dependences: Dependences::new(vec![1; graph.tasks()], |task| graph.predecessors(task)),
    };
    fill(report, details, 0)
}

/// Counts the words that a processor sends or receives before a superstep, at most.
fn exchanged(traffic: &[Traffic], superstep: usize, processors: usize) -> u64 {
    let Some(before) = superstep.checked_sub(1) else {
        return 0;
    };
    let of = |traffic: &Traffic| traffic.superstep as usize;
    let first = traffic.partition_point(|each| of(each) < before);
    let mut words = vec![[0; 2]; processors];
    for each in traffic[first..]
        .iter()
        .take_while(|each| of(each) == before)
    {
        words[each.from as usize][0] += each.words;
        words[each.to as usize][1] += each.words;
    }
    words.into_iter().flatten().max().unwrap_or(0)
}

/// Writes tasks as runs of neighbours, in their order.
fn intervals(tasks: &[u32]) -> Code {
    let runs = tasks.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let mut code = Code::default();
    for run in runs {
        code.terms.push(Term::Run { body: 0 });
        code.values.extend([run.len() as i64, i64::from(run[0]), 1]);
    }
    code
}

/// Adds what there is to say about the program that was made of `schedule`, and returns its
/// details.
///
/// Costs another prediction, and some 10 ns for each operand of each task.
pub(crate) fn add_program(
    report: &mut Report,
    trace: &Trace,
    schedule: &CheckedSchedule<'_>,
    program: &CheckedProgram,
    memory: Memory,
    prices: &Prices,
    data: Data,
) -> Details {
    let (kernel, plan) = (trace.kernel(), program.plan());
    let prediction = program.prediction(kernel, prices, data);
    report.kind = Kind::Program;
    report.kernel = Some(Location {
        name: kernel.name.clone(),
        file: kernel.file.clone(),
        line: kernel.line,
    });
    report.private_memory = memory == Memory::Private;
    report.program = Some(program.figures().clone());
    report.arrays = arrays(kernel, plan);
    let transfers = communication(schedule);
    let transfers = transfers.transfers();
    report.statements = statements(trace, schedule, transfers, program, &prediction);
    count_runs(
        program,
        &program.lanes(kernel, prices),
        kernel,
        &mut report.statements,
    );
    report.statements.iter_mut().for_each(name_code);
    let details = Details {
        plan: plan.clone(),
        timelines: vec![prediction.timeline],
        traffic: traffic(transfers),
        dependences: None,
    };
    fill(report, details, prediction.call.round() as u64)
}

/// Adds the shares of processors and supersteps to a report by its details. A `call` takes so many
/// nanoseconds besides its supersteps.
fn fill(report: &mut Report, details: Details, call: u64) -> Details {
    if let Ok(table) = Synchronisation::new(&details.plan) {
        let predicted = Breakdown::of(&details.timelines[0], table.ordered().order(), call);
        report.times = Some(Times {
            predicted,
            measured: None,
        });
    }
    report.fill(&details);
    details
}

fn arrays(kernel: &Kernel, plan: &Plan) -> Vec<Array> {
    let words = |array: usize| {
        let own = plan.lengths.iter().skip(array).step_by(kernel.arrays.len());
        own.copied().max().unwrap_or(0).max(plan.extents[array])
    };
    let array = |(at, array): (usize, &superstep_tracer::Array)| Array {
        name: array.name.clone(),
        element: array.element.text.clone(),
        words: words(at),
        role: match array.role {
            superstep_tracer::Role::Input => Role::Input,
            superstep_tracer::Role::InOut => Role::Argument,
            superstep_tracer::Role::Local => Role::Local,
        },
        shared: plan.shared.get(at).is_some_and(|&shared| shared),
        line: array.line,
    };
    kernel.arrays.iter().enumerate().map(array).collect()
}

/// Counts each statement's share.
fn statements(
    trace: &Trace,
    schedule: &CheckedSchedule<'_>,
    transfers: &[Transfer],
    program: &CheckedProgram,
    prediction: &Prediction,
) -> Vec<Statement> {
    let kernel = trace.kernel();
    let mut statements: Vec<Statement> = kernel.statements.iter().map(statement).collect();
    let single = &program.figures().single_by_statement;
    for (statement, &single) in statements.iter_mut().zip(single) {
        statement.single = single;
    }
    for (statement, &work) in statements.iter_mut().zip(&prediction.statements) {
        statement.work_ns = work.round() as u64;
    }
    for transfer in transfers {
        let statement = trace.statements()[transfer.task as usize];
        statements[usize::from(statement)].words_sent += 1;
    }
    for statement in first_users(trace, schedule, transfers) {
        statements[usize::from(statement)].words_received += 1;
    }
    statements
}

/// Names how most task instances of a statement are executed.
fn name_code(statement: &mut Statement) {
    let is_most = |part: u64| 2 * part > statement.tasks;
    statement.code = match () {
        () if is_most(statement.single) => "single",
        () if is_most(statement.vectorised) => "vector",
        () => "loop",
    }
    .into();
}

fn statement(statement: &superstep_tracer::Statement) -> Statement {
    Statement {
        file: statement.file.clone(),
        line: statement.line,
        column: statement.column,
        text: statement.text.clone(),
        writes: Some(statement.target),
        reads: statement.operands.clone(),
        control: statement.control.clone(),
        correction: statement.operations.correction,
        ..Statement::default()
    }
}

/// Counts task instances, and of those the ones in loops of vectors, and those that write extra
/// storage: beyond the home slots of their array.
fn count_runs(
    program: &CheckedProgram,
    lanes: &[usize],
    kernel: &Kernel,
    statements: &mut [Statement],
) {
    let plan = program.plan();
    for (at, code) in plan.code.iter().enumerate() {
        let homes = program.homes(at % plan.processors as usize);
        code.walk(&plan.bodies, &mut |number, run| {
            let body = &plan.bodies[number];
            let mut component = 0;
            for &at in body.statements() {
                let of = kernel.statement(at);
                let statement = &mut statements[usize::from(at)];
                let count = run.count() as u64;
                statement.tasks += count;
                if lanes[number] > 1 && run.count() >= lanes[number] {
                    statement.vectorised += count;
                }
                let target = usize::from(of.target);
                if plan.extents[target] > 0 {
                    let homes = i64::from(homes[target]);
                    statement.extra_words += beyond(body, run, component, homes);
                }
                component += 1 + of.operands.len() + of.control.len();
            }
        });
    }
}

/// Counts the iterations of a run whose component is not below `homes`.
fn beyond(body: &Body, run: Run<'_>, component: usize, homes: i64) -> u64 {
    let (start, step) = (body.start(component, run), body.step(component, run));
    let count = run.count() as i64;
    let last = start + step * (count - 1);
    let is_beyond = |slot: i64| slot >= homes;
    match (is_beyond(start), is_beyond(last)) {
        (false, false) => 0,
        (true, true) => count as u64,
        _ => (0..count).filter(|at| is_beyond(start + step * at)).count() as u64,
    }
}

/// Finds the statement that is the first to use each word that crosses, in the order of the trace.
fn first_users(trace: &Trace, schedule: &CheckedSchedule<'_>, transfers: &[Transfer]) -> Vec<u16> {
    let mut crossing: Vec<(u32, u32)> = transfers.iter().map(|each| (each.task, each.to)).collect();
    crossing.sort_unstable();
    let mut is_used = vec![false; crossing.len()];
    // Most tasks use no word that crosses: those are told by a bit for each task.
    let mut crosses = vec![false; trace.tasks()];
    crossing
        .iter()
        .for_each(|&(task, _)| crosses[task as usize] = true);
    let processors = processors_of(trace.tasks(), schedule);
    let mut users = Vec::with_capacity(crossing.len());
    for (task, &processor) in trace.iter().zip(&processors) {
        for producer in task
            .producers()
            .filter(|&producer| crosses[producer as usize])
        {
            if let Ok(at) = crossing.binary_search(&(producer, processor))
                && !std::mem::replace(&mut is_used[at], true)
            {
                users.push(task.statement);
            }
        }
    }
    users
}

/// Returns a processor that runs each task: of copies the last.
fn processors_of(tasks: usize, schedule: &CheckedSchedule<'_>) -> Vec<u32> {
    let mut processors = vec![0; tasks];
    let schedule = schedule.schedule();
    for (at, list) in schedule.lists().enumerate() {
        let processor = (at % schedule.processors()) as u32;
        for &task in list {
            processors[task as usize] = processor;
        }
    }
    processors
}

/// Adds up the words that cross after each superstep.
fn traffic(transfers: &[Transfer]) -> Vec<Traffic> {
    let mut ends: Vec<[u32; 3]> = transfers
        .iter()
        .map(|each| [each.superstep, each.from, each.to])
        .collect();
    ends.sort_unstable();
    let same = ends.chunk_by(|a, b| a == b);
    same.map(|all| Traffic {
        superstep: all[0][0],
        from: all[0][1],
        to: all[0][2],
        words: all.len() as u64,
    })
    .collect()
}
