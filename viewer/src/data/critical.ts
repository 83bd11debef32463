import { beginOf, type Timeline } from './times';
import type { Waits } from './waits';

/**
 * Finds the critical path of a timeline: from the block that ends last, back through the awaited block that ended last, if it
 * ended after the processor's own block before, or else through that. Blocks from the first to the last.
 */
export function criticalPath(line: Timeline, waits: Waits | undefined): number[] {
  let block = -1;
  for (let p = 0; p < line.processors; p++) {
    let last = (p + 1) * line.steps - 1;
    while (last > p * line.steps && beginOf(line, last) === line.end[last]) last--;
    if (line.steps > 0 && (block < 0 || line.end[last]! > line.end[block]!)) block = last;
  }
  const path: number[] = [];
  while (block >= 0) {
    path.push(block);
    const own = block % line.steps === 0 ? -1 : block - 1;
    const binding = bindingWait(line, waits, block);
    block = binding >= 0 ? binding : own;
  }
  return path.reverse();
}

/** Finds the awaited block that held a block up: it ended last, and after the processor's own block before; -1 where there is none. */
export function bindingWait(line: Timeline, waits: Waits | undefined, block: number): number {
  if (!waits) return -1;
  let latest = beginOf(line, block);
  let binding = -1;
  for (let w = waits.first[block]!; w < waits.first[block + 1]!; w++) {
    const awaited = waits.awaited[w]!;
    if (line.end[awaited]! > latest) {
      latest = line.end[awaited]!;
      binding = awaited;
    }
  }
  return binding;
}
