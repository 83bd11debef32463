import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, runs, timeOfStatements } from '../src/data/blocks';
import { sumOfCounts } from '../src/data/code';
import { bindingWait, criticalPath } from '../src/data/critical';
import { decodePlan } from '../src/data/plan';
import { programOf, rowOf, statementsOf } from '../src/data/program';
import { componentOf, locate, ordinalAt, RunTables, runsOf } from '../src/data/runs';
import { assumedTimeline, blockAt, copyOf, decodeTimes, waitOf, workOf } from '../src/data/times';
import { decodeTraffic, matrixOf } from '../src/data/traffic';
import { waitsOf } from '../src/data/waits';
import { parseReport } from '../src/data/report';
import { lightOf } from '../src/chart/light';
import { modelOf } from '../src/model';
import { csvOf } from '../src/view/table';
import { encodePlan, encodeTimes, encodeTraffic, valuesOf, type TestBody, type TestTerm } from './encode';
import { LU_STATEMENTS, lu, luPlan } from './pages';
import { expand, random } from './expand';

const ITERATION = { file: 'a.rs', line: 1, column: 1, text: 'for', counts: 'iteration' };

/** Terms at random: nests up to three deep whose counts depend on outer loops, and lists. */
function terms(next: (below: number) => number, bodies: TestBody[], depth: number): TestTerm[] {
  return Array.from({ length: 1 + next(3) }, (): TestTerm => {
    const body = next(bodies.length);
    const many = Math.max(...bodies[body]!.components.map((c) => Math.max(c.base, c.given ?? 0))) + 1;
    const values = () => Array.from({ length: many }, () => next(50) - 10);
    const kind = next(4);
    if (kind === 0 && depth === 0) return { kind: 'loose', body, runs: Array.from({ length: next(5) }, values) };
    if (kind < 2 || depth > 2) return { kind: 'run', body, count: next(5) - 1, values: values() };
    const inner = terms(next, bodies, depth + 1);
    const first = valuesOf(inner);
    return { kind: 'loop', count: next(4), terms: inner, first, step: first.map(() => next(4) - 1) };
  });
}

test('a walk visits what a plain expansion visits, in its order', () => {
  const bodies: TestBody[] = [
    { statements: [0, 1], components: [{ base: 0, step: 1 }, { base: 1, given: 2 }] },
    { statements: [1], components: [{ base: 0, offset: -7, given: 0 }], isBlock: true },
  ];
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed);
    const codes = Array.from({ length: 6 }, () => (next(5) === 0 ? [] : terms(next, bodies, 0)));
    const plan = decodePlan(encodePlan({ processors: 2, steps: 3, extents: [], shared: [], bodies, code: (step, p) => codes[step * 2 + p]! }));
    const program = programOf(plan, statementsOf([ITERATION, ITERATION]));
    const counted = blocksOf(program);
    const tables = new RunTables(program);
    for (let block = 0; block < 6; block++) {
      const expected = expand(codes[rowOf(plan, block)]!, bodies);
      const seen: [number, number][] = [];
      program.walker.walk(rowOf(plan, block), (b, count, values, at) => {
        const body = plan.bodies[b]!;
        for (let k = 0; k < count; k++) {
          body.statements.forEach((s, c) => {
            const step = body.given[c]! >= 0 ? values[at + body.given[c]!]! : body.step[c]!;
            seen.push([s, values[at + body.base[c]!]! + body.offset[c]! + k * step]);
          });
        }
      });
      assert.deepEqual(seen, expected.map((task) => [task.statement, task.components[0]]));
      assert.equal(counted.tasks[block], expected.length);
      for (const s of [0, 1]) assert.equal(runs(counted, block, s), expected.some((task) => task.statement === s));
      expected.forEach((task, ordinal) => {
        const found = locate(program, tables.of(block), ordinal);
        assert.equal(found.statement, task.statement);
        assert.equal(ordinalAt(program, tables.of(block), found.weight + 0.5), ordinal);
      });
    }
  }
});

test('counts of loops are summed as their terms are', () => {
  for (let times = -1; times < 6; times++) {
    for (let count = -6; count < 7; count++) {
      for (let step = -4; step < 5; step++) {
        let sum = 0;
        for (let i = 0; i < times; i++) sum += Math.max(0, count + i * step);
        assert.equal(sumOfCounts(times, count, step), sum, `${times} ${count} ${step}`);
      }
    }
  }
});

test('the plan of LU has the tasks of LU', () => {
  for (const [n, processors] of [[128, 4], [256, 8]] as const) {
    const plan = decodePlan(luPlan(n));
    assert.equal(plan.processors, processors);
    const program = programOf(plan, statementsOf(LU_STATEMENTS));
    const blocks = blocksOf(program);
    assert.deepEqual([...blocks.ofStatement], [(n * (n - 1)) / 2, ((n - 1) * n * (2 * n - 1)) / 6]);
    assert.equal(blocks.tasks.reduce((a, b) => a + b), blocks.ofStatement[0]! + blocks.ofStatement[1]!);
    const last = runsOf(program, plan.steps - 1);
    assert.equal(last.tasks.at(-1), blocks.tasks[plan.steps - 1]);
  }
});

test('bytes that are no plan are refused with a reason', () => {
  const whole = luPlan(128);
  assert.throws(() => decodePlan(new Uint8Array([1, 2, 3])), /no plan/);
  for (const length of [6, 40, 900, whole.length - 1]) assert.throws(() => decodePlan(whole.slice(0, length)), Error);
  assert.throws(() => decodePlan(new Uint8Array([...whole, 0])), /behind its end/);
  const next = random(3);
  for (let round = 0; round < 300; round++) {
    const spoiled = whole.slice(0, 3000 + next(20_000));
    spoiled[5 + next(400)] = next(256);
    try {
      decodePlan(spoiled);
    } catch (error) {
      assert.ok(error instanceof Error && error.message.length > 3);
    }
  }
  assert.throws(() => programOf(decodePlan(whole), statementsOf([ITERATION])), /not/);
});

test('times are what was written, and blocks are found by time', () => {
  const lines = decodeTimes(encodeTimes([[[[1, 2, 3], [0, 0, 9]], [[4, 0, 6], [0, 0, 0]]]]), 2, 2);
  const line = lines[0]!;
  assert.equal(line.total, 16);
  assert.deepEqual([0, 1, 2, 3].map((b) => [waitOf(line, b), copyOf(line, b), workOf(line, b)]), [[1, 2, 3], [4, 0, 6], [0, 0, 9], [0, 0, 0]]);
  assert.deepEqual([0, 5.9, 6, 15.9, 16].map((time) => blockAt(line, 0, time)), [0, 0, 1, 1, 2]);
  assert.deepEqual([8.9, 9].map((time) => blockAt(line, 1, time)), [2, 4]);
  assert.throws(() => decodeTimes(encodeTimes([[[[1, 2, 3]]]]), 2, 2), /too early/);
});

test('the critical path goes back through what held each step up', () => {
  const code = (): TestTerm[] => [];
  // Processor 0 waits before its last step for the first of 1, processor 1 before its second for the first of 2.
  const plan = decodePlan(encodePlan({ processors: 3, steps: 3, extents: [], shared: [], bodies: [], precedences: [[1, 1, 2, 0], [2, 0, 1, 1], [2, 0, 2, 0]], code }));
  const waits = waitsOf(plan);
  const work = Float64Array.from([2, 2, 5, /* 1 */ 1, 4, 1, /* 2 */ 9, 1, 1]);
  const line = assumedTimeline(3, 3, work, waits);
  assert.equal(line.total, 18);
  assert.deepEqual(criticalPath(line, waits), [6, 4, 2]);
  assert.equal(bindingWait(line, waits, 2), 4);
  assert.equal(bindingWait(line, waits, 5), -1);
  assert.equal(waitOf(line, 4), 8);
  assert.deepEqual(criticalPath(assumedTimeline(3, 3, Float64Array.from([9, 9, 5, 1, 1, 1, 1, 1, 1]), waits), waits), [0, 1, 2]);
});

test('the critical path of LU ends with the run and leaves no gap', () => {
  const plan = decodePlan(luPlan(256));
  const program = programOf(plan, statementsOf(LU_STATEMENTS));
  const waits = waitsOf(plan);
  const blocks = blocksOf(program);
  const line = assumedTimeline(plan.steps, plan.processors, blocks.weight, waits);
  const path = criticalPath(line, waits);
  const sum = path.reduce((all, block) => all + workOf(line, block), 0);
  assert.ok(Math.abs(sum - line.total) < 1e-6 * line.total);
  const time = timeOfStatements(program, blocks, line);
  assert.ok(Math.abs(time[0]! - blocks.ofStatement[0]!) < 1);
});

test('traffic is summed for all steps and for one', () => {
  const traffic = decodeTraffic(encodeTraffic([[0, 0, 1, 5], [3, 1, 0, 7], [3, 0, 1, 2]]), 2);
  assert.deepEqual([...matrixOf(traffic, 2, undefined)], [0, 7, 7, 0]);
  assert.deepEqual([...matrixOf(traffic, 2, 3)], [0, 2, 7, 0]);
  assert.deepEqual([...matrixOf(traffic, 2, 2)], [0, 0, 0, 0]);
});

test('reports of other schemas, and no reports, are refused', () => {
  assert.throws(() => parseReport('{'), /no JSON/);
  assert.throws(() => parseReport('[]'), /no object/);
  assert.throws(() => parseReport('{"schema":2}'), /schema 2/);
  assert.throws(() => parseReport('{"schema":1,"processors":1,"supersteps":1,"arrays":[],"statements":[{"text":"a","writes":0}]}'), /array/);
});

test('cells of CSV are quoted, and none is a formula', () => {
  const columns = [{ name: 'a,b', value: (row: string | number) => row }];
  assert.equal(csvOf(columns, ['x', 'say "x"', '=1+1', -5]), '"a,b"\r\nx\r\n"say ""x"""\r\n\'=1+1\r\n-5\r\n');
});

test('iterations of a table of loose runs have values of their own, in one run', () => {
  const bodies: TestBody[] = [{ statements: [0], components: [{ base: 0, offset: 3 }] }];
  const code = (): TestTerm[] => [{ kind: 'loose', body: 0, runs: [[4], [1], [9]] }, { kind: 'run', body: 0, count: 2, values: [7] }];
  const program = programOf(decodePlan(encodePlan({ processors: 1, steps: 1, extents: [], shared: [], bodies, code })), statementsOf([ITERATION]));
  const table = runsOf(program, 0);
  assert.deepEqual([...table.count], [3, 2]);
  const numbers = Array.from({ length: 5 }, (_, ordinal) => {
    const { run, iteration } = locate(program, table, ordinal);
    return componentOf(program, table, run, iteration, 0);
  });
  assert.deepEqual(numbers, [7, 4, 12, 10, 10]);
});

test('lit are the blocks of a statement, of the critical path, or of both, with what they have worked', () => {
  const { report, page, ...bytes } = lu(256);
  const model = modelOf(parseReport(JSON.stringify(report)), { rows: [], sources: [], notices: [], answers: [], ...page }, bytes);
  const track = model.tracks[1]!;
  const state = { shown: 1, critical: false, lit: undefined, picked: undefined } as const;
  assert.equal(lightOf(model, track, state), undefined);
  const [ofStatement, ofPath, ofBoth] = [{ lit: new Set([0]) }, { critical: true }, { lit: new Set([0]), critical: true }].map((choice) => lightOf(model, track, { ...state, ...choice })!);
  let worked = 0;
  for (let block = 0; block < track.line.end.length; block++) {
    const [runsIt, isOnPath] = [runs(model.blocks!, block, 0), track.path.includes(block)];
    assert.deepEqual([ofStatement, ofPath, ofBoth].map((light) => light!.blocks[block] === 1), [runsIt, isOnPath, runsIt && isOnPath]);
    if (block % track.line.steps === 0) worked = 0;
    worked += isOnPath ? workOf(track.line, block) : 0;
    assert.ok(Math.abs(ofPath!.worked[block]! - worked) < 1e-6);
  }
  assert.ok(ofStatement!.blocks.includes(0) && ofStatement!.blocks.includes(1));
});

test('a recorded run alone is measured, and a plan alone has lengths in tasks', () => {
  const bytes = luPlan(128);
  const { processors, steps } = decodePlan(bytes);
  const own = { schema: 1, kind: 'plan', processors, supersteps: steps, arrays: [{ name: 'a' }], statements: LU_STATEMENTS.map((each) => ({ ...each, work_ns: 0 })), loads: [{ tasks: 3, work_ns: 0, words_sent: 0 }] };
  const page = { rows: [], sources: [], notices: [], answers: [] };
  const alone = modelOf(parseReport(JSON.stringify(own)), page, { plan: bytes });
  assert.deepEqual(alone.tracks.map((track) => track.name), ['assumed']);
  assert.ok(alone.isInTasks && alone.stepName === 'chunk');
  assert.deepEqual(alone.report.loads, [{ tasks: 3 }]);
  const times = encodeTimes([Array.from({ length: steps }, () => Array.from({ length: processors }, (): [number, number, number] => [0, 0, 5]))]);
  const farm = parseReport(JSON.stringify({ ...own, kind: 'farm', times: { measured: { run_ns: 9 } } }));
  assert.deepEqual(modelOf(farm, page, { plan: bytes, times }).tracks.map((track) => track.name), ['measured']);
});
