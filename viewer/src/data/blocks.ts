import { rowOf, type Program } from './program';
import { workOf, type Timeline } from './times';

/** Blocks in numbers, by `processor * steps + step`. */
export interface Blocks {
  readonly tasks: Float64Array;
  /** Weight of all its tasks. */
  readonly weight: Float64Array;
  /** The statement that weighs most; `NONE` where nothing runs. */
  readonly dominant: Uint16Array;
  /** The set of its statements: `maskWords` words of 32 bits each. */
  readonly mask: Uint32Array;
  readonly maskWords: number;
  /** Tasks of each statement. */
  readonly ofStatement: Float64Array;
}

/** The dominant statement of a block that runs nothing. */
export const NONE = 0xffff;

/** Counts the tasks of all blocks. */
export function blocksOf(program: Program): Blocks {
  const { plan, statements, walker } = program;
  const count = plan.steps * plan.processors;
  const maskWords = Math.max(1, Math.ceil(statements.length / 32));
  const blocks = {
    tasks: new Float64Array(count),
    weight: new Float64Array(count),
    dominant: new Uint16Array(count).fill(NONE),
    mask: new Uint32Array(count * maskWords),
    maskWords,
    ofStatement: new Float64Array(statements.length),
  };
  const iterations = new Float64Array(plan.bodies.length);
  const tasks = new Float64Array(statements.length);
  const { term, kind, arg } = plan.code;
  for (let block = 0; block < count; block++) {
    const row = rowOf(plan, block);
    if (term[row] === term[row + 1]) continue;
    walker.count(row, iterations);
    // Only bodies that occur in the row are looked at: there may be many.
    for (let t = term[row]!; t < term[row + 1]!; t++) {
      const body = arg[t]!;
      if (kind[t] === 1 || iterations[body] === 0) continue;
      for (const s of plan.bodies[body]!.statements) {
        tasks[s]! += iterations[body]!;
        blocks.tasks[block]! += iterations[body]!;
        blocks.weight[block]! += iterations[body]! * statements[s]!.weight;
        blocks.ofStatement[s]! += iterations[body]!;
      }
      iterations[body] = 0;
    }
    let heaviest = 0;
    for (let t = term[row]!; t < term[row + 1]!; t++) {
      if (kind[t] === 1) continue;
      for (const s of plan.bodies[arg[t]!]!.statements) {
        if (tasks[s] === 0) continue;
        const weight = tasks[s]! * statements[s]!.weight;
        tasks[s] = 0;
        blocks.mask[block * maskWords + (s >> 5)]! |= 1 << (s & 31);
        if (blocks.dominant[block] === NONE || weight > heaviest) {
          heaviest = weight;
          blocks.dominant[block] = s;
        }
      }
    }
  }
  return blocks;
}

/** Returns whether a block runs a statement. */
export function runs(blocks: Blocks, block: number, statement: number): boolean {
  return ((blocks.mask[block * blocks.maskWords + (statement >> 5)]! >>> (statement & 31)) & 1) === 1;
}

/** Shares the time that a timeline's blocks work over their statements, by their tasks and weights. */
export function timeOfStatements(program: Program, blocks: Blocks, line: Timeline): Float64Array {
  const { plan, statements, walker } = program;
  const time = new Float64Array(statements.length);
  const iterations = new Float64Array(plan.bodies.length);
  const { term, kind, arg } = plan.code;
  for (let block = 0; block < blocks.tasks.length; block++) {
    if (blocks.weight[block] === 0) continue;
    const row = rowOf(plan, block);
    const perWeight = workOf(line, block) / blocks.weight[block]!;
    walker.count(row, iterations);
    for (let t = term[row]!; t < term[row + 1]!; t++) {
      const body = arg[t]!;
      if (kind[t] === 1 || iterations[body] === 0) continue;
      for (const s of plan.bodies[body]!.statements) time[s]! += iterations[body]! * statements[s]!.weight * perWeight;
      iterations[body] = 0;
    }
  }
  return time;
}
