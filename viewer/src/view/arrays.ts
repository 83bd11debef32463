import { ownersOf, type Owners } from '../data/owners';
import type { Chart } from '../chart/chart';
import type { Model } from '../model';
import { h, section } from './dom';
import { count, plural } from './format';
import { pixel, processorColour, themed } from './theme';
import { placeText } from './describe';

/** Pixels of a picture, on its longer side, at most; larger arrays are sampled. */
const SIDE = 512;

/** Pictures of arrays: each word in the colour of the processor that wrote it last. */
export function arrays(model: Model, chart: Chart | undefined): { element: HTMLElement; recolour: () => void } | undefined {
  const { program } = model;
  const written = new Set(model.statements.flatMap((s) => (s.writes === undefined ? [] : [s.writes])));
  const shown = model.report.arrays.flatMap((array, at) => (written.has(at) && array.words > 0 ? [at] : []));
  if (!program || shown.length === 0) return undefined;
  let step = program.plan.steps - 1;
  const pictures = shown.map((array) => new Picture(model, chart, array));
  const label = h('output', {}, stepText(model, step));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slider = h('input', {
    type: 'range',
    id: 'until',
    min: 0,
    max: step,
    value: step,
    oninput: () => {
      step = Number(slider.value);
      label.textContent = stepText(model, step);
      clearTimeout(timer);
      timer = setTimeout(() => pictures.forEach((picture) => picture.show(step)), 60);
    },
  });
  const { processors } = program.plan;
  const keys = Array.from({ length: Math.min(processors, 64) }, (_, p) => h('span', { class: 'processor' }, keyOf(p, processors), String(p)));
  const element = section(
    'arrays',
    'Arrays',
    h('p', { class: 'note' }, 'Each word in the colour of the processor that wrote it last. Point at a word to see which; press it to see the step.'),
    h('div', { class: 'tools' }, h('label', { for: 'until' }, `Up to ${model.stepName}`), slider, label),
    h('div', { class: 'legend' }, ...keys, processors > 64 ? `and ${processors - 64} more` : null),
    h('div', { class: 'pictures' }, ...pictures.map((picture) => picture.element)),
  );
  // Pictures are made when they come near: they walk through all tasks.
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      pictures.forEach((picture) => picture.show(step));
    },
    { rootMargin: '200px' },
  );
  observer.observe(element);
  return { element, recolour: () => pictures.forEach((picture) => picture.draw()) };
}

function stepText(model: Model, step: number): string {
  return `${count(step)} of ${count(model.program!.plan.steps - 1)}`;
}

function keyOf(processor: number, processors: number): HTMLElement {
  const [r, g, b] = processorColour(processor, processors);
  return h('span', { class: 'dot', style: `background:rgb(${r} ${g} ${b})`, 'aria-hidden': 'true' });
}

class Picture {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly text = h('p', { class: 'note', 'aria-live': 'off' });
  private readonly said = h('p', { class: 'note' });
  private owners: Owners | undefined;
  private width: number;

  constructor(
    private readonly model: Model,
    chart: Chart | undefined,
    private readonly array: number,
  ) {
    const { name, type, words, shared } = model.report.arrays[array]!;
    this.width = Math.ceil(Math.sqrt(words));
    this.canvas = h('canvas', { role: 'img', 'aria-label': `Words of ${name} by the processor that wrote them last` });
    const field = h('input', {
      type: 'number',
      id: `width-${array}`,
      min: 1,
      max: words,
      value: this.width,
      onchange: () => {
        const width = Math.floor(Number(field.value));
        if (width >= 1 && width <= words) this.width = width;
        field.value = String(this.width);
        this.draw();
      },
    });
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('click', (event) => {
      const word = this.wordAt(event);
      const block = word === undefined ? -1 : (this.owners?.block[word] ?? -1);
      if (block >= 0) chart?.pick({ block });
    });
    this.element = h(
      'figure',
      {},
      h('figcaption', {}, h('code', {}, name), ` ${plural(words, 'word')} of ${type}${shared ? '' : ', private memory'}`, h('label', { for: field.id }, ' width '), field),
      this.canvas,
      this.text,
      this.said,
    );
  }

  show(step: number): void {
    this.owners = ownersOf(this.model.program!, this.array, this.model.report.arrays[this.array]!.words, step);
    const counts = new Map<number, number>();
    for (const block of this.owners.block) {
      const p = block < 0 ? -1 : Math.floor(block / this.model.program!.plan.steps);
      counts.set(p, (counts.get(p) ?? 0) + 1);
    }
    const parts = [...counts].sort((a, b) => a[0] - b[0]).map(([p, n]) => (p < 0 ? `${count(n)} not written` : `${p}: ${count(n)}`));
    this.text.textContent = `Words by processor: ${parts.slice(0, 16).join(', ')}${parts.length > 16 ? ', …' : ''}`;
    this.draw();
  }

  draw(): void {
    if (!this.owners) return;
    const { words } = this.model.report.arrays[this.array]!;
    const { steps, processors } = this.model.program!.plan;
    const rows = Math.ceil(words / this.width);
    const stride = Math.max(1, Math.ceil(this.width / SIDE), Math.ceil(rows / SIDE));
    const [w, hgt] = [Math.ceil(this.width / stride), Math.ceil(rows / stride)];
    [this.canvas.width, this.canvas.height] = [w, hgt];
    const context = this.canvas.getContext('2d')!;
    const image = context.createImageData(w, hgt);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = Array.from({ length: processors }, (_, p) => pixel(processorColour(p, processors)));
    const none = pixel(themed('lane'));
    for (let y = 0; y < hgt; y++) {
      for (let x = 0; x < w; x++) {
        const column = x * stride;
        const word = y * stride * this.width + column;
        const block = word < words ? this.owners.block[word]! : -1;
        pixels[y * w + x] = word >= words ? 0 : block < 0 ? none : colours[Math.floor(block / steps)]!;
      }
    }
    context.putImageData(image, 0, 0);
    const scale = Math.max(0.25, Math.min(16, 256 / Math.max(w, hgt)));
    this.canvas.style.width = `${Math.max(w * scale, 4)}px`;
    this.canvas.style.aspectRatio = `${w} / ${hgt}`;
    const notes = [stride > 1 ? `Sampled: every ${stride}th word of every ${stride}th row.` : ''];
    if (this.owners.elsewhere > 0) notes.push(`${count(this.owners.elsewhere)} tasks wrote slots of private memory that are no words of the caller's.`);
    this.said.textContent = notes.filter(Boolean).join(' ');
  }

  private wordAt(event: MouseEvent): number | undefined {
    const box = this.canvas.getBoundingClientRect();
    const { words } = this.model.report.arrays[this.array]!;
    const rows = Math.ceil(words / this.width);
    const stride = Math.max(1, Math.ceil(this.width / SIDE), Math.ceil(rows / SIDE));
    const x = Math.floor(((event.clientX - box.left) / box.width) * this.canvas.width) * stride;
    const y = Math.floor(((event.clientY - box.top) / box.height) * this.canvas.height) * stride;
    const word = y * this.width + x;
    return word >= 0 && word < words ? word : undefined;
  }

  private hover(event: PointerEvent): void {
    const word = this.wordAt(event);
    if (word === undefined || !this.owners) return;
    const { name } = this.model.report.arrays[this.array]!;
    const block = this.owners.block[word]!;
    const where = `${name}[${word}] (row ${Math.floor(word / this.width)}, column ${word % this.width})`;
    this.text.textContent = block < 0 ? `${where} is not written` : `${where}: ${placeText(this.model, block)}`;
    this.canvas.title = this.text.textContent;
  }
}
