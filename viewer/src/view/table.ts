import { button, h, save } from './dom';
import { count } from './format';

/** A column of a table. */
export interface Column<R> {
  readonly name: string;
  /** Value by which rows are sorted, and that CSV has. */
  readonly value: (row: R) => number | string | undefined;
  /** Text that is shown, if not the value itself. */
  readonly text?: (row: R) => string;
}

/** Parts of a table. */
export interface TableOptions<R> {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  /** Note on rows that are left out. */
  readonly note?: string;
  /** Leads to a row's place in the chart. */
  readonly show?: (row: R) => void;
}

/** Rows of a page. */
const PAGE = 50;

/** Makes a table that can be sorted, searched, paged and saved as CSV. */
export function table<R>({ id, caption, columns, rows, note, show }: TableOptions<R>): HTMLElement {
  const known = columns.filter((column) => rows.some((row) => column.value(row) !== undefined));
  let [order, direction, page, wanted] = [-1, 1, 0, ''];
  let found: readonly R[] = rows;
  const body = h('tbody');
  const state = h('p', { class: 'note', role: 'status' });
  const headings = known.map((column, at) => {
    const sort = button(column.name, () => {
      direction = order === at ? -direction : typeof column.value(rows[0]!) === 'number' ? -1 : 1;
      order = at;
      refresh();
    });
    return h('th', { scope: 'col', 'aria-sort': 'none', class: isNumeric(column) ? 'numeric' : '' }, sort);
  });
  const search = h('input', { type: 'search', 'aria-label': `Search ${caption}`, placeholder: 'Search', oninput: () => ((wanted = search.value.trim().toLowerCase()), (page = 0), refresh()) });
  const back = button('Back', () => turn(-1));
  const on = button('On', () => turn(1));
  const pager = h('div', { class: 'buttons pager' }, back, on);

  function isNumeric(column: Column<R>): boolean {
    return rows.some((row) => typeof column.value(row) === 'number');
  }
  function textOf(column: Column<R>, row: R): string {
    const value = column.value(row);
    if (value === undefined) return '';
    return column.text ? column.text(row) : typeof value === 'number' ? count(value) : value;
  }
  function turn(by: number): void {
    page += by;
    draw();
  }
  function refresh(): void {
    found = wanted === '' ? rows : rows.filter((row) => known.some((column) => textOf(column, row).toLowerCase().replaceAll('\u202f', '').includes(wanted)));
    headings.forEach((heading, at) => heading.setAttribute('aria-sort', at !== order ? 'none' : direction > 0 ? 'ascending' : 'descending'));
    if (order >= 0) {
      const { value } = known[order]!;
      found = [...found].sort((a, b) => direction * compare(value(a), value(b)));
    }
    page = 0;
    draw();
  }
  function draw(): void {
    const first = page * PAGE;
    const last = Math.min(found.length, first + PAGE);
    body.replaceChildren(...found.slice(first, last).map((row) => h('tr', {}, ...known.map((column, at) => cell(column, row, at)))));
    const range = found.length > PAGE ? `Rows ${count(first + 1)} to ${count(last)} of ${count(found.length)}` : found.length === rows.length ? '' : `${count(found.length)} of ${count(rows.length)} rows`;
    state.textContent = [range, note].filter(Boolean).join('. ');
    pager.hidden = found.length <= PAGE;
    back.disabled = page === 0;
    on.disabled = last >= found.length;
  }
  function cell(column: Column<R>, row: R, at: number): HTMLElement {
    const text = textOf(column, row);
    const kind = isNumberColumn[at] ? 'numeric' : '';
    if (at > 0) return h('td', { class: kind }, text);
    return h('th', { scope: 'row', class: kind }, show ? button(text, () => show(row), { class: 'link' }) : text);
  }
  const isNumberColumn = known.map(isNumeric);
  const csv = button('Save CSV', () => save(`${id}.csv`, new Blob([csvOf(known, found)], { type: 'text/csv' })));
  draw();
  return h(
    'div',
    { class: 'table', id: `table-${id}` },
    h('div', { class: 'tools' }, h('h3', {}, caption), h('div', { class: 'buttons' }, rows.length > 8 ? search : null, csv)),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, h('table', {}, h('caption', { class: 'hidden' }, caption), h('thead', {}, h('tr', {}, ...headings)), body)),
    h('div', { class: 'tools' }, state, pager),
  );
}

function compare(a: number | string | undefined, b: number | string | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true });
}

/** Writes rows as comma-separated values. */
export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const quote = (value: number | string | undefined) => {
    const text = String(value ?? '');
    // What begins like a formula stays text in a spreadsheet.
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns.map((c) => quote(c.name)), ...rows.map((row) => columns.map((c) => quote(c.value(row))))].map((cells) => cells.join(',')).join('\r\n') + '\r\n';
}
