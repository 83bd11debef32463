import { Reader, Words } from './bytes';
import { rowOf, type Program } from './program';
import type { Task } from './runs';

/** Which iterations, or tasks of a graph, come before which: in groups of neighbouring numbers. */
export interface Dependences {
  /** The first number of each group, and the one behind the last. */
  readonly first: Uint32Array;
  readonly before: Rows;
}

/** Rows of numbers, one after the other. */
interface Rows {
  /** Where each row begins, and where the last ends. */
  readonly offsets: Uint32Array;
  readonly items: Uint32Array;
}

/** Reads dependences. */
export function decodeDependences(bytes: Uint8Array): Dependences {
  const input = new Reader(bytes);
  const groups = input.length();
  const [first, offsets, items] = [new Uint32Array(groups + 1), new Uint32Array(groups + 1), new Words()];
  for (let group = 0; group < groups; group++) {
    const end = first[group]! + input.unsigned();
    if (end > 0xffffffff) throw new Error('a number is out of range');
    first[group + 1] = end;
    for (let left = input.length(); left > 0; left--) {
      const before = (group - input.unsigned()) >>> 0;
      if (before >= groups) throw new Error('a dependence is out of range');
      items.push(before);
    }
    offsets[group + 1] = items.length;
  }
  if (!input.isDone) throw new Error('the dependences have bytes behind their end');
  return { first, before: { offsets, items: items.finish() } };
}

/** Finds what comes before and after an iteration, and where it runs. Costs a walk through all code, once. */
export class Neighbours {
  private readonly after: Rows;
  /** Of each group, the places of its first number in `tasks`. */
  private readonly places: Rows;
  private readonly tasks: Task[];

  constructor(
    program: Program,
    private readonly dependences: Dependences,
  ) {
    const { first, before } = dependences;
    const groups = first.length - 1;
    const owners = new Uint32Array(before.items.length);
    for (let group = 0; group < groups; group++) owners.fill(group, before.offsets[group], before.offsets[group + 1]);
    this.after = sorted(groups, before.items, owners);
    const [ofGroup, tasks] = placesOf(program, first);
    this.places = sorted(
      groups,
      ofGroup,
      ofGroup.map((_, at) => at),
    );
    this.tasks = tasks;
  }

  /** Returns the group of a number. */
  groupOf(number: number): number {
    return Math.max(0, firstFrom(this.dependences.first, number + 1) - 1);
  }

  /** Returns the groups before a group. */
  groupsBefore(group: number): Uint32Array {
    return rowIn(this.dependences.before, group);
  }

  /** Returns the groups after a group. */
  groupsAfter(group: number): Uint32Array {
    return rowIn(this.after, group);
  }

  /** Returns the first task of a group: on a processor, where that runs it, too. */
  taskOf(group: number, processor: number, steps: number): Task | undefined {
    const all = Array.from(rowIn(this.places, group), (at) => this.tasks[at]!);
    return all.find((task) => Math.floor(task.block / steps) === processor) ?? all[0];
  }

  /** Returns the first number of a group, and its last. */
  numbersOf(group: number): [number, number] {
    const { first } = this.dependences;
    return [first[group]!, first[group + 1]! - 1];
  }
}

function rowIn({ offsets, items }: Rows, row: number): Uint32Array {
  return items.subarray(offsets[row], offsets[row + 1]);
}

/** Sorts items by row, stably. */
function sorted(rows: number, rowOfItem: Uint32Array, items: Uint32Array): Rows {
  const offsets = new Uint32Array(rows + 1);
  for (const row of rowOfItem) offsets[row + 1]!++;
  for (let row = 0; row < rows; row++) offsets[row + 1]! += offsets[row]!;
  const next = offsets.slice();
  const into = new Uint32Array(items.length);
  rowOfItem.forEach((row, at) => (into[next[row]!++] = items[at]!));
  return { offsets, items: into };
}

/** Finds where the first number of each group runs: several places of tasks that are duplicated. */
function placesOf(program: Program, first: Uint32Array): [Uint32Array, Task[]] {
  const { plan, statements, walker, component } = program;
  const [ofGroup, tasks]: [Words, Task[]] = [new Words(), []];
  const take = (number: number, block: number, ordinal: number) => {
    const group = firstFrom(first, number);
    if (first[group] !== number || group === first.length - 1) return;
    ofGroup.push(group);
    tasks.push({ block, ordinal });
  };
  for (let block = 0; block < plan.steps * plan.processors; block++) {
    let ordinal = 0;
    walker.walk(rowOf(plan, block), (b, count, values, at) => {
      const body = plan.bodies[b]!;
      const many = body.statements.length;
      body.statements.forEach((s, position) => {
        if (statements[s]!.writes !== undefined) return;
        const c = component[b]![position]!;
        const start = values[at + body.base[c]!]! + body.offset[c]!;
        const step = body.given[c]! >= 0 ? values[at + body.given[c]!]! : body.step[c]!;
        if (step !== 1) {
          for (let k = 0; k < count; k++) take(start + k * step, block, ordinal + k * many + position);
          return;
        }
        // Of neighbours those alone that begin a group.
        for (let group = firstFrom(first, start); group < first.length - 1 && first[group]! < start + count; group++) {
          take(first[group]!, block, ordinal + (first[group]! - start) * many + position);
        }
      });
      ordinal += count * many;
    });
  }
  return [ofGroup.finish(), tasks];
}

/** Finds the first of ascending numbers that is not below one. */
function firstFrom(ascending: Uint32Array, number: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
