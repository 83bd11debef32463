import { rowOf, type Program } from './program';

/** Last writers of an array's words. */
export interface Owners {
  /** Block of each word that last wrote it; -1 where none has. */
  readonly block: Int32Array;
  /** Tasks that wrote words of private memory which are no words of the caller's array. */
  readonly elsewhere: number;
}

/** Finds who last wrote each of an array's words, up to a superstep. Costs a walk through all tasks until then. */
export function ownersOf(program: Program, array: number, words: number, until: number): Owners {
  const { plan, statements, component, walker } = program;
  const owner = new Int32Array(words).fill(-1);
  const maps = plan.shared[array] ? undefined : plan.gather.map((_, p) => indices(program, array, p));
  let elsewhere = 0;
  for (let step = 0; step <= until && step < plan.steps; step++) {
    for (let p = 0; p < plan.processors; p++) {
      const block = p * plan.steps + step;
      const map = maps?.[p];
      walker.walk(rowOf(plan, block), (b, count, values, at) => {
        const body = plan.bodies[b]!;
        for (let position = 0; position < body.statements.length; position++) {
          if (statements[body.statements[position]!]!.writes !== array) continue;
          const c = component[b]![position]!;
          let slot = values[at + body.base[c]!]! + body.offset[c]!;
          const stride = body.given[c]! >= 0 ? values[at + body.given[c]!]! : body.step[c]!;
          for (let k = 0; k < count; k++, slot += stride) {
            const index = map ? map[slot] : slot;
            if (index === undefined || index < 0 || index >= words) elsewhere++;
            else owner[index] = block;
          }
        }
      });
    }
  }
  return { block: owner, elsewhere };
}

/** The caller's index of each slot that inputs or results of a processor have; -1 for others. */
function indices(program: Program, array: number, processor: number): Int32Array {
  const { plan } = program;
  const map = new Int32Array(plan.lengths[processor * plan.extents.length + array] ?? 0).fill(-1);
  for (const c of plan.scatter[processor]!) {
    if (c.array === array) for (let k = 0; k < c.count; k++) map[c.to + k * c.toStep] = c.from + k * c.fromStep;
  }
  for (const c of plan.gather[processor]!) {
    if (c.array === array) for (let k = 0; k < c.count; k++) map[c.from + k * c.fromStep] = c.to + k * c.toStep;
  }
  return map;
}
