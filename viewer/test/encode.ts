// Encodes plans, times and traffic for tests: written from the format's text, and shares nothing with what reads it.

export interface TestTerm {
  kind: 'run' | 'loop' | 'loose';
  body?: number;
  count?: number;
  values?: number[];
  /** Of a loop: its own terms, the values of one iteration and their steps follow from `first` and `step`. */
  terms?: TestTerm[];
  first?: number[];
  step?: number[];
  runs?: number[][];
}

export interface TestBody {
  statements: number[];
  components: { base: number; offset?: number; given?: number; step?: number }[];
  isBlock?: boolean;
}

export interface TestStrided {
  array: number;
  count: number;
  from: number;
  to: number;
  fromStep: number;
  toStep: number;
}

export interface TestPlan {
  processors: number;
  steps: number;
  extents: number[];
  shared: boolean[];
  precedences?: [step: number, processor: number, peer: number, ended: number][];
  lengths?: number[];
  bodies: TestBody[];
  scatter?: TestStrided[][];
  gather?: TestStrided[][];
  messages?: { step: number; from: number; to: number; copies: TestStrided[] }[];
  /** `code(step, processor)`. */
  code: (step: number, processor: number) => TestTerm[];
}

export class Writer {
  private bytes = new Uint8Array(1 << 16);
  private at = 0;

  byte(value: number): void {
    if (this.at === this.bytes.length) {
      const more = new Uint8Array(2 * this.at);
      more.set(this.bytes);
      this.bytes = more;
    }
    this.bytes[this.at++] = value;
  }

  unsigned(value: number): void {
    while (value >= 128) {
      this.byte((value % 128) + 128);
      value = Math.floor(value / 128);
    }
    this.byte(value);
  }

  signed(value: number): void {
    this.unsigned(value >= 0 ? 2 * value : -2 * value - 1);
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }
}

export function encodePlan(plan: TestPlan): Uint8Array {
  const out = new Writer();
  [0x42, 0x53, 0x50, 0x50, 6].forEach((byte) => out.byte(byte));
  const { processors, steps } = plan;
  [processors, 0, steps].forEach((value) => out.unsigned(value));
  out.unsigned(plan.extents.length);
  plan.extents.forEach((extent) => out.unsigned(extent));
  out.unsigned(plan.shared.length);
  plan.shared.forEach((shared) => out.unsigned(shared ? 1 : 0));
  let before = 0;
  out.unsigned(plan.precedences?.length ?? 0);
  for (const [step, processor, peer, ended] of plan.precedences ?? []) {
    [step - before, processor, peer, step - 1 - ended].forEach((value) => out.unsigned(value));
    before = step;
  }
  for (let p = 0; p < processors; p++) plan.extents.forEach((extent, a) => out.signed((plan.lengths?.[p * plan.extents.length + a] ?? extent) - extent));
  out.unsigned(plan.bodies.length);
  for (const body of plan.bodies) {
    out.unsigned(body.statements.length);
    body.statements.forEach((s) => out.unsigned(s));
    out.unsigned(body.isBlock ? 1 : 0);
    out.unsigned(body.components.length);
    for (const c of body.components) {
      out.unsigned(c.base);
      out.signed(c.offset ?? 0);
      out.unsigned(c.given === undefined ? 0 : 1 + c.given);
      if (c.given === undefined) out.signed(c.step ?? 0);
    }
  }
  for (const side of [plan.scatter, plan.gather]) for (let p = 0; p < processors; p++) writeCopies(out, side?.[p] ?? []);
  out.unsigned(plan.messages?.length ?? 0);
  before = 0;
  for (const m of plan.messages ?? []) {
    [m.step - before, m.from, m.to].forEach((value) => out.unsigned(value));
    before = m.step;
    writeCopies(out, m.copies);
  }
  for (let step = 0; step < steps; step++) for (let p = 0; p < processors; p++) writeCode(out, plan.code(step, p));
  return out.done();
}

function writeCopies(out: Writer, copies: TestStrided[]): void {
  out.unsigned(copies.length);
  let [from, to] = [0, 0];
  for (const c of copies) {
    out.unsigned(c.array);
    out.unsigned(c.count);
    [c.from - from, c.to - to, c.fromStep, c.toStep].forEach((value) => out.signed(value));
    [from, to] = [c.from + c.count * c.fromStep, c.to + c.count * c.toStep];
  }
}

function flatten(terms: TestTerm[]): TestTerm[] {
  return terms.flatMap((term) => (term.kind === 'loop' ? [term, ...flatten(term.terms!)] : [term]));
}

/** The values that a list of terms takes. */
export function valuesOf(terms: TestTerm[]): number[] {
  return terms.flatMap((t) => (t.kind === 'run' ? [t.count!, ...t.values!] : t.kind === 'loop' ? [t.count!, ...t.first!, ...t.step!] : []));
}

function writeCode(out: Writer, terms: TestTerm[]): void {
  const flat = flatten(terms);
  out.unsigned(flat.length);
  for (const t of flat) {
    if (t.kind === 'run') out.unsigned(t.body! * 4);
    else if (t.kind === 'loop') out.unsigned(flatten(t.terms!).length * 4 + 1);
    else {
      out.unsigned(t.body! * 4 + 2);
      out.unsigned(t.runs!.length);
    }
  }
  for (const t of flat) for (const run of t.runs ?? []) run.forEach((value) => out.signed(value));
  const values = valuesOf(terms);
  for (let at = 0; at < values.length; ) {
    let zeros = 0;
    while (values[at + zeros] === 0) zeros++;
    if (zeros > 0) out.unsigned(2 * zeros + 1);
    else {
      const value = values[at]!;
      out.unsigned(2 * (value >= 0 ? 2 * value : -2 * value - 1));
    }
    at += Math.max(1, zeros);
  }
}

/** `times[timeline][step][processor]`: waits, copies, works. */
export function encodeTimes(times: [number, number, number][][][]): Uint8Array {
  const out = new Writer();
  out.unsigned(times.length);
  for (const line of times) for (const step of line) for (const parts of step) parts.forEach((ns) => out.unsigned(ns));
  return out.done();
}

export function encodeTraffic(entries: [step: number, from: number, to: number, words: number][]): Uint8Array {
  const out = new Writer();
  out.unsigned(entries.length);
  let before = 0;
  for (const [step, from, to, words] of entries) {
    [step - before, from, to, words].forEach((value) => out.unsigned(value));
    before = step;
  }
  return out.done();
}

export function encodeDependences(groups: readonly { length: number; before: readonly number[] }[]): Uint8Array {
  const out = new Writer();
  out.unsigned(groups.length);
  groups.forEach(({ length, before }, group) => {
    [length, before.length].forEach((value) => out.unsigned(value));
    before.forEach((each) => out.unsigned(each > group ? 2 ** 32 + group - each : group - each));
  });
  return out.done();
}
