import { FIRST, swatch } from '../chart/styles';
import type { Chart } from '../chart/chart';
import type { Model } from '../model';
import type { Store } from '../state';
import { usesOfTask } from './words';
import { h, section } from './dom';
import { count, percent, time } from './format';

/** The kernel's lines, with their statements, tasks and time; a click on a line lights up its tasks. */
export class SourceView {
  readonly element: HTMLElement;
  private readonly lines = new Map<string, HTMLElement>();
  private readonly swatches: [HTMLElement, number][] = [];

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly chart: Chart | undefined,
  ) {
    const sources = model.page.sources.map((source) => {
      const body = h('div', { class: 'code', tabindex: 0, role: 'group', 'aria-label': `Lines of ${source.file}` });
      const texts = source.text.replace(/\n$/, '').split('\n');
      texts.forEach((text, at) => body.append(this.line(source.file, source.first + at, text)));
      return h('div', { class: 'file' }, h('h3', {}, source.file, source.changed ? h('em', {}, ' changed since it was built') : ''), body);
    });
    const elsewhere = model.statements.flatMap((s, at) => (this.lines.has(`${s.file}:${s.line}`) ? [] : [at]));
    const others = [...new Set(elsewhere.map((at) => model.statements[at]!.file))].map((file) => {
      const body = h('div', { class: 'code', tabindex: 0, role: 'group', 'aria-label': `Statements of ${file}` });
      for (const at of elsewhere) if (model.statements[at]!.file === file) body.append(this.statement(at));
      return h('div', { class: 'file' }, h('h3', {}, file, h('em', {}, ' statements alone')), body);
    });
    this.element = section(
      'source',
      'Source',
      ...sources,
      ...others,
      sources.length + others.length === 0 && h('p', { class: 'note' }, 'No source is known.'),
      h('p', { class: 'note' }, model.blocks ? 'Press a line to light up its tasks; press it again to light up all.' : 'Without a plan lines cannot light up their tasks.'),
    );
    store.watch((state, changed) => {
      if (changed.has('lit')) this.showLit();
      if (changed.has('picked') && state.picked) this.showPicked();
    });
    this.recolour();
  }

  /** Draws the swatches anew. */
  recolour(): void {
    const { styles } = this.chart ?? {};
    if (!styles) return;
    for (const [place, statement] of this.swatches) place.replaceChildren(swatch(styles, FIRST + statement), this.model.statements[statement]!.letter);
  }

  /** Brings a line into view and lights up its statements. */
  show(file: string, line: number): void {
    const element = this.lines.get(`${file}:${line}`);
    if (!element) return;
    const statements = this.model.statements.flatMap((s, at) => (s.file === file && s.line === line ? [at] : []));
    if (statements.length > 0) this.store.set({ lit: new Set(statements) });
    for (const other of this.lines.values()) other.classList.remove('shown');
    element.classList.add('shown');
    scrollWithin(element);
  }

  private statement(at: number): HTMLElement {
    const { file, line, text } = this.model.statements[at]!;
    const element = this.button(line > 0 ? String(line) : '', [at], h('code', {}, text));
    if (!this.lines.has(`${file}:${line}`)) this.lines.set(`${file}:${line}`, element);
    return element;
  }

  private line(file: string, number: number, text: string): HTMLElement {
    const statements = this.model.statements.flatMap((s, at) => (s.file === file && s.line === number ? [at] : []));
    const code = h('code', {}, text || ' ');
    const element = statements.length > 0 ? this.button(String(number), statements, code) : h('div', { class: 'line' }, h('span', { class: 'number' }, number), code);
    this.lines.set(`${file}:${number}`, element);
    return element;
  }

  private button(number: string, statements: number[], code: HTMLElement): HTMLElement {
    const { model, store } = this;
    const tasks = statements.reduce((sum, s) => sum + (model.statements[s]!.tasks ?? model.blocks?.ofStatement[s] ?? 0), 0);
    const work = statements.reduce((sum, s) => sum + (model.statements[s]!.work_ns ?? 0), 0);
    const all = model.statements.reduce((sum, s) => sum + (s.work_ns ?? 0), 0);
    const measured = model.tracks.at(-1)?.name === 'measured' ? model.timeOfStatement : undefined;
    const measuredTime = measured && statements.reduce((sum, s) => sum + measured[s]!, 0);
    const measuredAll = measured?.reduce((sum, t) => sum + t, 0);
    const facts = [
      `${count(tasks)} ${tasks === 1 ? 'task' : 'tasks'}`,
      work > 0 && `${time(work)} predicted, ${percent(work / all)}`,
      measuredTime && measuredAll ? `${percent(measuredTime / measuredAll)} of measured work` : '',
    ];
    const marks = statements.map((s) => {
      const mark = h('span', { class: 'mark' }, model.statements[s]!.letter);
      this.swatches.push([mark, s]);
      return mark;
    });
    const element = h(
      'button',
      { type: 'button', class: 'line', 'aria-pressed': 'false', disabled: !model.blocks, onclick: () => toggle() },
      h('span', { class: 'number' }, number),
      code,
      h('span', { class: 'facts' }, ...marks, facts.filter(Boolean).join(' · ')),
    );
    element.dataset.statements = statements.join(' ');
    const toggle = () => store.set({ lit: element.getAttribute('aria-pressed') === 'true' ? undefined : new Set(statements) });
    return element;
  }

  private showLit(): void {
    const { lit } = this.store.now;
    for (const element of this.element.querySelectorAll<HTMLElement>('button.line')) {
      const own = element.dataset.statements!.split(' ').map(Number);
      element.setAttribute('aria-pressed', String(own.some((s) => lit?.has(s) ?? false)));
    }
  }

  private showPicked(): void {
    const { model } = this;
    const { block, ordinal } = this.store.now.picked!;
    if (!model.blocks || model.blocks.tasks[block] === 0) return;
    const statement = ordinal === undefined ? model.blocks.dominant[block]! : usesOfTask(model, { block, ordinal }).statement;
    const { file, line } = model.statements[statement]!;
    for (const [place, element] of this.lines) element.classList.toggle('shown', place === `${file}:${line}`);
    const element = this.lines.get(`${file}:${line}`);
    if (element) scrollWithin(element);
  }
}

/** Scrolls an element's own box, and not the page. */
function scrollWithin(element: HTMLElement): void {
  const box = element.closest<HTMLElement>('.code');
  if (box) box.scrollTop = element.offsetTop - box.offsetTop - (box.clientHeight - element.offsetHeight) / 2;
}
