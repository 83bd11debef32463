import type { Chart } from '../chart/chart';
import { beginOf } from '../data/times';
import type { Load, StepRow, WhatIf } from '../data/report';
import type { Model } from '../model';
import type { Statement } from '../data/program';
import type { SourceView } from './source';
import type { Store } from '../state';
import { section } from './dom';
import { count, percent, time } from './format';
import { table, type Column } from './table';

function ns<R>(name: string, get: (row: R) => number | undefined): Column<R> {
  return { name, value: get, text: (row) => time(get(row)!) };
}

/** Tables of processors, statements and steps; their rows lead to their places in the chart. */
export function tables(model: Model, store: Store, chart: Chart | undefined, source: SourceView): HTMLElement {
  const { report } = model;
  const loads = report.loads.map((load, processor) => ({ ...load, processor }));
  type Row = Load & { processor: number };
  const parts: HTMLElement[] = [];
  const last = (processor: number) => (processor + 1) * model.tracks[0]!.line.steps - 1;
  if (loads.length > 0) {
    parts.push(
      table<Row>({
        id: 'processors',
        caption: 'Processors',
        rows: loads,
        columns: [
          { name: 'Processor', value: (r) => r.processor },
          { name: 'Tasks', value: (r) => r.tasks },
          ns('Work', (r) => r.work_ns),
          ns('Copies', (r) => r.copy_ns),
          ns('Waits', (r) => r.wait_ns),
          ns('Idle', (r) => r.idle_ns),
          { name: 'Words sent', value: (r) => r.words_sent },
          { name: 'Words received', value: (r) => r.words_received },
        ],
        show: chart && ((r) => chart.pick({ block: longestOf(model, r.processor, last(r.processor)) })),
      }),
    );
  }
  if (model.statements.length > 0) {
    const all = model.statements.reduce((sum, s) => sum + (s.work_ns ?? 0), 0);
    parts.push(
      table<Statement & { at: number }>({
        id: 'statements',
        caption: 'Statements',
        rows: model.statements.map((s, at) => ({ ...s, at })),
        columns: [
          { name: 'Statement', value: (r) => `${r.letter} ${r.text}` },
          { name: 'Line', value: (r) => r.line || undefined, text: (r) => `${r.file.split('/').at(-1)}:${r.line}` },
          { name: 'Tasks', value: (r) => r.tasks ?? model.blocks?.ofStatement[r.at] },
          ns('Work', (r) => r.work_ns),
          { name: 'Share of work', value: (r) => (r.work_ns === undefined || all === 0 ? undefined : r.work_ns / all), text: (r) => percent((r.work_ns ?? 0) / all) },
          ...(model.report.times.measured ? [ns<Statement & { at: number }>('Measured', (r) => r.measured_ns)] : []),
          { name: 'Words sent', value: (r) => r.words_sent },
          { name: 'Words received', value: (r) => r.words_received },
          { name: 'Extra words', value: (r) => r.extra_words },
          { name: 'Code', value: (r) => r.code },
        ],
        show: (r) => {
          store.set({ lit: new Set([r.at]) });
          source.show(r.file, r.line);
        },
      }),
    );
  }
  const { rows, total } = report.steps;
  if (rows.length > 0) {
    parts.push(
      table<StepRow>({
        id: 'steps',
        caption: model.stepName === 'chunk' ? 'Chunks' : 'Supersteps',
        rows,
        note: rows.length < total ? `Worst ${count(rows.length)} of ${count(total)} first: those that lose most` : 'Worst first: those that lose most',
        columns: [
          { name: 'Step', value: (r) => r.step },
          { name: 'Tasks', value: (r) => r.tasks },
          ns('Longest', (r) => r.longest_ns),
          ns('Mean', (r) => r.mean_ns),
          ns('Waits', (r) => r.wait_ns),
          { name: 'Words', value: (r) => r.words },
          { name: 'Messages', value: (r) => r.messages },
        ],
        show: chart && ((r) => showStep(chart, model, r.step)),
      }),
    );
  }
  const [one] = report.what_if;
  if (one) {
    parts.push(
      table<WhatIf>({
        id: 'what-if',
        caption: 'Predictions for other numbers of processors',
        rows: report.what_if,
        columns: [
          { name: 'Processors', value: (r) => r.processors },
          ns('Predicted', (r) => r.predicted_ns),
          { name: 'Speed-up', value: (r) => one.predicted_ns / Math.max(1, r.predicted_ns), text: (r) => (one.predicted_ns / Math.max(1, r.predicted_ns)).toFixed(2) },
          { name: 'Scheduler', value: (r) => r.algorithm },
        ],
      }),
    );
  }
  return section('tables', 'Tables', ...parts);
}

/** Shows a superstep of all processors, and picks its longest block. */
export function showStep(chart: Chart, model: Model, step: number): void {
  const { line } = chart.track;
  if (step >= line.steps) return;
  let [from, to, best, longest] = [Infinity, 0, step, -1];
  for (let p = 0; p < model.report.processors; p++) {
    const block = p * line.steps + step;
    const [begin, end] = [beginOf(line, block), line.end[block]!];
    if (end === begin) continue;
    from = Math.min(from, begin);
    to = Math.max(to, end);
    if (end - begin > longest) [best, longest] = [block, end - begin];
  }
  chart.pick({ block: best });
  if (to > from) chart.view.show(from, to, 0.3);
  chart.element.scrollIntoView({ block: 'nearest' });
}

function longestOf(model: Model, processor: number, last: number): number {
  const { line } = model.tracks[0]!;
  let best = processor * line.steps;
  for (let block = best; block <= last; block++) if (line.end[block]! - beginOf(line, block) > line.end[best]! - beginOf(line, best)) best = block;
  return best;
}
