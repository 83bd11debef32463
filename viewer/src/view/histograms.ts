import { beginOf, workOf } from '../data/times';
import type { Model } from '../model';
import { h, section, svg } from './dom';
import { count, digits, plural, time } from './format';

/** Bins of a histogram, at most. */
const BINS = 24;
const [WIDTH, HEIGHT] = [340, 130];

/** A bar of a chart. */
interface Bar {
  readonly label: string;
  readonly value: number;
}

/** Histograms: load of processors, time of blocks, words of messages. */
export function histograms(model: Model): HTMLElement | undefined {
  const parts: HTMLElement[] = [];
  const { loads } = model.report;
  if (loads.some((load) => load.work_ns !== undefined)) {
    const bars = loads.map((load, p) => ({ label: `processor ${p}: ${time(load.work_ns ?? 0)}`, value: load.work_ns ?? 0 }));
    const values = bars.map((b) => b.value);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const most = Math.max(...values);
    parts.push(barChart('Work of processors', bars, ['0', String(loads.length - 1)], time(most), `Most ${time(most)}, mean ${time(mean)}.`));
  }
  const track = model.tracks.at(-1);
  if (track) {
    const { line } = track;
    const work: number[] = [];
    for (let block = 0; block < line.end.length; block++) if (line.end[block]! > beginOf(line, block)) work.push(workOf(line, block));
    const write = model.isInTasks ? (value: number) => digits(value) : time;
    if (work.length > 0) parts.push(histogram(`Work of ${model.stepName}s, ${track.name}`, work.filter((w) => w > 0), write, 'block'));
  }
  if (model.traffic && model.traffic.words.length > 0) parts.push(histogram('Words of messages', model.traffic.words, count, 'message'));
  return parts.length === 0 ? undefined : section('histograms', 'Distributions', h('div', { class: 'histograms' }, ...parts));
}

/** Makes a histogram whose bins grow by equal factors where values differ by much, else by equal steps. */
function histogram(title: string, values: ArrayLike<number>, write: (value: number) => string, noun: string): HTMLElement {
  let [least, most] = [Infinity, 0];
  for (let at = 0; at < values.length; at++) {
    least = Math.min(least, values[at]!);
    most = Math.max(most, values[at]!);
  }
  const isLog = least > 0 && most / least > 50;
  const place = (value: number) => (isLog ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least));
  const value = (at: number) => (isLog ? least * (most / least) ** at : least + (most - least) * at);
  const bins = most > least ? Math.min(BINS, Math.max(4, Math.ceil(2 * Math.cbrt(values.length)))) : 1;
  const counts = new Float64Array(bins);
  for (let at = 0; at < values.length; at++) counts[bins === 1 ? 0 : Math.min(bins - 1, Math.floor(place(values[at]!) * bins))]!++;
  const bars = [...counts].map((many, bin) => ({ label: `${write(Math.round(value(bin / bins)))} to ${write(Math.round(value((bin + 1) / bins)))}: ${plural(many, noun)}`, value: many }));
  const highest = Math.max(...counts);
  return barChart(title, bars, [write(least), write(most)], count(highest), `${plural(values.length, noun)} from ${write(least)} to ${write(most)}${isLog ? ', bins of equal ratios' : ''}.`);
}

function barChart(title: string, bars: readonly Bar[], ends: readonly [string, string], top: string, text: string): HTMLElement {
  const most = Math.max(1e-9, ...bars.map((b) => b.value));
  const width = WIDTH / bars.length;
  const gap = width > 6 ? 2 : width > 3 ? 1 : 0;
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT + 36}`, role: 'img', 'aria-label': `${title}. ${text}` });
  picture.append(svg('text', { x: 0, y: 11, class: 'axis' }, top));
  bars.forEach((bar, at) => {
    const height = bar.value === 0 ? 0 : Math.max(1, (bar.value / most) * HEIGHT);
    picture.append(svg('rect', { x: at * width, y: 18 + HEIGHT - height, width: Math.max(0.5, width - gap), height }, svg('title', {}, bar.label)));
  });
  picture.append(
    svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT + 18.5, y2: HEIGHT + 18.5 }),
    svg('text', { x: 0, y: HEIGHT + 33, class: 'axis' }, ends[0]),
    svg('text', { x: WIDTH, y: HEIGHT + 33, class: 'axis', 'text-anchor': 'end' }, ends[1]),
  );
  return h('figure', {}, h('figcaption', {}, title), picture, h('p', { class: 'note' }, text));
}
