import { Floats, Words } from './bytes';
import { rowOf, type Program } from './program';

/** Runs beyond which a block is not split: their table would take too much memory. */
const MOST_RUNS = 1 << 21;

/** The runs of a block in their order, with the tasks and the weight before each. A table of loose runs is one run, whose iterations have values of their own. */
export interface Runs {
  readonly body: Uint32Array;
  readonly count: Float64Array;
  /** Weight before each run, and of all at the end. */
  readonly weight: Float64Array;
  /** Tasks before each run, and all at the end. */
  readonly tasks: Float64Array;
  /** First value of each run in `values`, or of loose ones in the code's `looseValues`. */
  readonly value: Uint32Array;
  readonly isLoose: Uint32Array;
  readonly values: Float64Array;
  /** Says whether there were more runs than a table takes; the last of `tasks` and `weight` are then too small. */
  readonly isCut: boolean;
}

/** A task: the `ordinal`-th of its block. */
export interface Task {
  readonly block: number;
  readonly ordinal: number;
}

/** A task in its run. */
export interface Located {
  readonly run: number;
  readonly iteration: number;
  /** Position in the body. */
  readonly position: number;
  readonly statement: number;
  /** Weight before it in the block. */
  readonly weight: number;
}

/** Tabulates the runs of a block. */
export function runsOf(program: Program, block: number): Runs {
  const { plan, walker } = program;
  const [body, value, isLoose] = [new Words(), new Words(), new Words()];
  const [count, weight, tasks, values] = [new Floats(), new Floats(), new Floats(), new Floats()];
  let [weightBefore, tasksBefore] = [0, 0];
  let isCut = false;
  const add = (b: number, n: number, first: number, loose: number): boolean => {
    if (body.length >= MOST_RUNS) isCut = true;
    if (isCut) return false;
    body.push(b);
    count.push(n);
    weight.push(weightBefore);
    tasks.push(tasksBefore);
    value.push(first);
    isLoose.push(loose);
    weightBefore += n * program.weight[b]!;
    tasksBefore += n * plan.bodies[b]!.statements.length;
    return true;
  };
  walker.walk(
    rowOf(plan, block),
    (b, n, given, at) => {
      if (add(b, n, values.length, 0)) for (let v = 0; v < plan.bodies[b]!.values; v++) values.push(given[at + v]!);
    },
    (b, n, first) => void add(b, n, first, 1),
  );
  weight.push(weightBefore);
  tasks.push(tasksBefore);
  return { body: body.finish(), count: count.finish(), weight: weight.finish(), tasks: tasks.finish(), value: value.finish(), isLoose: isLoose.finish(), values: values.finish(), isCut };
}

/** Runs that tables keep in all: some 50 bytes each. */
const KEPT_RUNS = 1 << 22;

/** Tables of the blocks that were looked at last. */
export class RunTables {
  private readonly kept = new Map<number, Runs>();
  private runs = 0;

  constructor(private readonly program: Program) {}

  /** Returns whether the runs of a block are tabulated. */
  has(block: number): boolean {
    return this.kept.has(block);
  }

  /** Returns the runs of a block. */
  of(block: number): Runs {
    const known = this.kept.get(block);
    if (known) return known;
    const runs = runsOf(this.program, block);
    this.kept.set(block, runs);
    this.runs += runs.body.length;
    for (const [oldest, { body }] of this.kept) {
      if (this.runs <= KEPT_RUNS || oldest === block) break;
      this.kept.delete(oldest);
      this.runs -= body.length;
    }
    return runs;
  }
}

/** Finds the last index with `sums[index] <= value`, before the last. */
export function indexIn(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sums[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Finds a task of a block by its ordinal. */
export function locate(program: Program, runs: Runs, ordinal: number): Located {
  const run = indexIn(runs.tasks, ordinal);
  const body = runs.body[run]!;
  const statements = program.plan.bodies[body]!.statements;
  const inRun = ordinal - runs.tasks[run]!;
  const iteration = Math.floor(inRun / statements.length);
  const position = inRun - iteration * statements.length;
  let weight = runs.weight[run]! + iteration * program.weight[body]!;
  for (let p = 0; p < position; p++) weight += program.statements[statements[p]!]!.weight;
  return { run, iteration, position, statement: statements[position]!, weight };
}

/** Finds the ordinal of the task that is under way when so much of a block's weight is done. */
export function ordinalAt(program: Program, runs: Runs, weight: number): number {
  const run = indexIn(runs.weight, weight);
  const body = runs.body[run]!;
  const statements = program.plan.bodies[body]!.statements;
  let left = Math.max(0, weight - runs.weight[run]!);
  const iteration = Math.min(runs.count[run]! - 1, Math.floor(left / program.weight[body]!));
  left -= iteration * program.weight[body]!;
  let position = 0;
  while (position < statements.length - 1 && left >= program.statements[statements[position]!]!.weight) {
    left -= program.statements[statements[position]!]!.weight;
    position++;
  }
  return runs.tasks[run]! + iteration * statements.length + position;
}

/** Component `c` of an iteration of a run. */
export function componentOf(program: Program, runs: Runs, run: number, iteration: number, c: number): number {
  const body = program.plan.bodies[runs.body[run]!]!;
  if (runs.isLoose[run] === 1) return program.plan.code.looseValues[runs.value[run]! + iteration * body.values + body.base[c]!]! + body.offset[c]!;
  const first = runs.value[run]!;
  const step = body.given[c]! >= 0 ? runs.values[first + body.given[c]!]! : body.step[c]!;
  return runs.values[first + body.base[c]!]! + body.offset[c]! + iteration * step;
}
