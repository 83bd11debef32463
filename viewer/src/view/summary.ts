import type { Model } from '../model';
import type { TimesInfo } from '../data/report';
import { h, section } from './dom';
import { digits, percent, plural, time } from './format';

/** The heading, what is to be told first, and the numbers that matter. */
export function header(model: Model, buttons: readonly HTMLElement[]): HTMLElement {
  const { report } = model;
  const name = report.kernel?.name ?? (report.kind === 'schedule' ? 'Task graph' : report.kind);
  const facts = [
    report.control,
    report.algorithm && `algorithm ${report.algorithm}`,
    plural(report.processors, 'processor'),
    plural(report.supersteps, model.stepName),
    report.kernel?.file && `${report.kernel.file}:${report.kernel.line}`,
  ];
  return h(
    'header',
    { class: 'top' },
    h('div', {}, h('h1', {}, name), h('p', { class: 'facts' }, facts.filter(Boolean).join(' · '))),
    h('div', { class: 'buttons' }, ...buttons),
  );
}

/** Notices at the top of the page. */
export function notices(model: Model): HTMLElement | undefined {
  const texts = [...model.page.notices, ...model.missing];
  const changed = model.page.sources.filter((source) => source.changed).map((source) => `${source.file} has changed since it was built: lines may not be those of the statements.`);
  if (texts.length + changed.length === 0) return undefined;
  return h('ul', { class: 'notices', 'aria-label': 'Notices' }, ...[...texts, ...changed].map((text) => h('li', {}, text)));
}

/** The numbers that matter, where the time goes, and all rows of the report. */
export function summary(model: Model): HTMLElement {
  const { predicted, measured } = model.report.times;
  const headline = h('div', { class: 'cards' });
  const main = measured ?? predicted;
  if (predicted) headline.append(card('Predicted time', time(predicted.run_ns)));
  if (measured) headline.append(card('Measured time', time(measured.run_ns), predicted && `${ratioText(measured.run_ns, predicted.run_ns)} predicted`));
  if (main) {
    const efficiency = efficiencyOf(main);
    if (efficiency !== undefined) headline.append(card('Efficiency', percent(efficiency), efficiencyText(main)));
  }
  for (const [name, value] of model.page.rows) if (/speed-?up/i.test(name)) headline.append(card(name, value));
  const bars = [predicted && bar(measured ? 'predicted' : '', predicted), measured && bar('measured', measured)];
  const rows = h('table', { class: 'rows' }, h('caption', { class: 'hidden' }, 'The report in numbers'), h('tbody', {}, ...model.page.rows.map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value)))));
  const left = h('div', {}, headline, ...bars.filter(Boolean));
  const right = model.page.rows.length > 0 && h('div', { class: 'numbers', tabindex: 0, role: 'region', 'aria-label': 'All numbers' }, rows);
  return section('summary', 'Summary', h('div', { class: 'halves' }, left, right));
}

function card(name: string, value: string, note?: string): HTMLElement {
  return h('div', { class: 'card' }, h('div', { class: 'name' }, name), h('div', { class: 'value' }, value), note && h('div', { class: 'note' }, note));
}

function ratioText(a: number, b: number): string {
  return b > 0 ? `${digits(a / b)} times` : '';
}

function efficiencyOf({ load_balance, serialisation, transfer }: TimesInfo): number | undefined {
  return load_balance === undefined ? undefined : load_balance * (serialisation ?? 1) * (transfer ?? 1);
}

function efficiencyText({ load_balance, serialisation, transfer }: TimesInfo): string {
  const parts: [string, number | undefined][] = [
    ['load balance', load_balance],
    ['serialisation', serialisation],
    ['transfer', transfer],
  ];
  return parts.flatMap(([name, share]) => (share === undefined ? [] : [`${name} ${percent(share)}`])).join(' × ');
}

function bar(name: string, times: TimesInfo): HTMLElement | undefined {
  const parts: [string, string, number][] = [
    ['work', 'Work', times.work_ns],
    ['copy', 'Communication', times.communication_ns],
    ['wait', 'Synchronisation', times.synchronisation_ns],
  ];
  const total = parts.reduce((sum, [, , ns]) => sum + (ns || 0), 0);
  if (!(total > 0)) return undefined;
  return h(
    'div',
    { class: 'share' },
    h('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts.map(([kind, , ns]) => h('div', { class: kind, style: `width:${(100 * ns) / total}%` }))),
    h(
      'p',
      {},
      name && h('strong', {}, `Time, ${name}: `),
      ...parts.flatMap(([kind, label, ns], at) => [h('span', { class: 'part' }, h('span', { class: `key ${kind}`, 'aria-hidden': 'true' }), `${label} ${percent(ns / total)}`), at < 2 ? ' ' : '']),
    ),
  );
}

/** How, where and when the report was made. */
export function made(model: Model): HTMLElement {
  const { made } = model.report;
  const rows = [...(model.report.machine ? [['machine model', model.report.machine]] : []), ...Object.entries(made)].filter(([, value]) => value !== '' && value !== undefined);
  return h('footer', {}, ...rows.flatMap(([key, value], at) => [at > 0 ? ' · ' : '', h('span', {}, `${key}: ${String(value)}`)]));
}
