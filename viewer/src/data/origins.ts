import { findReads, firstWrite, lastWrite, type Found } from './accesses';
import { backwards, forwards, messagesAfter } from './plan';
import type { Program } from './program';
import type { Task } from './runs';

/** Source of a value: a task (through messages, if there are `hops`), the kernel's arguments, or nowhere. */
export type Origin =
  | { readonly kind: 'task'; readonly task: Task; readonly hops: number }
  | { readonly kind: 'input'; readonly index: number; readonly hops: number }
  | { readonly kind: 'unset' };

/**
 * Finds the last writer of a slot before a task. In shared arrays any processor may have written it, in private memory the
 * processor itself or, through messages, another. Costs a walk through the runs before the task, at worst.
 */
export function originOf(program: Program, task: Task, array: number, slot: number): Origin {
  const { plan } = program;
  const { steps, processors } = plan;
  let processor = Math.floor(task.block / steps);
  let step = task.block % steps;
  let hops = 0;
  const own = lastWrite(program, task.block, array, slot, task.ordinal);
  if (own >= 0) return { kind: 'task', task: { block: task.block, ordinal: own }, hops };
  if (plan.shared[array]) {
    while (--step >= 0) {
      for (let p = 0; p < processors; p++) {
        const ordinal = lastWrite(program, p * steps + step, array, slot, Infinity);
        if (ordinal >= 0) return { kind: 'task', task: { block: p * steps + step, ordinal }, hops };
      }
    }
    return { kind: 'input', index: slot, hops };
  }
  while (--step >= 0) {
    for (const message of messagesAfter(plan, step)) {
      if (message.to !== processor) continue;
      const from = first(message.copies, (c) => backwards(c, array, slot));
      if (from === undefined) continue;
      [processor, slot] = [message.from, from];
      hops++;
      break;
    }
    const ordinal = lastWrite(program, processor * steps + step, array, slot, Infinity);
    if (ordinal >= 0) return { kind: 'task', task: { block: processor * steps + step, ordinal }, hops };
  }
  const index = first(plan.scatter[processor] ?? [], (c) => backwards(c, array, slot));
  return index === undefined ? { kind: 'unset' } : { kind: 'input', index, hops };
}

/** Users of a value: tasks, and whether it is a result. */
export interface Uses extends Found {
  readonly isResult: boolean;
}

/** Finds the tasks that read what a task writes, until it is overwritten; at most `limit` of them one by one. */
export function usesOf(program: Program, task: Task, array: number, slot: number, limit: number): Uses {
  const { plan } = program;
  const { steps, processors } = plan;
  const found: Found = { tasks: [], count: 0 };
  const writer = Math.floor(task.block / steps);
  const written = task.block % steps;
  const until = (block: number, word: number, after: number): boolean => {
    const end = firstWrite(program, block, array, word, after);
    findReads(program, block, array, word, after, end, limit, found);
    return end < Infinity;
  };
  if (plan.shared[array]) {
    let isOver = until(task.block, slot, task.ordinal);
    for (let step = written + 1; step < steps && !isOver; step++) {
      for (let p = 0; p < processors; p++) isOver = until(p * steps + step, slot, -1) || isOver;
    }
    return { ...found, isResult: !isOver };
  }
  // Where the value is: processors and slots, as messages carry it on.
  let places: [number, number][] = until(task.block, slot, task.ordinal) ? [] : [[writer, slot]];
  for (let step = written; step + 1 < steps && places.length > 0; step++) {
    const messages = messagesAfter(plan, step);
    const kept = places.filter(([p, word]) => !messages.some((m) => m.to === p && first(m.copies, (c) => backwards(c, array, word)) !== undefined));
    const sent = places.flatMap(([p, word]) =>
      messages.filter((m) => m.from === p).flatMap((m) => m.copies.flatMap((c) => forwards(c, array, word).map((to): [number, number] => [m.to, to]))),
    );
    places = [...kept, ...sent].filter(([p, word]) => !until(p * steps + step + 1, word, -1));
  }
  const isResult = places.some(([p, word]) => (plan.gather[p] ?? []).some((c) => forwards(c, array, word).length > 0));
  // A processor may have the value in several slots, and a task read two of them.
  const seen = new Map(found.tasks.map((user) => [`${user.block} ${user.ordinal}`, user]));
  return { tasks: [...seen.values()], count: found.count - found.tasks.length + seen.size, isResult };
}

function first<T>(items: readonly T[], find: (item: T) => number | undefined): number | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
