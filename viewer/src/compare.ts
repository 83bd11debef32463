import { Chart } from './chart/chart';
import { Viewport } from './chart/viewport';
import type { Pair } from './data/comparison';
import type { Model } from './model';
import { Store, type State } from './state';
import { Details } from './view/details';
import { differences, overview } from './view/differences';
import { button, h, save, section } from './view/dom';
import { SourceView } from './view/source';
import { made, notices } from './view/summary';
import { showStep } from './view/tables';
import { themeButton } from './view/theme';
import { Legend, toolbar } from './view/toolbar';

/** One of the two: its store, and its chart if it has one. */
interface Side {
  readonly model: Model;
  readonly store: Store;
  readonly chart?: Chart;
}

/** Shows two programs or runs one under the other, on one axis of time, and what they differ in. */
export function showPair(app: HTMLElement, models: readonly [Model, Model], pair: Pair, text: string, keys: string): void {
  const [first, second] = models;
  const titles = [`Before: ${pair.names[0]}`, `After: ${pair.names[1]}`];
  const charts: Chart[] = [];
  const total = Math.max(1, ...models.flatMap((model) => model.tracks.map((track) => track.line.total)));
  const view = new Viewport(total, () => charts.forEach((chart) => chart.request()));
  const sides = models.map((model, at): Side => {
    const store = new Store({ shown: model.tracks.length > 1 ? 1 : 0, critical: false, lit: undefined, picked: undefined });
    const chart = model.tracks.length > 0 ? new Chart(model, store, { view, name: titles[at]! }) : undefined;
    if (chart) charts.push(chart);
    return { model, store, chart };
  });
  const [before, after] = sides as [Side, Side];
  tie(before, after);
  tie(after, before);
  const name = first.report.kernel?.name ?? first.report.kind;
  const source = new SourceView(first, before.store, before.chart);
  const legend = before.chart && new Legend({ ...first, tracks: [...first.tracks, ...second.tracks] }, before.chart, before.store);
  const figures = sides.map(({ chart }, at) => {
    const picture = chart && button('Save PNG', async () => save(`${name}-${at + 1}.png`, (await chart.picture())!), { 'aria-label': `Save PNG of ${titles[at]}` });
    return h('div', { class: 'side' }, h('div', { class: 'head' }, h('h3', {}, titles[at]), at > 0 && picture), chart?.element ?? h('p', { class: 'note' }, 'It has no times.'));
  });
  const tools = before.chart && toolbar(first, before.store, before.chart, `${name}-1`);
  const schedule = section('schedule', 'Schedules on one axis of time', tools, ...figures, legend?.element, h('p', { id: 'keys', class: 'note' }, keys));
  const details = sides.map(({ model, store, chart }, at) => chart && new Details(model, store, chart, [`details-${at + 1}`, `Details, ${at === 0 ? 'before' : 'after'}`]).element);
  const theme = themeButton(() => {
    charts.forEach((chart) => chart.recolour());
    legend?.recolour();
    source.recolour();
  });
  const json = button('Save JSON', () => save(`${name}.json`, new Blob([text], { type: 'application/json' })));
  const showSteps = (step: number) => {
    for (const { chart, model } of sides) if (chart) showStep(chart, model, step);
    schedule.scrollIntoView({ block: 'start' });
  };
  const tables = differences(pair, (row) => source.show(row.file ?? first.report.kernel?.file ?? '', row.line), showSteps);
  const facts = [first.report.control, `${pair.names[0]} and ${pair.names[1]}`, `times are ${pair.times}`];
  const heading = h('header', { class: 'top' }, h('div', {}, h('h1', {}, name), h('p', { class: 'facts' }, facts.filter(Boolean).join(' · '))), h('div', { class: 'buttons' }, json, theme));
  const said = (of: (model: Model) => readonly string[]) => [...new Set([...of(first), ...of(second)])];
  const all: Model = { ...first, page: { ...first.page, notices: said((model) => model.page.notices) }, missing: said((model) => model.missing) };
  const panes = h('div', { class: 'panes' }, h('div', {}, schedule, ...details.filter((each) => each !== undefined)), source.element);
  app.replaceChildren(...[heading, notices(all), overview(pair), panes, tables, made(first)].filter((part) => part !== undefined));
}

/** Has one follow what another shows and lights up; statements only if both have the same. */
function tie(from: Side, to: Side): void {
  const texts = ({ model }: Side) => model.statements.map((each) => `${each.file}:${each.line}:${each.text}`).join('\n');
  const keys: (keyof State)[] = ['critical'];
  if (texts(from) === texts(to)) keys.push('lit');
  if (from.model.tracks.length === to.model.tracks.length) keys.push('shown');
  from.store.watch((state, changed) => {
    for (const key of keys) if (changed.has(key)) to.store.set({ [key]: state[key] });
  });
}
