import { bindingWait } from '../data/critical';
import { originOf, usesOf } from '../data/origins';
import { messagesAfter, type Message } from '../data/plan';
import { locate, type Task } from '../data/runs';
import { beginOf, copyOf, waitOf, workOf } from '../data/times';
import type { Chart } from '../chart/chart';
import { duration, moment, type Link } from '../chart/overlay';
import { spanOf } from '../chart/spans';
import type { Model } from '../model';
import type { Picked, Store } from '../state';
import { placeText, statementText } from './describe';
import { button, h, section } from './dom';
import { count, plural } from './format';
import { rangeText, usesOfTask, wordText, wordOf, type Word } from './words';

/** Users of a value that are listed, and lines that are drawn to them. */
const LISTED = 40;
const DRAWN = 12;
/** Runs of a block that are listed. */
const RUNS = 30;

/** Panel of all that is known of the picked block or task. */
export class Details {
  readonly element: HTMLElement;
  private readonly body = h('div', { class: 'details' });

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly chart: Chart,
    [id, title]: readonly [string, string] = ['details', 'Details'],
  ) {
    this.element = section(id, title, this.body);
    store.watch((_, changed) => {
      if (changed.has('picked') || changed.has('shown')) this.show();
    });
    this.show();
  }

  private show(): void {
    const { picked } = this.store.now;
    if (!picked) {
      this.body.replaceChildren(h('p', { class: 'note' }, 'Click on a block or a task in the chart, or move to one with Shift and the arrow keys.'));
      return;
    }
    const list = h('dl', {});
    this.body.replaceChildren(this.heading(picked), list);
    this.addWhen(list, picked);
    if (picked.ordinal !== undefined) this.addTask(list, picked as Task);
    else if (this.model.blocks && this.model.blocks.tasks[picked.block]! > 0) this.addBlock(list, picked.block);
  }

  private heading(picked: Picked): HTMLElement {
    const { model, chart } = this;
    const { block, ordinal } = picked;
    const tasks = model.blocks?.tasks[block] ?? 0;
    const buttons = h('div', { class: 'buttons' }, button('Zoom to it', () => chart.pick({ block, ordinal: this.store.now.picked?.ordinal }, true)));
    if (ordinal !== undefined) {
      buttons.append(
        button('Previous task', () => chart.pick({ block, ordinal: Math.max(0, ordinal - 1) })),
        button('Next task', () => chart.pick({ block, ordinal: Math.min(tasks - 1, ordinal + 1) })),
        button('Whole step', () => chart.pick({ block })),
      );
    } else if (tasks > 0) buttons.append(button('First task', () => chart.pick({ block, ordinal: 0 })));
    const title = ordinal === undefined ? placeText(model, block) : `task ${count(ordinal + 1)} of ${count(tasks)}, ${placeText(model, block)}`;
    return h('div', { class: 'head' }, h('h3', {}, title[0]!.toUpperCase() + title.slice(1)), buttons);
  }

  private addWhen(list: HTMLElement, picked: Picked): void {
    const { model, chart } = this;
    const { block } = picked;
    for (const track of chart.shown) {
      const { line } = track;
      const [from, to] = spanOf(model, track, picked);
      const parts = picked.ordinal === undefined ? ` (waits ${duration(model, waitOf(line, block))}, copies ${duration(model, copyOf(line, block))}, works ${duration(model, workOf(line, block))})` : '';
      add(list, track.name === 'assumed' ? 'When' : `When, ${track.name}`, `from ${moment(model, from, to - from)} to ${moment(model, to, to - from)}, ${duration(model, to - from)}${parts}`);
    }
    const { track } = chart;
    add(list, 'Critical path', track.onPath[block] ? 'leads through this step' : 'does not lead through this step');
    if (!model.waits) return;
    const { first, awaited } = model.waits;
    const waits = [...new Set(awaited.subarray(first[block], first[block + 1]))].sort((a, b) => track.line.end[b]! - track.line.end[a]!);
    const begin = beginOf(track.line, block);
    const binding = bindingWait(track.line, model.waits, block);
    const items = waits.slice(0, LISTED).map((other) => {
      const late = track.line.end[other]! - begin;
      const text = late > 0 ? `which ends ${duration(model, late)} after the step before${other === binding ? ': it held this step up' : ''}` : 'which had ended before';
      return h('li', {}, this.link({ block: other }, placeText(model, other)), `, ${text}`);
    });
    if (waits.length > LISTED) items.push(h('li', {}, `and ${count(waits.length - LISTED)} more`));
    add(list, 'Waits for', items.length > 0 ? h('ul', {}, ...items) : 'nobody');
  }

  private addBlock(list: HTMLElement, block: number): void {
    const { model } = this;
    const runs = model.tables!.of(block);
    const program = model.program!;
    add(list, 'Tasks', plural(model.blocks!.tasks[block]!, 'task'));
    const rows = Array.from({ length: Math.min(RUNS, runs.body.length) }, (_, run) => {
      const ordinal = runs.tasks[run]!;
      const body = program.plan.bodies[runs.body[run]!]!;
      const what = body.statements.slice(0, 4).map((s, position) => {
        const uses = usesOfTask(model, { block, ordinal: ordinal + position });
        return `${model.statements[s]!.letter} ${uses.writes && uses.range ? rangeText(model, uses.writes.array, uses.range) : `number ${count(uses.number ?? 0)}`}`;
      });
      const more = body.statements.length > 4 ? `, and ${body.statements.length - 4} more` : '';
      return h('li', {}, this.link({ block, ordinal }, `${plural(runs.count[run]!, 'iteration')}`), `${runs.isLoose[run] === 1 ? ' loose, the first' : ' of'} ${what.join(', ')}${more}`);
    });
    if (runs.body.length > RUNS) rows.push(h('li', {}, `and ${plural(runs.body.length - RUNS, 'more run')}${runs.isCut ? ', and those that are too many to list' : ''}`));
    add(list, `Runs, in order`, h('ol', {}, ...rows));
    add(list, 'Messages', this.messagesOf(block) || 'none');
  }

  private messagesOf(block: number): string {
    const { plan } = this.model.program!;
    const [p, step] = [Math.floor(block / plan.steps), block % plan.steps];
    const words = (m: Message) => plural(m.copies.reduce((sum, c) => sum + c.count, 0), 'word');
    const received = messagesAfter(plan, step - 1).filter((m) => m.to === p).map((m) => `${words(m)} from processor ${m.from}`);
    const sent = messagesAfter(plan, step).filter((m) => m.from === p).map((m) => `${words(m)} to processor ${m.to}`);
    return [received.length > 0 ? `receives ${received.join(', ')}` : '', sent.length > 0 ? `sends ${sent.join(', ')}` : ''].filter(Boolean).join('; ');
  }

  private addTask(list: HTMLElement, task: Task): void {
    const { model } = this;
    const uses = usesOfTask(model, task);
    const statement = model.statements[uses.statement]!;
    add(list, 'Statement', h('code', {}, statementText(model, uses.statement)), ` line ${statement.line}`);
    const { iteration, run } = uses;
    const runs = model.tables!.of(task.block);
    add(list, runs.isLoose[run] === 1 ? 'Among loose ones' : 'In its run', `iteration ${count(iteration + 1)} of ${count(runs.count[run]!)}`);
    if (uses.control.length > 0) add(list, 'Control', uses.control.join(', '));
    if (!uses.writes) {
      add(list, statement.counts === 'task' ? 'Task' : 'Iteration', `number ${count(uses.number ?? 0)}`);
      this.addNeighbours(list, task, uses.number ?? 0);
      return;
    }
    const memory = model.program!.plan.shared[uses.writes.array] ? '' : ' (slot of private memory)';
    add(list, 'Writes', `${wordText(model, uses.writes)}${memory}`, uses.range!.count > 1 ? `, its run ${rangeText(model, uses.writes.array, uses.range!)}` : '');
    const reads = h('ul', {}, ...uses.reads.map((word) => h('li', {}, wordText(model, word), ' …')));
    const users = h('div', {}, 'looking for them …');
    add(list, 'Reads', uses.reads.length > 0 ? reads : 'nothing');
    add(list, 'Used by', users);
    this.later(task, () => [...this.fillReads(reads, task, uses.reads), ...this.fillUsers(users, task, uses.writes!)]);
  }

  /** Finds and draws the links of a picked task after the picture: that walks through the code. */
  private later(task: Task, find: () => Link[]): void {
    setTimeout(() => {
      const { picked } = this.store.now;
      if (picked?.block !== task.block || picked.ordinal !== task.ordinal) return;
      this.chart.links = find();
      this.chart.request();
    }, 0);
  }

  /** Adds what comes before an iteration, or a task of a graph, and after it. */
  private addNeighbours(list: HTMLElement, task: Task, number: number): void {
    const [before, after] = [h('div', {}, 'looking for them …'), h('div', {}, 'looking for them …')];
    add(list, 'Depends on', before);
    add(list, 'Needed by', after);
    this.later(task, () => {
      const neighbours = this.model.neighbours();
      if (!neighbours) {
        [before, after].forEach((place) => place.replaceChildren('not in this page: dependences are too many, or are not known'));
        return [];
      }
      const group = neighbours.groupOf(number);
      const own = { before: neighbours.groupsBefore(group), after: neighbours.groupsAfter(group) };
      return [...this.fillGroups(before, task, own.before, (from) => ({ from, to: task })), ...this.fillGroups(after, task, own.after, (to) => ({ from: task, to }))];
    });
  }

  private fillGroups(place: HTMLElement, task: Task, groups: Uint32Array, link: (other: Task) => Link): Link[] {
    const { model } = this;
    const neighbours = model.neighbours()!;
    const { steps } = model.program!.plan;
    const tasks = Array.from(groups.subarray(0, LISTED), (group) => neighbours.taskOf(group, Math.floor(task.block / steps), steps));
    const items = tasks.map((other, at) => {
      const [first, last] = neighbours.numbersOf(groups[at]!);
      const name = first === last ? count(first) : `${count(first)} to ${count(last)}`;
      return h('li', {}, other ? this.link(other, `${name}, ${placeText(model, other.block)}`) : name);
    });
    if (groups.length > LISTED) items.push(h('li', {}, `and ${count(groups.length - LISTED)} more`));
    place.replaceChildren(items.length > 0 ? h('ul', {}, ...items) : 'nothing');
    return tasks.slice(0, DRAWN).flatMap((other) => (other ? [link(other)] : []));
  }

  private fillReads(list: HTMLElement, task: Task, reads: readonly Word[]): Link[] {
    const { model } = this;
    const links: Link[] = [];
    const items = reads.map((word) => {
      const origin = originOf(model.program!, task, word.array, word.slot);
      const name = h('code', {}, wordText(model, word));
      if (origin.kind === 'unset') return h('li', {}, name, ' has no value yet');
      const hops = origin.hops > 0 ? `, through ${plural(origin.hops, 'message')}` : '';
      if (origin.kind === 'input') return h('li', {}, name, ` from input ${wordText(model, { array: word.array, slot: origin.index })}${hops}`);
      links.push({ from: origin.task, to: task });
      return h('li', {}, name, ' from ', this.link(origin.task, this.taskText(origin.task)), hops);
    });
    list.replaceChildren(...items);
    return links;
  }

  private fillUsers(place: HTMLElement, task: Task, word: Word): Link[] {
    const { model } = this;
    const uses = usesOf(model.program!, task, word.array, word.slot, LISTED);
    const items = uses.tasks.map((user) => h('li', {}, this.link(user, this.taskText(user))));
    if (uses.count > uses.tasks.length) items.push(h('li', {}, `and ${count(uses.count - uses.tasks.length)} more`));
    if (uses.isResult) items.push(h('li', {}, 'the caller: no task overwrites it'));
    const total = uses.count > 1 ? `${plural(uses.count, 'task')}:` : '';
    place.replaceChildren(...(items.length > 0 ? [total, h('ul', {}, ...items)] : ['nobody']));
    return uses.tasks.slice(0, DRAWN).map((user) => ({ from: task, to: user }));
  }

  private taskText(task: Task): string {
    const { model } = this;
    const { statement } = locate(model.program!, model.tables!.of(task.block), task.ordinal);
    return `${model.statements[statement]!.letter} ${wordOf(model, task)}, ${placeText(model, task.block)}`;
  }

  private link(picked: Picked, text: string): HTMLElement {
    return button(text, () => this.chart.pick(picked), { class: 'link' });
  }
}

function add(list: HTMLElement, name: string, ...content: (Node | string)[]): void {
  list.append(h('dt', {}, name), h('dd', {}, ...content));
}
