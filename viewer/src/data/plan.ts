import { Reader, Words } from './bytes';
import { readCode, type Code } from './code';

/** Body of an innermost loop: statements in order, and how their components follow from a run's values. */
export interface Body {
  readonly statements: readonly number[];
  /** The value of the run from which each component starts. */
  readonly base: readonly number[];
  /** Its distance from that value. */
  readonly offset: readonly number[];
  /** The value of the run that is its step, or -1 where `step` is. */
  readonly given: readonly number[];
  readonly step: readonly number[];
  /** Values that a run gives besides its count. */
  readonly values: number;
}

/** Words of one array copied from `from, from + fromStep, ...` to `to, to + toStep, ...`. */
export interface Strided {
  readonly array: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly fromStep: number;
  readonly toStep: number;
}

/** Words that cross from one processor to another after a superstep. */
export interface Message {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly copies: readonly Strided[];
}

/** Waits before supersteps for earlier ones of peers: four parallel arrays. */
export interface Precedences {
  readonly step: Uint32Array;
  readonly processor: Uint32Array;
  readonly peer: Uint32Array;
  readonly ended: Uint32Array;
}

/** A program in tables: what each processor runs in each superstep. */
export interface Plan {
  readonly processors: number;
  readonly predicted: number;
  readonly steps: number;
  readonly extents: readonly number[];
  /** Flags of arrays: whether its slots are the caller's own indices. */
  readonly shared: readonly boolean[];
  readonly precedences: Precedences;
  /** Words of each array in each memory, `[processor * arrays + array]`. */
  readonly lengths: readonly number[];
  readonly bodies: readonly Body[];
  readonly scatter: readonly (readonly Strided[])[];
  readonly gather: readonly (readonly Strided[])[];
  readonly messages: readonly Message[];
  /** `[step * processors + processor]`. */
  readonly code: Code;
}

const MAGIC = [0x42, 0x53, 0x50, 0x50, 6];
const MOST = 1 << 16;
const WORD = 2 ** 32;

/** Reads what `Plan::encode` wrote. Throws an `Error` that says what is wrong with other bytes. */
export function decodePlan(bytes: Uint8Array): Plan {
  const input = new Reader(bytes);
  input.magic(MAGIC, 'plan');
  const processors = input.below(MOST, 'the number of processors');
  const predicted = input.unsigned();
  const steps = input.below(WORD, 'the number of supersteps');
  const extents = list(input, () => input.below(WORD, 'an extent'));
  const shared = list(input, () => input.below(2, 'whether an array is shared') === 1);
  if (shared.length > 0 && shared.length !== extents.length) throw new Error('shared arrays are inconsistent');
  const precedences = readPrecedences(input, steps, processors);
  const lengths: number[] = [];
  for (let p = 0; p < processors; p++) {
    for (const extent of extents) lengths.push(extent + input.signed());
  }
  const bodies = list(input, () => readBody(input));
  const copies = () => readStrided(input, extents.length);
  const scatter = Array.from({ length: processors }, copies);
  const gather = Array.from({ length: processors }, copies);
  let step = 0;
  const messages = list(input, () => {
    step += input.below(Math.max(steps, 1), 'the superstep of a message');
    const from = input.below(processors, 'a sender');
    const to = input.below(processors, 'a receiver');
    return { step, from, to, copies: copies() };
  });
  if (messages.some((m) => m.step + 1 >= steps)) throw new Error('a message after the last superstep');
  if (steps * processors > input.left) throw new Error('the data end too early');
  const code = readCode(input, steps * processors, bodies);
  if (!input.isDone) throw new Error('the plan has bytes behind its end');
  const isShared = extents.map((_, array) => shared[array] ?? false);
  return { processors, predicted, steps, extents, shared: isShared, precedences, lengths, bodies, scatter, gather, messages, code };
}

function list<T>(input: Reader, read: () => T): T[] {
  const items: T[] = [];
  for (let left = input.length(); left > 0; left--) items.push(read());
  return items;
}

function readPrecedences(input: Reader, steps: number, processors: number): Precedences {
  const [atStep, processor, peer, ended] = [new Words(), new Words(), new Words(), new Words()];
  let step = 0;
  for (let left = input.length(); left > 0; left--) {
    step += input.below(Math.max(steps, 1), 'the superstep of a precedence');
    if (step >= steps) throw new Error('the superstep of a precedence is out of range');
    atStep.push(step);
    processor.push(input.below(processors, 'the processor of a precedence'));
    peer.push(input.below(processors, 'the peer of a precedence'));
    ended.push(step - 1 - input.below(step, 'the superstep of a peer'));
  }
  return { step: atStep.finish(), processor: processor.finish(), peer: peer.finish(), ended: ended.finish() };
}

function readBody(input: Reader): Body {
  const statements = list(input, () => input.below(MOST, 'a statement'));
  input.below(2, 'whether a body takes blocks');
  const [base, offset, given, step]: [number[], number[], number[], number[]] = [[], [], [], []];
  let values = 0;
  for (let left = input.length(); left > 0; left--) {
    base.push(input.below(MOST, 'a component'));
    offset.push(input.signed());
    const stride = input.below(MOST + 1, 'a step');
    given.push(stride - 1);
    step.push(stride === 0 ? input.signed() : 0);
    values = Math.max(values, base.at(-1)! + 1, stride);
  }
  return { statements, base, offset, given, step, values };
}

function readStrided(input: Reader, arrays: number): Strided[] {
  let [endFrom, endTo] = [0, 0];
  return list(input, () => {
    const array = input.below(arrays, 'the array of a copy');
    const count = input.below(WORD, 'the words of a copy');
    const from = endFrom + input.signed();
    const to = endTo + input.signed();
    const fromStep = input.signed();
    const toStep = input.signed();
    endFrom = from + count * fromStep;
    endTo = to + count * toStep;
    return { array, count, from, to, fromStep, toStep };
  });
}

/** Finds the messages of a superstep. */
export function messagesAfter({ messages }: Plan, step: number): readonly Message[] {
  const first = (from: number) => {
    let [low, high] = [0, messages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (messages[middle]!.step < from) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return messages.slice(first(step), first(step + 1));
}

/** Finds where a copy puts the word that it takes from `slot`: several places where it takes but this one. */
export function forwards(copies: Strided, array: number, slot: number): number[] {
  const word = copies.array === array ? wordAt(copies.from, copies.fromStep, copies.count, slot) : -1;
  if (word < 0) return [];
  if (copies.fromStep !== 0) return [copies.to + word * copies.toStep];
  return Array.from({ length: copies.count }, (_, k) => copies.to + k * copies.toStep);
}

/** Finds from where a copy takes the word that it puts into `slot`; undefined where it puts none there. */
export function backwards(copies: Strided, array: number, slot: number): number | undefined {
  const word = copies.array === array ? wordAt(copies.to, copies.toStep, copies.count, slot) : -1;
  return word < 0 ? undefined : copies.from + word * copies.fromStep;
}

/** The last `k < count` with `start + k * step === slot`, or -1. */
export function wordAt(start: number, step: number, count: number, slot: number): number {
  if (step === 0) return start === slot && count > 0 ? count - 1 : -1;
  const word = (slot - start) / step;
  return Number.isInteger(word) && word >= 0 && word < count ? word : -1;
}

