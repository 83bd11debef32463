import { matrixOf } from '../data/traffic';
import type { Model } from '../model';
import type { Store } from '../state';
import { button, h, section } from './dom';
import { count, plural } from './format';

/** Processors up to which the matrix is written out in numbers. */
const WRITTEN = 24;
/** Processors up to which it is shown. */
const MOST = 1024;

/** The words that cross between processors, after all steps or the picked one: senders down, receivers across. */
export function communication(model: Model, store: Store): { element: HTMLElement; recolour: () => void } | undefined {
  const { traffic } = model;
  const { processors } = model.report;
  if (!traffic) return undefined;
  if (processors > MOST) {
    const said = h('p', { class: 'note' }, `${count(processors)} processors are too many for a matrix: there is one up to ${count(MOST)}.`);
    return { element: section('communication', 'Communication', said), recolour: () => {} };
  }
  let isOfStep = false;
  const place = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Communication matrix' });
  const text = h('p', { class: 'note', role: 'status' });
  const choose = (ofStep: boolean) => {
    isOfStep = ofStep;
    draw();
  };
  const all = button(`All ${model.stepName}s`, () => choose(false));
  const one = button(`Picked ${model.stepName}`, () => choose(true));
  function draw(): void {
    const { picked } = store.now;
    const steps = model.tracks[0]?.line.steps ?? 1;
    const step = isOfStep && picked ? picked.block % steps : undefined;
    all.setAttribute('aria-pressed', String(!isOfStep));
    one.setAttribute('aria-pressed', String(isOfStep));
    const matrix = matrixOf(traffic!, processors, step);
    const total = matrix.reduce((sum, words) => sum + words, 0);
    const which = step === undefined ? (isOfStep ? `No ${model.stepName} is picked. In all ` : 'In all ') : `After ${model.stepName} ${step} `;
    text.textContent = `${which}${plural(total, 'word')} cross. Senders are down the side, receivers along the top.`;
    place.replaceChildren(processors <= WRITTEN ? written(matrix, processors) : shaded(matrix, processors, text));
  }
  store.watch((_, changed) => {
    if (changed.has('picked') && isOfStep) draw();
  });
  draw();
  const element = section('communication', 'Communication', h('div', { class: 'buttons' }, all, one), text, place);
  return { element, recolour: draw };
}

function written(matrix: Float64Array, processors: number): HTMLElement {
  const most = Math.max(1, ...matrix);
  const numbers = Array.from({ length: processors }, (_, p) => p);
  const head = h('tr', {}, h('td', {}, ''), ...numbers.map((p) => h('th', { scope: 'col' }, p)));
  const rows = numbers.map((from) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, from),
      ...numbers.map((to) => {
        const words = matrix[from * processors + to]!;
        return h('td', { style: `--share:${(65 * words) / most}%` }, from === to ? '' : words === 0 ? '·' : count(words));
      }),
    ),
  );
  return h('table', { class: 'matrix' }, h('caption', { class: 'hidden' }, 'Words from each processor to each other'), h('thead', {}, head), h('tbody', {}, ...rows));
}

function shaded(matrix: Float64Array, processors: number, text: HTMLElement): HTMLElement {
  const cell = Math.max(2, Math.min(14, Math.floor(560 / processors)));
  const side = cell * processors;
  const canvas = h('canvas', { width: side, height: side, class: 'matrix', role: 'img', 'aria-label': `Words between ${processors} processors; the pairs with most are listed below` });
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue('--lane');
  context.fillRect(0, 0, side, side);
  context.fillStyle = style.getPropertyValue('--accent');
  const most = Math.max(1, matrix.reduce((a, b) => Math.max(a, b), 0));
  for (let at = 0; at < matrix.length; at++) {
    if (matrix[at] === 0) continue;
    context.globalAlpha = 0.15 + (0.85 * matrix[at]!) / most;
    context.fillRect((at % processors) * cell, Math.floor(at / processors) * cell, cell - 1, cell - 1);
  }
  canvas.addEventListener('pointermove', (event) => {
    const from = Math.min(processors - 1, Math.floor(event.offsetY / cell));
    const to = Math.min(processors - 1, Math.floor(event.offsetX / cell));
    text.textContent = `Processor ${from} to ${to}: ${plural(matrix[from * processors + to]!, 'word')}.`;
  });
  const pairs = [...matrix.keys()].filter((at) => matrix[at]! > 0).sort((a, b) => matrix[b]! - matrix[a]!);
  const list = pairs.slice(0, 10).map((at) => h('li', {}, `${Math.floor(at / processors)} to ${at % processors}: ${plural(matrix[at]!, 'word')}`));
  return h('div', { class: 'shaded' }, canvas, h('div', {}, h('h3', {}, 'Most words'), h('ol', {}, ...list)));
}
