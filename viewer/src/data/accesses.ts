import { wordAt } from './plan';
import { rowOf, type Program } from './program';
import type { Task } from './runs';

/** Tasks that were found, the first of them one by one, and how many there are in all. */
export interface Found {
  readonly tasks: Task[];
  count: number;
}

/** Finds the last task of a block, before that of ordinal `before`, that writes a slot; -1 if there is none. */
export function lastWrite(program: Program, block: number, array: number, slot: number, before: number): number {
  let last = -1;
  accesses(program, block, array, slot, true, (first, stride, count) => {
    const latest = Math.min(count - 1, Math.ceil((before - first) / stride) - 1);
    if (latest >= 0) last = Math.max(last, first + latest * stride);
  });
  return last;
}

/** Finds the first task of a block, after that of ordinal `after`, that writes a slot; `Infinity` if there is none. */
export function firstWrite(program: Program, block: number, array: number, slot: number, after: number): number {
  let first = Infinity;
  accesses(program, block, array, slot, true, (at, stride, count) => {
    const earliest = Math.max(0, Math.floor((after - at) / stride) + 1);
    if (earliest < count) first = Math.min(first, at + earliest * stride);
  });
  return first;
}

/** Adds to `found` the tasks of a block with ordinals in `(after, until]` that read a slot. */
export function findReads(program: Program, block: number, array: number, slot: number, after: number, until: number, limit: number, found: Found): void {
  accesses(program, block, array, slot, false, (at, stride, count) => {
    const earliest = Math.max(0, Math.floor((after - at) / stride) + 1);
    const latest = Math.min(count - 1, Math.floor((until - at) / stride));
    if (latest < earliest) return;
    found.count += latest - earliest + 1;
    for (let k = earliest; k <= latest && found.tasks.length < limit; k++) found.tasks.push({ block, ordinal: at + k * stride });
  });
}

/** Calls `take` for the tasks of each run that write (or read) a slot: `count` of them, from ordinal `first` on at equal distances. */
function accesses(program: Program, block: number, array: number, slot: number, isWrite: boolean, take: (first: number, stride: number, count: number) => void): void {
  const { plan, statements, walker, component } = program;
  let ordinal = 0;
  const ks: number[] = [];
  walker.walk(rowOf(plan, block), (b, count, values, at) => {
    const body = plan.bodies[b]!;
    const many = body.statements.length;
    for (let position = 0; position < many; position++) {
      const statement = statements[body.statements[position]!]!;
      const first = component[b]![position]!;
      const operands = isWrite || statement.writes === undefined ? 0 : (statement.reads?.length ?? 0);
      ks.length = 0;
      for (let o = isWrite ? -1 : 0; o < operands; o++) {
        if ((o < 0 ? statement.writes : statement.reads![o]) !== array) continue;
        const c = first + 1 + o;
        const start = values[at + body.base[c]!]! + body.offset[c]!;
        const step = body.given[c]! >= 0 ? values[at + body.given[c]!]! : body.step[c]!;
        const k = wordAt(start, step, count, slot);
        // A task that reads the word by two operands is one reader.
        if (k >= 0 && step === 0) {
          ks.length = 0;
          take(ordinal + position, many, count);
          break;
        }
        if (k >= 0 && !ks.includes(k)) ks.push(k);
      }
      for (const k of ks) take(ordinal + k * many + position, many, 1);
    }
    ordinal += count * many;
  });
}
