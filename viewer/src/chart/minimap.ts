import { blockAt, type Timeline } from '../data/times';
import { h } from '../view/dom';
import type { Styles } from './styles';
import type { Viewport } from './viewport';

const HEIGHT = 30;

/** The overview strip: how many processors work or wait over all the time, and which part of it the chart shows. */
export class Minimap {
  readonly canvas = h('canvas', { class: 'minimap', 'aria-hidden': 'true' });
  private shares: { worked: Float64Array; waited: Float64Array } | undefined;
  private line: Timeline | undefined;
  private drag: { readonly pointer: number; readonly offset: number } | undefined;

  constructor(private readonly view: Viewport) {
    this.canvas.addEventListener('pointerdown', (event) => {
      const time = this.timeAt(event);
      const inside = time >= view.begin && time <= view.begin + view.span && !view.isWhole;
      this.drag = { pointer: event.pointerId, offset: inside ? time - view.begin : view.span / 2 };
      this.canvas.setPointerCapture(event.pointerId);
      view.set(time - this.drag.offset, view.span);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.drag?.pointer === event.pointerId) view.set(this.timeAt(event) - this.drag.offset, view.span);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) this.canvas.addEventListener(end, () => (this.drag = undefined));
  }

  private timeAt(event: PointerEvent): number {
    const box = this.canvas.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * this.view.total;
  }

  /** Draws it. */
  draw(line: Timeline, left: number, width: number, styles: Styles): void {
    const { canvas, view } = this;
    const ratio = devicePixelRatio;
    canvas.style.cssText = `margin-left:${left}px;width:${width}px;height:${HEIGHT}px`;
    const columns = Math.max(1, Math.floor(width));
    if (this.line !== line || this.shares?.worked.length !== columns) {
      this.shares = sharesOf(line, columns, view.total);
      this.line = line;
    }
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    const context = canvas.getContext('2d')!;
    context.scale(ratio, ratio);
    for (let x = 0; x < columns; x++) {
      const worked = this.shares.worked[x]! * (HEIGHT - 2);
      const waited = this.shares.waited[x]! * (HEIGHT - 2);
      context.fillStyle = styles.faint;
      context.globalAlpha = 0.55;
      context.fillRect(x, HEIGHT - worked, 1, worked);
      context.globalAlpha = 0.2;
      context.fillRect(x, HEIGHT - worked - waited, 1, waited);
    }
    context.globalAlpha = 1;
    const x0 = (view.begin / view.total) * width;
    const x1 = Math.max(x0 + 4, ((view.begin + view.span) / view.total) * width);
    context.fillStyle = styles.surface;
    context.globalAlpha = 0.65;
    context.fillRect(0, 0, x0, HEIGHT);
    context.fillRect(x1, 0, width - x1, HEIGHT);
    context.globalAlpha = 1;
    context.strokeStyle = styles.accent;
    context.lineWidth = 1.5;
    context.strokeRect(Math.max(1, x0), 1, Math.min(width - 1, x1) - Math.max(1, x0), HEIGHT - 2);
  }
}

function sharesOf(line: Timeline, columns: number, total: number): { worked: Float64Array; waited: Float64Array } {
  const [worked, waited] = [new Float64Array(columns), new Float64Array(columns)];
  for (let p = 0; p < line.processors; p++) {
    let [workedBefore, waitedBefore] = [0, 0];
    for (let x = 0; x < columns; x++) {
      const time = ((x + 1) / columns) * total;
      const block = Math.min(blockAt(line, p, time), (p + 1) * line.steps - 1);
      const isFirst = block % line.steps === 0;
      const begin = isFirst ? 0 : line.end[block - 1]!;
      const before = isFirst ? 0 : line.waited[block - 1]!;
      const now = Math.min(time, line.end[block]!);
      const waitNow = before + Math.min(now - begin, line.waited[block]! - before);
      worked[x]! += now - waitNow - workedBefore;
      waited[x]! += waitNow - waitedBefore;
      [workedBefore, waitedBefore] = [now - waitNow, waitNow];
    }
  }
  const share = columns / (total * line.processors);
  for (let x = 0; x < columns; x++) {
    worked[x]! *= share;
    waited[x]! *= share;
  }
  return { worked, waited };
}
