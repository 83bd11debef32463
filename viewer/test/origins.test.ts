import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOf, usesOf, type Origin } from '../src/data/origins';
import { ownersOf } from '../src/data/owners';
import { decodePlan, type Strided } from '../src/data/plan';
import { programOf, rowOf, statementsOf, type Program } from '../src/data/program';
import { encodePlan, type TestStrided, type TestTerm } from './encode';
import { random } from './expand';
import { LU_STATEMENTS, luPlan } from './pages';

/** A value: where it came from. */
type Value = string;

/** Record of a run of the plan, task by task. */
interface Seen {
  /** Values that each task read. */
  reads: Map<string, Value[]>;
  /** Readers of what each task wrote. */
  users: Map<string, Set<string>>;
  results: Set<Value>;
  memory: Value[][][];
}

/** Runs a plan on values that say where they come from: the oracle. */
function simulate(program: Program): Seen {
  const { plan, statements, component } = program;
  const shared = plan.extents.map((extent, a) => (plan.shared[a] ? Array.from({ length: extent }, (_, i) => `input ${i}`) : undefined));
  const memory: Value[][][] = Array.from({ length: plan.processors }, (_, p) => plan.extents.map((_, a) => shared[a] ?? new Array(plan.lengths[p * plan.extents.length + a]!).fill('unset')));
  const words = (c: Strided) => Array.from({ length: c.count }, (_, k) => [c.from + k * c.fromStep, c.to + k * c.toStep] as const);
  plan.scatter.forEach((all, p) => all.forEach((c) => words(c).forEach(([from, to]) => (memory[p]![c.array]![to] = `input ${from}`))));
  const seen: Seen = { reads: new Map(), users: new Map(), results: new Set(), memory };
  for (let step = 0; step < plan.steps; step++) {
    for (let p = 0; p < plan.processors; p++) {
      const block = p * plan.steps + step;
      let ordinal = 0;
      program.walker.walk(rowOf(plan, block), (b, count, values, at) => {
        const body = plan.bodies[b]!;
        for (let k = 0; k < count; k++) {
          body.statements.forEach((s, position) => {
            const slot = (c: number) => values[at + body.base[c]!]! + body.offset[c]! + k * (body.given[c]! >= 0 ? values[at + body.given[c]!]! : body.step[c]!);
            const first = component[b]![position]!;
            const name = `task ${block} ${ordinal++}`;
            const read = statements[s]!.reads!.map((array, o) => memory[p]![array]![slot(first + 1 + o)]!);
            seen.reads.set(name, read);
            for (const value of read) if (seen.users.has(value)) seen.users.get(value)!.add(name);
            memory[p]![statements[s]!.writes!]![slot(first)] = name;
            seen.users.set(name, new Set());
          });
        }
      });
    }
    const packets = plan.messages.filter((m) => m.step === step).map((m) => ({ m, values: m.copies.flatMap((c) => words(c).map(([from]) => memory[m.from]![c.array]![from]!)) }));
    for (const { m, values } of packets) for (const c of m.copies) words(c).forEach(([, to]) => (memory[m.to]![c.array]![to] = values.shift()!));
  }
  plan.gather.forEach((all, p) => all.forEach((c) => words(c).forEach(([from]) => seen.results.add(memory[p]![c.array]![from]!))));
  shared.forEach((array) => array?.forEach((value) => seen.results.add(value)));
  return seen;
}

function nameOf(origin: Origin): Value {
  return origin.kind === 'task' ? `task ${origin.task.block} ${origin.task.ordinal}` : origin.kind === 'input' ? `input ${origin.index}` : 'unset';
}

/** Compares what is found of a task with what the oracle has seen. */
function compare(program: Program, seen: Seen, name: string): void {
  const [block, ordinal] = name.split(' ').slice(1).map(Number) as [number, number];
  const { plan, statements, component } = program;
  let at = 0;
  program.walker.walk(rowOf(plan, block), (b, count, values, from) => {
    const body = plan.bodies[b]!;
    const many = body.statements.length;
    if (ordinal < at || ordinal >= at + count * many) {
      at += count * many;
      return;
    }
    const k = Math.floor((ordinal - at) / many);
    const position = (ordinal - at) % many;
    const statement = statements[body.statements[position]!]!;
    const slot = (c: number) => values[from + body.base[c]!]! + body.offset[c]! + k * (body.given[c]! >= 0 ? values[from + body.given[c]!]! : body.step[c]!);
    const first = component[b]![position]!;
    pending = { reads: statement.reads!.map((array, o) => [array, slot(first + 1 + o)]), write: [statement.writes!, slot(first)] };
    at = Infinity;
  });
  const { reads, write } = pending!;
  const task = { block, ordinal };
  assert.deepEqual(reads.map(([array, word]) => nameOf(originOf(program, task, array, word))), seen.reads.get(name), name);
  const uses = usesOf(program, task, ...write, Infinity);
  const users = uses.tasks.map((user) => `task ${user.block} ${user.ordinal}`).sort();
  assert.deepEqual(users, [...seen.users.get(name)!].sort(), `users of ${name}`);
  assert.equal(uses.count, users.length);
  assert.equal(uses.isResult, seen.results.has(name), `result of ${name}`);
}
let pending: { reads: [number, number][]; write: [number, number] } | undefined;

test('origins and users in the private memory of LU are those of a run task by task', () => {
  const program = programOf(decodePlan(luPlan(128)), statementsOf(LU_STATEMENTS));
  const seen = simulate(program);
  const names = [...seen.reads.keys()];
  const next = random(5);
  for (let round = 0; round < 60; round++) compare(program, seen, names[next(names.length)]!);
  for (const name of [names[0]!, names.at(-1)!]) compare(program, seen, name);
});

test('origins, users and owners in shared memory are those of a run task by task', () => {
  const statements = statementsOf([{ file: 'a.rs', line: 1, column: 1, text: 'x[i] = x[j] + x[k]', writes: 0, reads: [0, 0] }]);
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const [processors, steps, words] = [3, 6, 9];
    // One processor works at a time, so that nobody writes what another reads.
    const codes = Array.from({ length: steps }, () => ({ p: next(processors), runs: Array.from({ length: next(6) }, () => ({ kind: 'run' as const, body: 0, count: 1 + next(3), values: [next(words - 2), next(words - 2), next(words - 2), next(2)] })) }));
    const bodies = [{ statements: [0], components: [{ base: 0, step: 1 }, { base: 1, given: 3 }, { base: 2, step: 0 }] }];
    const code = (step: number, p: number): TestTerm[] => (codes[step]!.p === p ? codes[step]!.runs : []);
    const plan = decodePlan(encodePlan({ processors, steps, extents: [words], shared: [true], bodies, code }));
    const program = programOf(plan, statements);
    const seen = simulate(program);
    for (const name of seen.reads.keys()) compare(program, seen, name);
    ownersOf(program, 0, words, Infinity).block.forEach((block, word) => {
      const value = seen.memory[0]![0]![word]!;
      assert.equal(block < 0 ? 'input' : `task ${block}`, value.split(' ').slice(0, block < 0 ? 1 : 2).join(' '));
    });
  }
});

test('owners of LU on shared memory are all but those of the first row', () => {
  const program = programOf(decodePlan(luPlan(256)), statementsOf(LU_STATEMENTS));
  const { block, elsewhere } = ownersOf(program, 0, 256 * 256, Infinity);
  assert.ok(block.every((owner, word) => owner < 0 === word < 256));
  assert.equal(elsewhere, 0);
});

test('an origin tells through how many messages its value came', () => {
  const statements = statementsOf([{ file: 'a.rs', line: 1, column: 1, text: 'x[i] = x[j]', writes: 0, reads: [0] }]);
  const bodies = [{ statements: [0], components: [{ base: 0 }, { base: 1 }] }];
  const copy = (from: number, to: number): TestStrided[] => [{ array: 0, count: 1, from, to, fromStep: 1, toStep: 1 }];
  const messages = [{ step: 0, from: 0, to: 1, copies: copy(2, 3) }, { step: 1, from: 1, to: 2, copies: copy(3, 1) }];
  const code = (step: number, p: number): TestTerm[] => (step === p ? [{ kind: 'run', body: 0, count: 1, values: p === 0 ? [2, 0] : p === 1 ? [0, 3] : [0, 1] }] : []);
  const plan = decodePlan(encodePlan({ processors: 3, steps: 3, extents: [4], shared: [], bodies, messages, code }));
  const program = programOf(plan, statements);
  const from = { kind: 'task', task: { block: 0, ordinal: 0 } };
  assert.deepEqual(originOf(program, { block: 4, ordinal: 0 }, 0, 3), { ...from, hops: 1 });
  assert.deepEqual(originOf(program, { block: 8, ordinal: 0 }, 0, 1), { ...from, hops: 2 });
  assert.deepEqual(usesOf(program, from.task, 0, 2, 9), { tasks: [{ block: 4, ordinal: 0 }, { block: 8, ordinal: 0 }], count: 2, isResult: false });
});

test('origins and users in private memory go through messages, scatter and gather', () => {
  const statements = statementsOf([{ file: 'a.rs', line: 1, column: 1, text: 'x[i] = x[j] + x[k]', writes: 0, reads: [0, 0], control: ['usize'] }]);
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const [processors, steps, words] = [3, 5, 6];
    const copies = (): TestStrided => ({ array: 0, count: 1 + next(2), from: 2 + next(2), to: 2 + next(2), fromStep: next(3) - 1, toStep: next(2) * 2 - 1 });
    const codes = Array.from({ length: processors * steps }, (): TestTerm[] => [{ kind: 'loose', body: 0, runs: Array.from({ length: next(4) }, () => [next(words), next(words), next(words), 5]) }]);
    const messages = [];
    for (let step = 0; step + 1 < steps; step++) {
      for (let from = 0; from < processors; from++) {
        // One message to each receiver, as places of two would depend on their order.
        const to = (from + 1 + (step % 2)) % processors;
        if (next(2) === 0) messages.push({ step, from, to, copies: [copies()] });
      }
    }
    const own = (): TestStrided[][] => Array.from({ length: processors }, (_, p) => [{ array: 0, count: 2, from: 2 * p, to: 1 + next(4), fromStep: 1, toStep: 1 }]);
    const gather = Array.from({ length: processors }, (_, p): TestStrided[] => [{ array: 0, count: 2, from: 1 + next(4), to: 2 * p, fromStep: 1, toStep: 1 }]);
    const bodies = [{ statements: [0], components: [{ base: 0 }, { base: 1 }, { base: 2 }, { base: 3 }] }];
    const plan = decodePlan(encodePlan({ processors, steps, extents: [words], shared: [], bodies, scatter: own(), gather, messages, code: (step, p) => codes[step * processors + p]! }));
    const program = programOf(plan, statements);
    const seen = simulate(program);
    for (const name of seen.reads.keys()) compare(program, seen, name);
  }
});
