import type { Plan } from './plan';

/** Blocks that must have ended before a block begins: of `block` they are `awaited[first[block]..first[block + 1]]`. */
export interface Waits {
  readonly first: Uint32Array;
  readonly awaited: Uint32Array;
}

/** Collects precedences and messages by the block that waits. */
export function waitsOf(plan: Plan): Waits {
  const { steps, precedences, messages } = plan;
  const first = new Uint32Array(steps * plan.processors + 1);
  const awaited = new Uint32Array(precedences.step.length + messages.length);
  const each = (take: (block: number, awaited: number) => void) => {
    for (let w = 0; w < precedences.step.length; w++) {
      take(precedences.processor[w]! * steps + precedences.step[w]!, precedences.peer[w]! * steps + precedences.ended[w]!);
    }
    for (const m of messages) take(m.to * steps + m.step + 1, m.from * steps + m.step);
  };
  each((block) => first[block + 1]!++);
  for (let block = 1; block < first.length; block++) first[block]! += first[block - 1]!;
  const next = first.slice();
  each((block, other) => (awaited[next[block]!++] = other));
  return { first, awaited };
}
