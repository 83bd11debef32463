/** An array of the kernel. */
export interface ArrayInfo {
  name: string;
  type: string;
  words: number;
  role: string;
  shared: boolean;
  line?: number;
}

/** A statement of the kernel, or what counts its iterations or tasks. */
export interface StatementInfo {
  file: string;
  line: number;
  column: number;
  text: string;
  writes?: number;
  reads?: number[];
  control?: string[];
  counts?: string;
  tasks?: number;
  work_ns?: number;
  measured_ns?: number;
  words_sent?: number;
  words_received?: number;
  extra_words?: number;
  vectorised?: number;
  code?: string;
}

/** Times of one timeline in all. */
export interface TimesInfo {
  run_ns: number;
  work_ns: number;
  communication_ns: number;
  synchronisation_ns: number;
  load_balance?: number;
  serialisation?: number;
  transfer?: number;
}

/** Sums of a processor. */
export type Load = Partial<Record<'tasks' | 'work_ns' | 'copy_ns' | 'wait_ns' | 'idle_ns' | 'words_sent' | 'words_received', number>>;

/** Sums of a superstep. */
export type StepRow = { step: number } & Partial<Record<'tasks' | 'longest_ns' | 'mean_ns' | 'wait_ns' | 'words' | 'messages', number>>;

/** The prediction for a number of processors. */
export interface WhatIf {
  processors: number;
  predicted_ns: number;
  algorithm: string;
}

/** The report, schema 1: what `cargo superstep report --json` prints. */
export interface Report {
  schema: number;
  kind: string;
  kernel?: { name: string; file: string; line: number };
  control?: string;
  algorithm?: string;
  machine?: string;
  processors: number;
  supersteps: number;
  tasks?: number;
  arrays: ArrayInfo[];
  statements: StatementInfo[];
  times: { predicted?: TimesInfo; measured?: TimesInfo };
  loads: Load[];
  steps: { total: number; rows: StepRow[] };
  what_if: WhatIf[];
  made: Record<string, string>;
}

/** A piece of advice. */
export interface Answer {
  title: string;
  body?: string;
  help?: string;
  gain?: number;
  file?: string;
  line?: number;
  statement?: number;
  step?: number;
}

/** Lines of a source file. */
export interface Source {
  file: string;
  first: number;
  text: string;
  changed?: boolean;
}

/** Content of the page beside the report. */
export interface Page {
  rows: [string, string][];
  sources: Source[];
  notices: string[];
  answers: Answer[];
}

/** Reads the report; throws an `Error` that says what is wrong with it. */
export function parseReport(text: string): Report {
  const report = object(parse(text, 'report'), 'report') as Partial<Report>;
  if (report.schema !== 1) throw new Error(`the report has schema ${String(report.schema)}, and this page reads schema 1`);
  for (const name of ['processors', 'supersteps'] as const) {
    if (!Number.isInteger(report[name]) || report[name]! < 0) throw new Error(`the report has no number of ${name}`);
  }
  const steps = (report.steps ?? { total: report.supersteps, rows: [] }) as Report['steps'];
  const whole = {
    ...report,
    arrays: listOf<ArrayInfo>(report.arrays, 'arrays'),
    // A statement of the kernel's own file does not name it.
    statements: listOf<StatementInfo>(report.statements, 'statements').map((each) => ({ ...each, file: each.file ?? report.kernel?.file ?? '' })),
    loads: listOf<Load>(report.loads, 'loads'),
    what_if: listOf<WhatIf>(report.what_if, 'what_if'),
    steps: { total: steps.total, rows: listOf<StepRow>(steps.rows, 'steps') },
    times: report.times ?? {},
    made: report.made ?? {},
  } as Report;
  for (const { writes, reads, text: statement } of whole.statements) {
    const uses = [...(writes === undefined ? [] : [writes]), ...(reads ?? [])];
    if (uses.some((array) => whole.arrays[array] === undefined)) throw new Error(`the statement ${statement} uses an array that is not in the report`);
  }
  return isTimeless(whole) ? withoutTimes(whole) : whole;
}

/** Says whether nothing is known of times and words, as of a plan file without its kernel. */
function isTimeless({ kind, times, loads }: Report): boolean {
  return kind === 'plan' && !times.predicted && !times.measured && loads.every((load) => !load.words_sent);
}

/** Leaves out what is 0 as it is not known. */
function withoutTimes(report: Report): Report {
  return {
    ...report,
    statements: report.statements.map((each) => ({ ...each, work_ns: undefined, words_sent: undefined, words_received: undefined })),
    loads: report.loads.map(({ tasks }) => ({ tasks })),
    steps: { ...report.steps, rows: report.steps.rows.map(({ step, tasks }) => ({ step, tasks })) },
  };
}

/** Reads what the page has beside the report. */
export function parsePage(text: string): Page {
  const page = object(parse(text, 'page'), 'page') as Partial<Page>;
  return {
    rows: listOf(page.rows, 'rows'),
    sources: listOf(page.sources, 'sources'),
    notices: listOf(page.notices, 'notices'),
    answers: listOf(page.answers, 'answers'),
  };
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the ${what} is no JSON: ${(error as Error).message}`);
  }
}

function object(value: unknown, what: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`the ${what} is no object`);
  return value;
}

function listOf<T>(value: unknown, what: string): T[] {
  if (value !== undefined && !Array.isArray(value)) throw new Error(`${what} are no list`);
  return (value as T[] | undefined) ?? [];
}
