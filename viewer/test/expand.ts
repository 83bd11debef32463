import type { TestBody, TestTerm } from './encode';

/** A task of the plain expansion: its statement and its components. */
export interface Expanded {
  statement: number;
  components: number[];
}

/** Expands terms into tasks, straight from what the format says; `widths` are the components of each statement, 1 by default. */
export function expand(terms: TestTerm[], bodies: TestBody[], widths?: number[]): Expanded[] {
  const tasks: Expanded[] = [];
  const run = (body: TestBody, count: number, values: number[]) => {
    for (let k = 0; k < count; k++) {
      let at = 0;
      for (const statement of body.statements) {
        const end = at + (widths?.[statement] ?? 1);
        const components = body.components.slice(at, end).map((c) => values[c.base]! + (c.offset ?? 0) + k * (c.given === undefined ? (c.step ?? 0) : values[c.given]!));
        tasks.push({ statement, components });
        at = end;
      }
    }
  };
  const valuesOfBody = (body: TestBody) => Math.max(0, ...body.components.map((c) => Math.max(c.base, c.given ?? 0) + 1));
  // Takes the values of `terms` from the front of `values`.
  const walk = (inner: TestTerm[], values: number[]) => {
    for (const term of inner) {
      const count = values.shift()!;
      if (term.kind === 'run') run(bodies[term.body!]!, count, values.splice(0, valuesOfBody(bodies[term.body!]!)));
      else {
        const current = values.splice(0, term.first!.length);
        const step = values.splice(0, term.step!.length);
        for (let i = 0; i < count; i++) walk(term.terms!, current.map((value, v) => value + i * step[v]!));
      }
    }
  };
  for (const term of terms) {
    if (term.kind === 'loose') for (const values of term.runs!) run(bodies[term.body!]!, 1, values);
    else walk([term], term.kind === 'run' ? [term.count!, ...term.values!] : [term.count!, ...term.first!, ...term.step!]);
  }
  return tasks;
}

/** Random numbers below a bound, always the same of a seed. */
export function random(seed: number): (below: number) => number {
  let state = seed * 7919 + 1;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return Math.floor((state / 2147483647) * below);
  };
}
