import { beginOf, workBegin, workOf } from '../data/times';
import { locate, ordinalAt } from '../data/runs';
import { blockAt } from '../data/times';
import { digits, unitOf, count } from '../view/format';
import { wordOf } from '../view/words';
import type { Model } from '../model';
import type { Picked } from '../state';
import type { Layout, Row } from './layout';
import type { Light } from './lane';
import { spanOf } from './spans';
import type { Styles } from './styles';
import type { Viewport } from './viewport';

/** A dependence that is drawn: from one task to another, or between blocks. */
export interface Link {
  readonly from: Picked;
  readonly to: Picked;
}

/** Data from which the overlay is drawn. */
export interface Scene {
  readonly context: CanvasRenderingContext2D;
  readonly model: Model;
  readonly layout: Layout;
  readonly view: Viewport;
  readonly styles: Styles;
  readonly picked: Picked | undefined;
  readonly links: readonly Link[];
  readonly lights: ReadonlyMap<unknown, Light | undefined>;
}

const FONT = '11px system-ui, sans-serif';
/** Labels of a picture, at most. */
const LABELS = 600;

function xOf({ layout, view }: Scene, time: number): number {
  return layout.left + ((time - view.begin) / view.span) * (layout.width - layout.left);
}

/** Draws the axis of time and the processors' numbers. */
export function drawAxes(scene: Scene): void {
  const { context, layout, view, styles, model } = scene;
  context.font = FONT;
  context.textBaseline = 'middle';
  const [scale, unit] = model.isInTasks ? [1, ''] : unitOf(view.begin + view.span);
  const width = layout.width - layout.left;
  const step = niceStep((view.span / width) * 90);
  context.strokeStyle = styles.line;
  context.lineWidth = 1;
  let lastRight = layout.left;
  for (let tick = Math.ceil(view.begin / step) * step; tick <= view.begin + view.span * (1 + 1e-9); tick += step) {
    const x = Math.round(xOf(scene, tick)) + 0.5;
    context.beginPath();
    context.moveTo(x, layout.top - 5);
    context.lineTo(x, layout.top);
    context.stroke();
    const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step / scale) + 1e-9)));
    const text = unit ? `${(tick / scale).toFixed(decimals)} ${unit}` : count(Number(tick.toFixed(decimals)));
    const half = context.measureText(text).width / 2;
    const at = Math.min(layout.width - half - 1, Math.max(layout.left + half, x));
    if (at - half < lastRight) continue;
    lastRight = at + half + 10;
    context.fillStyle = styles.faint;
    context.textAlign = 'center';
    context.fillText(text, at, layout.top - 14);
  }
  context.textAlign = 'right';
  const every = Math.ceil(13 / ((layout.height - layout.top) / model.report.processors));
  for (const row of layout.rows) {
    const isBoth = layout.rows.length > model.report.processors;
    if (row.processor % every !== 0) continue;
    const name = isBoth && layout.lane >= 10 ? `${row.processor} ${row.track.name === 'measured' ? 'm' : 'p'}` : String(row.processor);
    if (isBoth && layout.lane < 10 && row.track.name === 'measured') continue;
    context.fillStyle = styles.faint;
    context.fillText(name, layout.left - 8, row.y + row.height / 2 + 0.5);
  }
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const digit = least / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/** Writes letters, words and steps into blocks and tasks that are wide enough. */
export function drawLabels(scene: Scene): void {
  const { context, layout, view } = scene;
  context.font = FONT;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  let left = LABELS;
  for (const row of layout.rows) {
    if (row.height < 12) continue;
    const { line } = row.track;
    const end = (row.processor + 1) * line.steps;
    for (let block = blockAt(line, row.processor, view.begin); block < end && left > 0; block++) {
      if (beginOf(line, block) >= view.begin + view.span) break;
      const [from, to] = [workBegin(line, block), line.end[block]!];
      const [x0, x1] = [Math.max(layout.left, xOf(scene, from)), Math.min(layout.width, xOf(scene, to))];
      if (x1 - x0 < 20) {
        // Steps over blocks that are too narrow, to the next pixels.
        if (xOf(scene, to) - xOf(scene, beginOf(line, block)) < 1) block = Math.max(block, blockAt(line, row.processor, to + view.span / 100) - 1);
        continue;
      }
      left -= drawBlockLabels(scene, row, block, x0, x1, left);
    }
  }
}

/** Draws the labels of a block's visible tasks, if they are few and wide, or else one of the block; returns how many. */
function drawBlockLabels(scene: Scene, row: Row, block: number, x0: number, x1: number, most: number): number {
  const { model, layout, view } = scene;
  const { line } = row.track;
  const y = row.y + row.height / 2 + 0.5;
  const light = scene.lights.get(row.track);
  if (light?.blocks[block] === 0) return 0;
  const tasks = model.blocks?.tasks[block] ?? 0;
  const step = block % line.steps;
  const work = workOf(line, block);
  // Only blocks that are drawn by runs have a table already.
  if (tasks > 0 && work > 0 && model.tables?.has(block)) {
    const runs = model.tables.of(block);
    const perTime = runs.weight.at(-1)! / work;
    const taskAt = (time: number) => ordinalAt(model.program!, runs, Math.max(0, (time - workBegin(line, block)) * perTime));
    const first = taskAt(view.begin);
    const last = taskAt(Math.min(view.begin + view.span, line.end[block]!));
    if ((x1 - x0) / (last - first + 1) >= 9) {
      for (let ordinal = first; ordinal <= last && ordinal - first < most; ordinal++) {
        const { statement } = locate(model.program!, runs, ordinal);
        if (light?.statements && !light.statements.has(statement)) continue;
        const { letter } = model.statements[statement]!;
        const [from, to] = spanOf(model, row.track, { block, ordinal });
        const [a, b] = [Math.max(layout.left, xOf(scene, from)), Math.min(layout.width, xOf(scene, to))];
        label(scene, b - a > 40 ? [`${letter} ${wordOf(model, { block, ordinal })}`, letter] : [letter], a, b, y, false);
      }
      return last - first + 1;
    }
  }
  if (light?.statements) return 0;
  const dominant = tasks > 0 ? model.blocks!.dominant[block]! : -1;
  const isMixed = dominant >= 0 && model.tables!.has(block);
  const letter = dominant >= 0 && !isMixed ? `${model.statements[dominant]!.letter} · ` : '';
  const texts = [`${letter}${model.stepName} ${step}`, `${letter}${step}`, String(step)];
  label(scene, texts, x0, x1, y, isMixed || light !== undefined);
  return 1;
}

/** Writes the first of some texts that there is room for; on a ground of its own where the block's is uneven. */
function label({ context, styles }: Scene, texts: readonly string[], x0: number, x1: number, y: number, hasGround: boolean): void {
  const margin = hasGround ? 14 : 6;
  for (const text of texts) {
    const { width } = context.measureText(text);
    if (width + margin > x1 - x0) continue;
    const x = (x0 + x1) / 2;
    if (hasGround) {
      context.globalAlpha = 0.82;
      context.fillStyle = styles.surface;
      context.beginPath();
      context.roundRect(x - width / 2 - 4, y - 7.5, width + 8, 15, 4);
      context.fill();
      context.globalAlpha = 1;
    }
    context.fillStyle = hasGround ? styles.text : '#101418';
    context.fillText(text, x, y + 0.5);
    return;
  }
}

/** Outlines the picked block or task, and draws its dependences. */
export function drawPicked(scene: Scene): void {
  const { context, layout, styles, picked, model } = scene;
  context.save();
  context.beginPath();
  context.rect(layout.left - 1, 0, layout.width - layout.left + 2, layout.height);
  context.clip();
  for (const { from, to } of scene.links) {
    for (const track of new Set(layout.rows.map((row) => row.track))) {
      const rowOf = (p: Picked) => layout.rows.find((r) => r.track === track && r.processor === Math.floor(p.block / track.line.steps))!;
      const x0 = xOf(scene, spanOf(model, track, from)[1]);
      const x1 = xOf(scene, spanOf(model, track, to)[0]);
      const [y0, y1] = [rowOf(from), rowOf(to)].map((row) => row.y + row.height / 2) as [number, number];
      curve(context, x0, y0, x1, y1, Math.max(8, layout.lane), styles);
    }
  }
  if (picked) {
    for (const row of layout.rows) {
      if (row.processor !== Math.floor(picked.block / row.track.line.steps)) continue;
      const [from, to] = spanOf(model, row.track, picked);
      // The outline goes around: in a thin lane it would cover what it is about.
      const x0 = Math.max(layout.left - 6, xOf(scene, from)) - 1;
      const width = Math.max(2, Math.min(layout.width + 6, xOf(scene, to)) - x0) + 1;
      for (const [line, colour] of [[5, styles.surface], [2, styles.text]] as const) {
        context.lineWidth = line;
        context.strokeStyle = colour;
        context.strokeRect(x0, row.y - 1, width, row.height + 2);
      }
    }
  }
  context.restore();
}

function curve(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, lane: number, styles: Styles): void {
  const distance = Math.abs(x1 - x0);
  const isWithin = y0 === y1;
  if (isWithin && distance < 6) return;
  // Within a processor it goes round what is between.
  const bow = isWithin ? -Math.min(lane, distance / 2) : 0;
  const bend = isWithin ? distance / 4 : Math.max(12, distance / 3);
  for (const [width, colour] of [[4, styles.surface], [1.75, styles.accent]] as const) {
    context.lineWidth = width;
    context.strokeStyle = context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0 + bow, x1 - bend, y1 + bow, x1, y1);
    context.stroke();
  }
  context.beginPath();
  context.moveTo(x1 + 1, y1);
  context.lineTo(x1 - 7, y1 - 4);
  context.lineTo(x1 - 7, y1 + 4);
  context.fill();
  context.beginPath();
  context.arc(x0, y0, 3, 0, 7);
  context.fill();
}

/** Writes when something is, so finely that what lasts `resolution` can be told from what is before it. */
export function moment(model: Model, value: number, resolution: number): string {
  if (model.isInTasks) return `${count(Math.round(value))} task lengths`;
  const [scale, unit] = unitOf(Math.max(value, resolution));
  const decimals = resolution > 0 ? Math.ceil(-Math.log10(resolution / scale)) + 1 : 3;
  return `${(value / scale).toFixed(Math.max(0, Math.min(9, decimals)))} ${unit}`;
}

/** Writes a time as the chart does: in its unit, or in tasks where none is known. */
export function duration(model: Model, value: number): string {
  if (model.isInTasks) return `${count(Math.round(value))} task lengths`;
  if (value === 0) return '0 ns';
  const [scale, unit] = unitOf(value);
  return `${digits(value / scale)} ${unit}`;
}
