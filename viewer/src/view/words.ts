import { componentOf, locate } from '../data/runs';
import type { Task } from '../data/runs';
import type { Model } from '../model';
import { count } from './format';

/** A word that a task uses: of an array, or a slot of the processor's private memory. */
export interface Word {
  readonly array: number;
  readonly slot: number;
}

/** Words that a task writes and reads, and its control values; of iterations the number alone. */
export interface Uses {
  readonly statement: number;
  readonly writes?: Word;
  readonly reads: readonly Word[];
  readonly control: readonly number[];
  readonly number?: number;
  /** Words that its run writes: the first, their distance, and how many. */
  readonly range?: { readonly first: number; readonly step: number; readonly count: number };
  readonly run: number;
  readonly iteration: number;
}

/** Reads off the plan what a task uses. */
export function usesOfTask(model: Model, task: Task): Uses {
  const program = model.program!;
  const runs = model.tables!.of(task.block);
  const found = locate(program, runs, task.ordinal);
  const statement = model.statements[found.statement]!;
  const first = program.component[runs.body[found.run]!]![found.position]!;
  const at = (c: number) => componentOf(program, runs, found.run, found.iteration, first + c);
  const base = { statement: found.statement, run: found.run, iteration: found.iteration, reads: [], control: [] };
  if (statement.writes === undefined) return { ...base, number: at(0) };
  const reads = (statement.reads ?? []).map((array, o) => ({ array, slot: at(1 + o) }));
  const control = (statement.control ?? []).map((_, c) => at(1 + reads.length + c));
  const isLoose = runs.isLoose[found.run] === 1;
  const start = isLoose ? at(0) : componentOf(program, runs, found.run, 0, first);
  const range = { first: start, step: isLoose ? 0 : componentOf(program, runs, found.run, 1, first) - start, count: isLoose ? 1 : runs.count[found.run]! };
  return { ...base, writes: { array: statement.writes, slot: at(0) }, reads, control, range };
}

/** Writes a word as `a[7]`. */
export function wordText(model: Model, { array, slot }: Word): string {
  return `${model.report.arrays[array]?.name ?? `array ${array}`}[${slot}]`;
}

/** Writes the words of a run as `a[130..255]`, with their step. */
export function rangeText(model: Model, array: number, { first, step, count: many }: NonNullable<Uses['range']>): string {
  const name = model.report.arrays[array]?.name ?? `array ${array}`;
  const last = first + step * (many - 1);
  if (many === 1 || step === 0) return `${name}[${first}]`;
  const [low, high] = [Math.min(first, last), Math.max(first, last)];
  return `${name}[${low}..${high}]${Math.abs(step) === 1 ? '' : ` in steps of ${Math.abs(step)}`}${step < 0 ? ', downwards' : ''}`;
}

/** Writes what a task writes, or the number of the iteration. */
export function wordOf(model: Model, task: Task): string {
  const uses = usesOfTask(model, task);
  return uses.writes ? wordText(model, uses.writes) : count(uses.number ?? 0);
}
