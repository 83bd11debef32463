import { Reader } from './bytes';
import type { Waits } from './waits';

/**
 * Times at which each processor waits, copies and works, as prefix sums: of block `b = processor * steps + step` the end, and what its
 * processor has waited and copied until then. A block begins when the one before it of its processor has ended.
 */
export interface Timeline {
  readonly processors: number;
  readonly steps: number;
  readonly end: Float64Array;
  readonly waited: Float64Array;
  readonly copied: Float64Array;
  /** End of the last block. */
  readonly total: number;
}

/** Reads the timelines: predicted, and measured if there is one. */
export function decodeTimes(bytes: Uint8Array, steps: number, processors: number): Timeline[] {
  const input = new Reader(bytes);
  const count = input.below(3, 'the number of timelines');
  if (steps * processors * 3 * count > input.left) throw new Error('the times end too early');
  const timelines = Array.from({ length: count }, () => fill(steps, processors, () => input.unsigned()));
  if (!input.isDone) throw new Error('the times have bytes behind their end');
  return timelines;
}

function fill(steps: number, processors: number, read: () => number): Timeline {
  const blocks = steps * processors;
  const [end, waited, copied] = [new Float64Array(blocks), new Float64Array(blocks), new Float64Array(blocks)];
  let total = 0;
  for (let step = 0; step < steps; step++) {
    for (let p = 0; p < processors; p++) {
      const block = p * steps + step;
      const isFirst = step === 0;
      const wait = read();
      const copy = read();
      end[block] = (isFirst ? 0 : end[block - 1]!) + wait + copy + read();
      waited[block] = (isFirst ? 0 : waited[block - 1]!) + wait;
      copied[block] = (isFirst ? 0 : copied[block - 1]!) + copy;
      total = Math.max(total, end[block]!);
    }
  }
  return { processors, steps, end, waited, copied, total };
}

/** Makes a timeline where none is known: a block takes the weight of its tasks, and waits until those have ended for which it must. */
export function assumedTimeline(steps: number, processors: number, weight: Float64Array, waits: Waits): Timeline {
  const blocks = steps * processors;
  const [end, waited, copied] = [new Float64Array(blocks), new Float64Array(blocks), new Float64Array(blocks)];
  let total = 0;
  for (let step = 0; step < steps; step++) {
    for (let p = 0; p < processors; p++) {
      const block = p * steps + step;
      const begin = step === 0 ? 0 : end[block - 1]!;
      let ready = begin;
      for (let w = waits.first[block]!; w < waits.first[block + 1]!; w++) ready = Math.max(ready, end[waits.awaited[w]!]!);
      end[block] = ready + weight[block]!;
      waited[block] = (step === 0 ? 0 : waited[block - 1]!) + ready - begin;
      total = Math.max(total, end[block]!);
    }
  }
  return { processors, steps, end, waited, copied, total };
}

/** Finds the block of a processor that is under way at `time`; `(processor + 1) * steps` when it has ended all. */
export function blockAt(line: Timeline, processor: number, time: number): number {
  let low = processor * line.steps;
  let high = low + line.steps;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (line.end[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns when a block begins. */
export function beginOf(line: Timeline, block: number): number {
  return block % line.steps === 0 ? 0 : line.end[block - 1]!;
}

/** Returns how long a block waits. */
export function waitOf(line: Timeline, block: number): number {
  return line.waited[block]! - (block % line.steps === 0 ? 0 : line.waited[block - 1]!);
}

/** Returns how long a block copies messages. */
export function copyOf(line: Timeline, block: number): number {
  return line.copied[block]! - (block % line.steps === 0 ? 0 : line.copied[block - 1]!);
}

/** Returns when the work of a block begins. */
export function workBegin(line: Timeline, block: number): number {
  return beginOf(line, block) + waitOf(line, block) + copyOf(line, block);
}

/** Returns how long a block works. */
export function workOf(line: Timeline, block: number): number {
  return Math.max(0, line.end[block]! - workBegin(line, block));
}
