import { blockAt, beginOf, waitOf, copyOf, workBegin, workOf } from '../data/times';
import { locate, ordinalAt } from '../data/runs';
import type { Model, Track } from '../model';
import type { Picked } from '../state';
import { rowAt, type Layout } from './layout';
import type { Viewport } from './viewport';

/** Finds when a block or task begins and ends in a timeline. */
export function spanOf(model: Model, track: Track, { block, ordinal }: Picked): [number, number] {
  const { line } = track;
  if (ordinal === undefined || !model.tables) return [beginOf(line, block), line.end[block]!];
  const runs = model.tables.of(block);
  const found = locate(model.program!, runs, ordinal);
  const perWeight = workOf(line, block) / runs.weight.at(-1)!;
  const begin = workBegin(line, block) + found.weight * perWeight;
  return [begin, begin + model.statements[found.statement]!.weight * perWeight];
}

/** Content of a point of the chart. */
export interface Hit {
  readonly track: Track;
  readonly processor: number;
  readonly part: 'wait' | 'copy' | 'work' | 'idle';
  /** Absent where the processor is idle. */
  readonly block?: number;
  /** The task, where tasks are wide enough to be told apart. */
  readonly ordinal?: number;
}

/** Width from which tasks can be picked one by one, in pixels. */
const TASK = 3;

/** Finds what is at a point. */
export function hit(model: Model, layout: Layout, view: Viewport, x: number, y: number): Hit | undefined {
  const row = rowAt(layout, y);
  const share = (x - layout.left) / (layout.width - layout.left);
  if (!row || share < 0 || share > 1) return undefined;
  const { track, processor } = row;
  const { line } = track;
  const time = view.begin + share * view.span;
  const block = blockAt(line, processor, time);
  if (block >= (processor + 1) * line.steps) return { track, processor, part: 'idle' };
  const since = time - beginOf(line, block);
  if (since < waitOf(line, block)) return { track, processor, part: 'wait', block };
  if (since < waitOf(line, block) + copyOf(line, block)) return { track, processor, part: 'copy', block };
  const work = workOf(line, block);
  const pixels = (work / view.span) * (layout.width - layout.left);
  if (!model.tables || !model.blocks || model.blocks.tasks[block] === 0 || pixels / model.blocks.tasks[block]! < TASK) {
    return { track, processor, part: 'work', block };
  }
  const runs = model.tables.of(block);
  const ordinal = ordinalAt(model.program!, runs, ((time - workBegin(line, block)) / work) * runs.weight.at(-1)!);
  return { track, processor, part: 'work', block, ordinal };
}

/** Finds the next block of a processor that takes any time, in a direction; the same one if there is none. */
export function neighbour(track: Track, block: number, direction: 1 | -1): number {
  const { line } = track;
  const processor = Math.floor(block / line.steps);
  for (let next = block + direction; Math.floor(next / line.steps) === processor && next >= 0; next += direction) {
    if (line.end[next]! > beginOf(line, next)) return next;
  }
  return block;
}

/** Finds the block of another processor that is under way in the middle of this one's work. */
export function beside(track: Track, block: number, direction: 1 | -1): number {
  const { line } = track;
  const processor = Math.floor(block / line.steps) + direction;
  if (processor < 0 || processor >= line.processors) return block;
  const time = workBegin(line, block) + workOf(line, block) / 2;
  const found = blockAt(line, processor, time);
  if (found < (processor + 1) * line.steps) return found;
  return neighbour(track, found, -1);
}
