import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeDependences, Neighbours } from '../src/data/dependences';
import { decodePlan } from '../src/data/plan';
import { programOf, rowOf, statementsOf } from '../src/data/program';
import { encodeDependences, encodePlan, type TestTerm } from './encode';
import { random } from './expand';

const ITERATION = { file: 'a.rs', line: 1, column: 1, text: 'for', counts: 'iteration' };

test('what comes before and after a group is that of its pairs, and its tasks are where its first number runs', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const [processors, steps] = [3, 4];
    // A dependence may lead to a group of a higher number.
    const groups = Array.from({ length: 1 + next(12) }, () => ({ length: 1 + next(4), before: [] as number[] }));
    for (const { before } of groups) for (let left = next(4); left > 0; left--) before.push(next(groups.length));
    const first = groups.map((_, group) => groups.slice(0, group).reduce((sum, { length }) => sum + length, 0));
    // Neighbouring groups in a run, groups in lists, and groups on two processors.
    const codes = Array.from({ length: processors * steps }, (): TestTerm[] => []);
    const add = (group: number, until: number) => {
      const count = first[until]! + groups[until]!.length - first[group]!;
      const number = first[group]!;
      codes[next(codes.length)]!.push(next(2) === 0 ? { kind: 'run', body: 0, count, values: [number] } : { kind: 'loose', body: 0, runs: Array.from({ length: count }, (_, k) => [number + k]) });
    };
    for (let group = 0; group < groups.length; ) {
      const until = Math.min(groups.length - 1, group + next(3));
      add(group, until);
      if (next(3) === 0) add(group, until);
      group = until + 1;
    }
    const bodies = [{ statements: [0], components: [{ base: 0, step: 1 }] }];
    const plan = decodePlan(encodePlan({ processors, steps, extents: [], shared: [], bodies, code: (step, p) => codes[step * processors + p]! }));
    const program = programOf(plan, statementsOf([ITERATION]));
    const neighbours = new Neighbours(program, decodeDependences(encodeDependences(groups)));
    const places = new Map<string, number>();
    for (let block = 0; block < processors * steps; block++) {
      let ordinal = 0;
      program.walker.walk(rowOf(plan, block), (_, count, values, at) => {
        for (let k = 0; k < count; k++) places.set(`${block} ${ordinal++}`, values[at]! + k);
      });
    }
    groups.forEach(({ length, before }, group) => {
      assert.deepEqual([...neighbours.groupsBefore(group)], before);
      const after = groups.flatMap((other, number) => other.before.filter((each) => each === group).map(() => number));
      assert.deepEqual([...neighbours.groupsAfter(group)], after);
      assert.deepEqual(neighbours.numbersOf(group), [first[group], first[group]! + length - 1]);
      for (let number = first[group]!; number < first[group]! + length; number++) assert.equal(neighbours.groupOf(number), group);
      for (let processor = 0; processor < processors; processor++) {
        const task = neighbours.taskOf(group, processor, steps)!;
        assert.equal(places.get(`${task.block} ${task.ordinal}`), first[group]);
        const isThere = [...places].some(([place, number]) => number === first[group] && Math.floor(parseInt(place) / steps) === processor);
        assert.equal(Math.floor(task.block / steps) === processor, isThere);
      }
    });
  }
});

test('damaged dependences are errors', () => {
  const good = encodeDependences([{ length: 2, before: [] }, { length: 1, before: [0] }]);
  assert.equal(decodeDependences(good).first[2], 3);
  for (let cut = 0; cut < good.length; cut++) assert.throws(() => decodeDependences(good.slice(0, cut)), /the data end too early/);
  assert.throws(() => decodeDependences(Uint8Array.from([...good, 0])), /bytes behind/);
  assert.throws(() => decodeDependences(encodeDependences([{ length: 1, before: [3] }])), /out of range/);
});
