import type { Model, Track } from '../model';
import type { Picked, State, Store } from '../state';
import { h } from '../view/dom';
import { describe, describeHit, describePath } from '../view/describe';
import { listen } from './input';
import { LanePainter, type Light } from './lane';
import { layoutOf, type Layout } from './layout';
import { lightOf } from './light';
import { Minimap } from './minimap';
import { drawAxes, drawLabels, drawPicked, type Link } from './overlay';
import { beside, hit, neighbour, spanOf } from './spans';
import { stylesOf, type Styles } from './styles';
import { Viewport } from './viewport';

/** Time that tabulating runs may take before a picture is drawn without them, in milliseconds. */
const PATIENCE = 8;
/** Pictures that are drawn of the same view, each with more runs tabulated, at most. */
const ROUNDS = 120;

/** The Gantt chart: time from left to right, processors from top to bottom. Two may share a view, so that they show the same time. */
export class Chart {
  readonly element: HTMLElement;
  readonly view: Viewport;
  /** Dependences of the picked task. */
  links: readonly Link[] = [];
  styles: Styles;
  private readonly canvas = h('canvas', { 'aria-hidden': 'true' });
  private readonly tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  private readonly plot: HTMLElement;
  private readonly live = h('p', { class: 'live', 'aria-live': 'polite' }, 'Nothing is picked. Click on a block, or press Enter in the chart.');
  private readonly minimap: Minimap;
  private readonly painter: LanePainter;
  private lights = new Map<Track, Light | undefined>();
  private layout: Layout | undefined;
  private frame = 0;
  private rounds = 0;
  private image: ImageData | undefined;

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    shared?: { readonly view: Viewport; readonly name: string },
  ) {
    this.view = shared?.view ?? new Viewport(Math.max(1, ...model.tracks.map((t) => t.line.total)), () => this.request());
    this.styles = stylesOf(model.statements.length);
    this.painter = new LanePainter(model.program, model.blocks, model.tables);
    this.minimap = new Minimap(this.view);
    this.plot = h(
      'div',
      {
        class: 'plot',
        tabindex: 0,
        role: 'application',
        'aria-label': `${shared ? `${shared.name}: s` : 'S'}chedule of ${model.report.processors} processors`,
        'aria-describedby': 'keys',
      },
      this.canvas,
      this.tip,
    );
    this.element = h('div', { class: 'chart' }, this.minimap.canvas, this.plot, this.live);
    listen(this.plot, this.view, {
      plot: () => ({ left: this.layout?.left ?? 0, width: (this.layout?.width ?? 1) - (this.layout?.left ?? 0) }),
      press: (x, y) => this.press(x, y),
      hover: (x, y) => this.hover(x, y),
      move: (inTime, toProcessor) => this.move(inTime, toProcessor),
      key: (name) => (name === 'Escape' ? store.set({ picked: undefined, lit: undefined }) : this.pickCentre()),
    });
    store.watch((state, changed) => {
      if (changed.has('critical') || changed.has('lit') || changed.has('shown')) this.relight(state);
      if (changed.has('critical') && state.critical) this.live.textContent = describePath(model, this.track);
      if (changed.has('picked')) {
        this.links = [];
        this.live.textContent = state.picked ? describe(model, this.track, state.picked) : 'Nothing is picked.';
      }
      this.request();
    });
    new ResizeObserver(() => this.request()).observe(this.plot);
  }

  /** The timelines that are shown. */
  get shown(): readonly Track[] {
    const { shown } = this.store.now;
    return shown === 'both' ? this.model.tracks : [this.model.tracks[shown]!];
  }

  /** The timeline that details are of: the first that is shown. */
  get track(): Track {
    return this.shown[0]!;
  }

  /** The processor of what is picked. */
  private get looked(): number | undefined {
    const { picked } = this.store.now;
    return picked && Math.floor(picked.block / this.track.line.steps);
  }

  /** Takes the colours of the theme anew. */
  recolour(): void {
    this.styles = stylesOf(this.model.statements.length);
    this.request();
  }

  /** Picks a block or task, and brings it into view. */
  pick(picked: Picked, isClose = false): void {
    this.store.set({ picked });
    const [from, to] = spanOf(this.model, this.track, picked);
    if (isClose) this.view.show(from, to, picked.ordinal === undefined ? 0.6 : 6);
    else this.view.reveal(from, to);
  }

  /** Takes the keyboard. */
  focus(): void {
    this.plot.focus({ preventScroll: true });
  }

  /** Draws soon, as something has changed. */
  request(): void {
    this.rounds = 0;
    this.drawSoon();
  }

  private drawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** Draws the chart. */
  draw(): void {
    const width = this.plot.clientWidth;
    if (width === 0) return;
    const { model, styles, view } = this;
    const layout = (this.layout = layoutOf(width, this.shown, model.report.processors, this.looked));
    const ratio = devicePixelRatio;
    const size = [Math.round(width * ratio), Math.round(layout.height * ratio)] as const;
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) [this.canvas.width, this.canvas.height] = size;
    this.canvas.style.cssText = `width:${width}px;height:${layout.height}px`;
    const context = this.canvas.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, ...size);
    this.drawLanes(context, layout, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const scene = { context, model, layout, view, styles, picked: this.store.now.picked, links: this.links, lights: this.lights };
    drawAxes(scene);
    drawLabels(scene);
    drawPicked(scene);
    this.minimap.draw(this.track.line, layout.left, width - layout.left, styles);
    // Blocks that need more tables than are kept would be tabulated for ever.
    if (this.painter.isUnfinished && this.rounds++ < ROUNDS) this.drawSoon();
  }

  private drawLanes(context: CanvasRenderingContext2D, layout: Layout, ratio: number): void {
    const left = Math.round(layout.left * ratio);
    const width = Math.max(1, Math.round(layout.width * ratio) - left);
    const height = Math.round(layout.height * ratio);
    if (this.image?.width !== width || this.image.height !== height) this.image = context.createImageData(width, height);
    const pixels = new Uint32Array(this.image.data.buffer);
    pixels.fill(this.styles.background);
    const canvas = { pixels, width, begin: this.view.begin, scale: this.view.span / width, styles: this.styles, deadline: performance.now() + PATIENCE };
    this.painter.isUnfinished = false;
    for (const row of layout.rows) {
      const y0 = Math.round(row.y * ratio);
      const y1 = y0 + Math.max(1, Math.round(row.height * ratio));
      for (let y = y0; y < y1; y++) pixels.fill(this.styles.lane, y * width, (y + 1) * width);
      this.painter.paint(canvas, row.track.line, row.processor, y0, y1, this.lights.get(row.track));
    }
    context.putImageData(this.image, left, 0);
  }

  private relight(state: Readonly<State>): void {
    this.lights = new Map(this.shown.map((track) => [track, lightOf(this.model, track, state)]));
  }

  private press(x: number, y: number): void {
    const found = this.layout && hit(this.model, this.layout, this.view, x, y);
    if (!found) return;
    this.store.set({ picked: found.block === undefined ? undefined : { block: found.block, ordinal: found.ordinal } });
  }

  private hover(x: number | undefined, y: number): void {
    const found = x === undefined || !this.layout ? undefined : hit(this.model, this.layout, this.view, x, y);
    this.tip.hidden = !found;
    if (!found || x === undefined) return;
    this.tip.textContent = describeHit(this.model, found);
    const room = this.plot.clientWidth - this.tip.offsetWidth;
    this.tip.style.transform = `translate(${Math.max(0, Math.min(room, x + 14))}px, ${y + 18}px)`;
  }

  private pickCentre(): void {
    const layout = this.layout;
    if (!layout) return;
    const found = hit(this.model, layout, this.view, (layout.left + layout.width) / 2, layout.rows[0]!.y + 1);
    const block = found?.block ?? neighbour(this.track, this.track.line.steps, -1);
    this.pick({ block, ordinal: found?.ordinal });
  }

  private move(inTime: number, toProcessor: number): void {
    const { picked } = this.store.now;
    if (!picked) return this.pickCentre();
    const { track, model } = this;
    if (picked.ordinal !== undefined && inTime !== 0) {
      const ordinal = picked.ordinal + inTime;
      if (ordinal >= 0 && ordinal < model.blocks!.tasks[picked.block]!) return this.pick({ block: picked.block, ordinal });
    }
    const block = inTime !== 0 ? neighbour(track, picked.block, inTime as 1 | -1) : beside(track, picked.block, toProcessor as 1 | -1);
    this.pick({ block });
  }

  /** Gives the chart as a picture, on the theme's background. */
  picture(): Promise<Blob | null> {
    const copy = h('canvas', { width: this.canvas.width, height: this.canvas.height });
    const context = copy.getContext('2d')!;
    context.fillStyle = this.styles.surface;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(this.canvas, 0, 0);
    return new Promise((done) => copy.toBlob(done));
  }
}
