import { Floats, Reader, Words } from './bytes';
import type { Body } from './plan';

/** The kinds of terms. */
export const RUN = 0;
export const LOOP = 1;
export const LOOSE = 2;

/** Nested loops over runs of all processors in all supersteps, as flat arrays; rows are `step * processors + processor`. */
export interface Code {
  /** First term of each row, and the end of the last. */
  readonly term: Uint32Array;
  /** First value of each row. */
  readonly value: Uint32Array;
  /** First value of loose runs of each row. */
  readonly loose: Uint32Array;
  /** Kind of each term: [`RUN`], [`LOOP`] or [`LOOSE`]. */
  readonly kind: Uint8Array;
  /** Body of each term, or the number of terms in the loop. */
  readonly arg: Uint32Array;
  /** Values of one iteration of each term, a loop, or how many loose runs. */
  readonly size: Uint32Array;
  readonly values: Float64Array;
  /** Values of loose runs. */
  readonly looseValues: Int32Array;
  /** Values that nested loops keep at the same time, at most. */
  readonly depth: number;
}

/** Called for each run of at least one iteration: `values[at..]` are its values. */
export type Visit = (body: number, count: number, values: Float64Array, at: number) => void;

/** Called for each table of at least one loose run: the values of the first are `looseValues[first..]` of the code. */
export type VisitLoose = (body: number, runs: number, first: number) => void;

/** Reads the code of so many rows. */
export function readCode(input: Reader, rows: number, bodies: readonly Body[]): Code {
  const start = { term: new Uint32Array(rows + 1), value: new Uint32Array(rows + 1), loose: new Uint32Array(rows + 1) };
  const [kind, arg, size] = [new Words(), new Words(), new Words()];
  const [values, loose] = [new Floats(), new Words()];
  const next = { value: 0, zeros: 0 };
  let depth = 1;
  for (let row = 0; row < rows; row++) {
    const terms = input.length();
    const first = kind.length;
    for (let t = 0; t < terms; t++) {
      const code = input.unsigned();
      const term = code % 4;
      if (term > LOOSE) throw new Error('a term of an unknown kind');
      kind.push(term);
      arg.push(Math.floor(code / 4));
      size.push(term === LOOSE ? input.below(2 ** 32, 'loose runs') : 0);
      if (term !== LOOP && Math.floor(code / 4) >= bodies.length) throw new Error('a body is out of range');
    }
    const width = widths(kind, arg, size, bodies, first, kind.length);
    depth = Math.max(depth, width.depth);
    for (let t = first; t < kind.length; t++) {
      if (kind.get(t) !== LOOSE) continue;
      for (let left = size.get(t) * bodies[arg.get(t)]!.values; left > 0; left--) loose.push(input.signed());
    }
    for (let left = width.total; left > 0; ) {
      input.valueOrZeros(next);
      if (next.zeros > left) throw new Error('zeros of code are inconsistent');
      if (next.zeros > 0) values.zeros(next.zeros);
      else values.push(next.value);
      left -= Math.max(next.zeros, 1);
    }
    start.term[row + 1] = kind.length;
    start.value[row + 1] = values.length;
    start.loose[row + 1] = loose.length;
  }
  const words = loose.finish();
  return {
    ...start,
    kind: new Uint8Array(kind.finish()),
    arg: arg.finish(),
    size: size.finish(),
    values: values.finish(),
    looseValues: new Int32Array(words.buffer, words.byteOffset, words.length),
    depth,
  };
}

/** Fills in the widths of loops; returns the values of all terms, and how many of them nested loops keep at a time. */
function widths(kind: Words, arg: Words, size: Words, bodies: readonly Body[], first: number, end: number) {
  let [total, depth] = [0, 0];
  for (let at = first; at < end; ) {
    const term = widthOf(kind, arg, size, bodies, at, end);
    total += term.values;
    depth = Math.max(depth, term.depth);
    at = term.end;
  }
  return { total, depth };
}

function widthOf(kind: Words, arg: Words, size: Words, bodies: readonly Body[], at: number, limit: number): { end: number; values: number; depth: number } {
  if (kind.get(at) === RUN) return { end: at + 1, values: 1 + bodies[arg.get(at)]!.values, depth: 0 };
  if (kind.get(at) === LOOSE) return { end: at + 1, values: 0, depth: 0 };
  const end = at + 1 + arg.get(at);
  if (end > limit || end === at + 1) throw new Error('the terms of a loop are inconsistent');
  const inner = widths(kind, arg, size, bodies, at + 1, end);
  for (let t = at + 1; t < end; t++) if (kind.get(t) === LOOSE) throw new Error('loose runs in a loop');
  if (inner.total > 2 ** 24) throw new Error('a loop of too many values');
  size.set(at, inner.total);
  return { end, values: 1 + 2 * inner.total, depth: inner.total + inner.depth };
}

/** Walks through code; one walker for each plan, so that walks need no memory of their own. Walks do not nest. */
export class Walker {
  private readonly room: Float64Array;
  private readonly entry: Float64Array;

  constructor(
    private readonly code: Code,
    private readonly bodies: readonly Body[],
  ) {
    this.room = new Float64Array(code.depth);
    this.entry = new Float64Array(bodies.reduce((most, body) => Math.max(most, body.values), 1));
  }

  /** Calls `visit` for every run of a row, in order; loose runs are runs of one iteration, or go to `visitLoose` together. */
  walk(row: number, visit: Visit, visitLoose?: VisitLoose): void {
    const { code, entry } = this;
    let value = code.value[row]!;
    let loose = code.loose[row]!;
    const end = code.term[row + 1]!;
    for (let at = code.term[row]!; at < end; ) {
      if (code.kind[at] === LOOSE) {
        const width = this.bodies[code.arg[at]!]!.values;
        if (visitLoose && code.size[at]! > 0) {
          visitLoose(code.arg[at]!, code.size[at]!, loose);
          loose += width * code.size[at]!;
        } else for (let left = code.size[at]!; left > 0; left--) {
          for (let v = 0; v < width; v++) entry[v] = code.looseValues[loose + v]!;
          loose += width;
          visit(code.arg[at]!, 1, entry, 0);
        }
        at++;
      } else {
        const next = code.kind[at] === LOOP ? at + 1 + code.arg[at]! : at + 1;
        value = this.terms(at, next, code.values, value, 0, visit);
        at = next;
      }
    }
  }

  private terms(at: number, end: number, values: Float64Array, value: number, free: number, visit: Visit): number {
    const { code, room } = this;
    while (at < end) {
      const arg = code.arg[at]!;
      if (code.kind[at] === RUN) {
        const count = values[value]!;
        if (count > 0) visit(arg, count, values, value + 1);
        value += 1 + this.bodies[arg]!.values;
        at++;
        continue;
      }
      const width = code.size[at]!;
      const step = value + 1 + width;
      for (let v = 0; v < width; v++) room[free + v] = values[value + 1 + v]!;
      for (let left = values[value]!; left > 0; left--) {
        this.terms(at + 1, at + 1 + arg, room, free, free + width, visit);
        for (let v = 0; v < width; v++) room[free + v]! += values[step + v]!;
      }
      value = step + width;
      at += 1 + arg;
    }
    return value;
  }

  /** Adds the iterations of each body in a row to `into`; loops over one run are summed at once. */
  count(row: number, into: Float64Array): void {
    const { code } = this;
    let value = code.value[row]!;
    const end = code.term[row + 1]!;
    for (let at = code.term[row]!; at < end; ) {
      const kind = code.kind[at];
      const arg = code.arg[at]!;
      if (kind === LOOSE) {
        into[arg]! += code.size[at]!;
        at++;
      } else if (kind === LOOP && arg === 1 && code.kind[at + 1] === RUN) {
        const width = code.size[at]!;
        into[code.arg[at + 1]!]! += sumOfCounts(code.values[value]!, code.values[value + 1]!, code.values[value + 1 + width]!);
        value += 1 + 2 * width;
        at += 2;
      } else {
        const next = kind === LOOP ? at + 1 + arg : at + 1;
        value = this.terms(at, next, code.values, value, 0, (body, count) => (into[body]! += count));
        at = next;
      }
    }
  }
}

/** Sums `max(0, count + i * step)` over `i < times`. */
export function sumOfCounts(times: number, count: number, step: number): number {
  if (times <= 0) return 0;
  let first = 0;
  let last = times - 1;
  if (step < 0) last = Math.min(last, Math.ceil(count / -step) - 1);
  if (step > 0 && count <= 0) first = Math.floor(-count / step) + 1;
  if (last < first || (step <= 0 && count <= 0)) return 0;
  return ((last - first + 1) * (2 * count + step * (first + last))) / 2;
}
