import type { Change, Pair, StatementChange, StepChange } from '../data/comparison';
import { h, section } from './dom';
import { count, percent, time } from './format';
import { table, type Column } from './table';

/** Writes a difference with its sign. */
export function signed(value: number, text: (value: number) => string): string {
  return value === 0 ? text(0) : `${value > 0 ? '+' : '\u2212'}${text(Math.abs(value))}`;
}

/** Writes a change in per cent of what was before. */
function relative({ before, after }: Change): string | undefined {
  return before > 0 ? signed((after - before) / before, percent) : undefined;
}

/** The figures of both, and what has changed. */
export function overview(pair: Pair): HTMLElement {
  const { names, run_ns: run } = pair;
  const card = (name: string, value: string, note?: string) => h('div', { class: 'card' }, h('div', { class: 'name' }, name), h('div', { class: 'value' }, value), note && h('div', { class: 'note' }, note));
  const matched = pair.statements.reduce((sum, each) => sum + (each.moved?.matched ?? 0), 0);
  const moved = pair.statements.reduce((sum, each) => sum + (each.moved?.processor ?? 0), 0);
  const tasks = pair.same_program ? 'Both are runs of one program: no task has moved.' : matched > 0 ? `${count(moved)} of ${count(matched)} tasks` : 'They cannot be matched.';
  const rows: [string, Change, (value: number) => string][] = [
    ['Run', run, time],
    ['of it work', pair.work_ns, time],
    ['of it communication', pair.communication_ns, time],
    ['of it synchronisation', pair.synchronisation_ns, time],
    ['Supersteps', pair.supersteps, count],
    ['Words that cross', pair.words, count],
  ];
  type Row = (typeof rows)[number];
  return section(
    'summary',
    'What differs',
    h(
      'div',
      { class: 'cards' },
      card(`Before, ${pair.times}`, time(run.before), names[0]),
      card(`After, ${pair.times}`, time(run.after), names[1]),
      card('Difference', signed(run.after - run.before, time), relative(run)),
      card('Tasks on another processor', pair.same_program ? percent(0) : matched > 0 ? percent(moved / matched) : 'unknown', tasks),
    ),
    table<Row>({
      id: 'totals',
      caption: 'Figures',
      rows,
      columns: [
        { name: 'Figure', value: ([name]) => name },
        ...changes<Row>('', ([, change]) => change, ([, , text], value) => text(value)),
        { name: 'In per cent', value: ([, change]) => (change.before > 0 ? change.after / change.before - 1 : undefined), text: ([, change]) => relative(change) ?? '' },
      ],
    }),
  );
}

/** Columns of a figure before, after and of its difference. */
function changes<R>(name: string, of: (row: R) => Change, text: (row: R, value: number) => string): Column<R>[] {
  const titled = (title: string) => (name === '' ? title : `${name} ${title.toLowerCase()}`);
  return [
    { name: titled('Before'), value: (row) => of(row).before, text: (row) => text(row, of(row).before) },
    { name: titled('After'), value: (row) => of(row).after, text: (row) => text(row, of(row).after) },
    { name: titled('Difference'), value: (row) => of(row).after - of(row).before, text: (row) => signed(of(row).after - of(row).before, (value) => text(row, value)) },
  ];
}

/** Tables of statements and of supersteps; rows lead to their places. */
export function differences(pair: Pair, showStatement: (row: StatementChange) => void, showStep: (step: number) => void): HTMLElement {
  const statement: Column<StatementChange> = { name: 'Statement', value: (row) => (row.line === 0 ? row.text : `${row.line}: ${row.text}`) };
  const statements = table<StatementChange>({
    id: 'statement-changes',
    caption: 'Statements',
    rows: pair.statements,
    columns: [
      statement,
      ...changes<StatementChange>('Work', (row) => row.work_ns, (_, value) => time(value)),
      ...changes<StatementChange>('Words', (row) => row.words, (_, value) => count(value)),
      ...changes<StatementChange>('Tasks', (row) => row.tasks, (_, value) => count(value)),
    ],
    show: showStatement,
  });
  const share = (name: string, key: 'processor' | 'superstep' | 'stayed'): Column<StatementChange> => {
    const of = ({ moved }: StatementChange) => (moved && moved.matched > 0 ? moved[key] / moved.matched : undefined);
    return { name, value: of, text: (row) => percent(of(row)!) };
  };
  const why = pair.unmatched && `${pair.unmatched[0]!.toUpperCase()}${pair.unmatched.slice(1)}.`;
  const matched = pair.statements.filter((row) => row.moved);
  const moved = matched.length === 0 ? h('p', { class: 'note' }, why) : table<StatementChange>({
    id: 'moved',
    caption: 'Tasks that moved',
    rows: matched,
    note: why,
    columns: [
      statement,
      { name: 'Tasks in both', value: (row) => row.moved?.matched },
      share('On another processor', 'processor'),
      share('In another superstep', 'superstep'),
      share('Where they were', 'stayed'),
      { name: 'Before alone', value: (row) => row.moved?.only_before },
      { name: 'After alone', value: (row) => row.moved?.only_after },
    ],
    show: showStatement,
  });
  if (!pair.steps) return section('tables', 'Tables', statements, moved);
  const steps = table<StepChange>({
    id: 'step-changes',
    caption: 'Supersteps that differ most',
    rows: pair.steps.rows,
    note: 'Longest work and copies of a processor, and the waits of all; the processor is the one that differs most',
    columns: [
      { name: 'Step', value: (row) => row.step },
      { name: 'Processor', value: (row) => row.processor },
      ...changes<StepChange>('Longest', (row) => ({ before: row.before_ns, after: row.after_ns, difference: row.difference_ns }), (_, value) => time(value)),
      ...changes<StepChange>('Waits', (row) => ({ before: row.wait_before_ns, after: row.wait_after_ns, difference: row.wait_after_ns - row.wait_before_ns }), (_, value) => time(value)),
    ],
    show: (row) => showStep(row.step),
  });
  return section('tables', 'Tables', statements, moved, steps);
}
