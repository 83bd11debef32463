import type { Chart } from '../chart/chart';
import { COPY, FIRST, WAIT, swatch } from '../chart/styles';
import type { Model } from '../model';
import type { Store } from '../state';
import { button, h, save } from './dom';

/** The chart's switches and buttons. */
export function toolbar(model: Model, store: Store, chart: Chart, name: string): HTMLElement {
  const { view } = chart;
  const critical = button('Critical path only', () => store.set({ critical: !store.now.critical }), { 'aria-pressed': 'false', id: 'critical' });
  const clear = button('Light up all', () => store.set({ lit: undefined }), { hidden: true, id: 'clear' });
  const choices: [string, number | 'both'][] = [
    ['Predicted', 0],
    ['Measured', 1],
    ['Both', 'both'],
  ];
  const shown = model.tracks.length < 2 ? [] : choices.map(([label, value]) => button(label, () => store.set({ shown: value }), { 'aria-pressed': String(store.now.shown === value) }));
  store.watch((state) => {
    critical.setAttribute('aria-pressed', String(state.critical));
    clear.hidden = state.lit === undefined;
    shown.forEach((b, at) => b.setAttribute('aria-pressed', String(state.shown === choices[at]![1])));
  });
  return h(
    'div',
    { class: 'toolbar' },
    shown.length > 0 ? h('div', { class: 'segments', role: 'group', 'aria-label': 'Times' }, ...shown) : null,
    critical,
    clear,
    h('span', { class: 'spring' }),
    h(
      'div',
      { class: 'segments', role: 'group', 'aria-label': 'Zoom' },
      button('+', () => view.zoom(1 / 1.8), { 'aria-label': 'Zoom in', title: 'Zoom in' }),
      button('−', () => view.zoom(1.8), { 'aria-label': 'Zoom out', title: 'Zoom out' }),
      button('◂', () => view.pan(-0.3), { 'aria-label': 'Earlier', title: 'Earlier' }),
      button('▸', () => view.pan(0.3), { 'aria-label': 'Later', title: 'Later' }),
      button('All', () => view.reset(), { 'aria-label': 'Show all of the time', title: 'Show all' }),
    ),
    button('Save PNG', async () => {
      const picture = await chart.picture();
      if (picture) save(`${name}.png`, picture);
    }),
  );
}

/** The chart's legend. */
export class Legend {
  readonly element = h('ul', { class: 'legend', 'aria-label': 'Legend' });

  constructor(
    private readonly model: Model,
    private readonly chart: Chart,
    store: Store,
  ) {
    this.recolour();
    store.watch((_, changed) => changed.has('shown') && this.recolour());
  }

  /** Draws it in the colours of the theme. */
  recolour(): void {
    const { styles } = this.chart;
    const { statements, tracks } = this.model;
    const item = (style: number, text: string) => h('li', {}, swatch(styles, style), text);
    const many = statements.slice(0, 12).map((s, at) => item(FIRST + at, `${s.letter}  ${s.line > 0 ? `line ${s.line}` : s.text}`));
    const copies = tracks.some(({ line }) => line.copied.some((ns) => ns > 0));
    this.element.replaceChildren(
      ...many,
      statements.length > 12 ? h('li', {}, `and ${statements.length - 12} more statements`) : '',
      item(WAIT, 'waits'),
      copies ? item(COPY, 'copies messages') : '',
      h('li', {}, h('span', { class: 'swatch idle' }), 'idle'),
      this.chart.shown.length > 1 ? h('li', {}, 'p: predicted, m: measured') : '',
    );
  }
}
