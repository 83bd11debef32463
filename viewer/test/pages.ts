import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { blocksOf } from '../src/data/blocks';
import { decodePlan, type Plan } from '../src/data/plan';
import { programOf, statementsOf } from '../src/data/program';
import { assumedTimeline, copyOf, waitOf, workOf } from '../src/data/times';
import { waitsOf } from '../src/data/waits';
import { Writer, encodePlan, encodeTraffic, type TestTerm } from './encode';

/** Parts of a page. */
export interface Parts {
  report: Record<string, unknown> & { times: { predicted?: { run_ns: number } }; loads: { work_ns: number }[] };
  page: Record<string, unknown>;
  plan?: Uint8Array;
  times?: Uint8Array;
  traffic?: Uint8Array;
  dependences?: Uint8Array;
}

const root = process.cwd();
export const OUT = join(root, 'out');

const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
const data = (bytes?: Uint8Array) => (bytes ? gzipSync(bytes).toString('base64') : '');

/** Writes a page as superstep does; returns its address. */
export function writePage(name: string, parts: Parts): string {
  return writeHtml(name, json(parts.report), json(parts.page), data(parts.plan), data(parts.times), data(parts.traffic), data(parts.dependences));
}

/** Writes a page of elements that may be malformed. */
export function writeHtml(name: string, report: string, page: string, plan: string, times: string, traffic: string, dependences = ''): string {
  return writeElements(name, elements('', report, page, plan, times, traffic, dependences));
}

/** Writes a page of two as superstep does, with a comparison that may be malformed. */
export function writePair(name: string, both: readonly [Parts, Parts], comparison: unknown): string {
  const own = both.map((parts, at) => elements(at === 0 ? '' : '2', json(parts.report), json(parts.page), data(parts.plan), data(parts.times), data(parts.traffic)));
  return writeElements(name, `${own.join('\n')}\n<script type="application/json" id="comparison">${json(comparison)}</script>`);
}

function elements(ending: string, report: string, page: string, plan: string, times: string, traffic: string, dependences = ''): string {
  return `<script type="application/json" id="report${ending}">${report}</script>
<script type="application/json" id="page${ending}">${page}</script>
<script type="text/plain" id="plan${ending}">${plan}</script>
<script type="text/plain" id="times${ending}">${times}</script>
<script type="text/plain" id="traffic${ending}">${traffic}</script>
<script type="text/plain" id="dependences${ending}">${dependences}</script>`;
}

function writeElements(name: string, elements: string): string {
  mkdirSync(OUT, { recursive: true });
  const bundle = join(root, '../report/page');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>test - superstep</title><style>${readFileSync(join(bundle, 'viewer.css'), 'utf8')}</style></head><body>
<main id="app"><pre>the report as text</pre></main>
${elements}
<script>${readFileSync(join(bundle, 'viewer.js'), 'utf8')}</script></body></html>`;
  const path = join(OUT, `${name}.html`);
  writeFileSync(path, html);
  return `file://${path}`;
}

/** The encoded plan of LU 256 on 8 processors, or of LU 128 on 4. */
export function luPlan(n: 128 | 256): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(join(root, `test/lu${n}.plan.gz`))));
}

export const LU_STATEMENTS = [
  { file: 'src/kernels.rs', line: 10, column: 13, text: 'a[i * n + k] /= a[k * n + k]', writes: 0, reads: [0, 0], control: [], code: 'loop' },
  { file: 'src/kernels.rs', line: 12, column: 17, text: 'a[i * n + j] -= a[i * n + k] * a[k * n + j]', writes: 0, reads: [0, 0, 0], control: [], code: 'loop' },
];

/** A page of LU, with invented times. */
export function lu(n: 128 | 256): Parts {
  const bytes = luPlan(n);
  const infos = LU_STATEMENTS.map((s, at) => {
    const tasks = at === 0 ? (n * (n - 1)) / 2 : ((n - 1) * n * (2 * n - 1)) / 6;
    return { ...s, tasks, work_ns: Math.round(tasks * (at === 0 ? 2.2 : 0.19)), words_sent: at === 0 ? 900 : 6200, words_received: at === 0 ? 1200 : 5900 };
  });
  const plan = decodePlan(bytes);
  const parts = timed(plan, infos, 300);
  return {
    report: {
      schema: 1,
      kind: 'program',
      kernel: { name: 'lu', file: 'src/kernels.rs', line: 7 },
      control: `n = ${n}`,
      algorithm: 'owners',
      machine: `${plan.processors} processors, g = 6.9, L = 2016`,
      processors: plan.processors,
      supersteps: plan.steps,
      tasks: infos[0]!.tasks + infos[1]!.tasks,
      arrays: [{ name: 'a', type: 'f64', words: n * n, role: 'argument', shared: true, line: 7 }],
      statements: infos,
      ...parts.report,
      made: { command: `cargo superstep report lu -P ${plan.processors} --html lu.html`, commit: '0af60ec', machine: 'two virtual cores', date: '2026-11-29 14:12', memo: '', version: '0.1.0' },
    },
    page: {
      rows: [
        ['tasks', String(infos[0]!.tasks + infos[1]!.tasks)],
        ['supersteps', String(plan.steps)],
        ['critical path', '510 tasks'],
        ['speed-up over the function', '5.3'],
        ['words sent', '7100'],
        ['table bytes', String(bytes.length)],
        ['predicted', `${parts.report.times.predicted.run_ns} ns`],
      ],
      sources: [{ file: 'src/kernels.rs', first: 1, text: readFileSync(join(root, 'test/lu.rs.txt'), 'utf8'), changed: false }],
      notices: [],
      answers: [
        { title: 'Divide by the pivot once a row', body: 'A reciprocal of the pivot would be one division for 255 of them. It changes the bits.', gain: 0.043, file: 'src/kernels.rs', line: 10, statement: 0 },
        { title: 'Superstep 3 waits for processor 1', body: 'Its load is 1.4 times the mean.', gain: 0.021, file: 'src/kernels.rs', line: 12, statement: 1, step: 3 },
      ],
    },
    plan: bytes,
    times: parts.times,
    traffic: parts.traffic,
  };
}

/** Invents times of a plan: predicted by weights, measured with some noise. */
function timed(plan: Plan, infos: typeof LU_STATEMENTS, latency: number) {
  const program = programOf(plan, statementsOf(infos));
  const { weight, tasks } = blocksOf(program);
  const waits = waitsOf(plan);
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const out = new Writer();
  out.unsigned(2);
  const all = [false, true].map((isMeasured) => {
    const noisy = weight.map((w) => Math.round(w * (isMeasured ? 1 + 0.5 * random() ** 3 : 1) + (w > 0 && isMeasured ? latency : 0)));
    const line = assumedTimeline(plan.steps, plan.processors, noisy, waits);
    let [work, copy, wait] = [0, 0, 0];
    for (let step = 0; step < plan.steps; step++) {
      for (let p = 0; p < plan.processors; p++) {
        const block = p * plan.steps + step;
        const copies = Math.min(Math.floor(workOf(line, block) / 20), 400);
        out.unsigned(waitOf(line, block));
        out.unsigned(copies);
        out.unsigned(workOf(line, block) - copies);
        wait += waitOf(line, block);
        copy += copies;
        work += workOf(line, block) - copies;
      }
    }
    const idle = line.total * plan.processors - work - copy - wait;
    const times = { run_ns: line.total, work_ns: work, communication_ns: copy, synchronisation_ns: wait + idle, load_balance: 0.93, serialisation: 0.91, transfer: 0.97 };
    return { line, times };
  });
  const { line } = all[0]!;
  const loads = Array.from({ length: plan.processors }, (_, p) => {
    const load = { tasks: 0, work_ns: 0, copy_ns: 0, wait_ns: 0, idle_ns: 0, words_sent: 500 + p, words_received: 600 - p };
    for (let block = p * plan.steps; block < (p + 1) * plan.steps; block++) {
      load.tasks += tasks[block]!;
      load.work_ns += workOf(line, block);
      load.copy_ns += copyOf(line, block);
      load.wait_ns += waitOf(line, block);
    }
    load.idle_ns = line.total - load.work_ns - load.copy_ns - load.wait_ns;
    return load;
  });
  const rows = Array.from({ length: Math.min(plan.steps, 20_000) }, (_, step) => {
    const works = loads.map((_, p) => workOf(line, p * plan.steps + step));
    const wait = loads.reduce((sum, _, p) => sum + waitOf(line, p * plan.steps + step), 0);
    return { step, tasks: loads.reduce((sum, _, p) => sum + tasks[p * plan.steps + step]!, 0), longest_ns: Math.max(...works), mean_ns: Math.round(works.reduce((a, b) => a + b, 0) / works.length), wait_ns: wait, words: 100 + step, messages: plan.processors };
  }).sort((a, b) => b.wait_ns - a.wait_ns);
  const entries: [number, number, number, number][] = [];
  for (let step = 0; step + 1 < Math.min(plan.steps, 2000); step++) {
    for (let from = 0; from < plan.processors; from++) {
      const near = (to: number) => plan.processors <= 16 || (to - from + plan.processors) % plan.processors < 4;
      for (let to = 0; to < plan.processors; to++) if (from !== to && near(to) && random() < 0.4) entries.push([step, from, to, 1 + Math.floor(260 * random() * (from === 1 ? 3 : 1))]);
    }
  }
  const times = { predicted: all[0]!.times, measured: all[1]!.times };
  return { report: { times, loads, steps: { total: plan.steps, rows } }, times: out.done(), traffic: encodeTraffic(entries) };
}

/** A plan made at run time: so many chunks of iterations on 64 processors. */
export function chunks(perProcessor: number, iterations: number, processors = 64): Parts {
  const infos = [{ file: 'src/solve.rs', line: 5, column: 5, text: 'for i in 0..n', counts: 'iteration' }, { file: 'src/solve.rs', line: 9, column: 5, text: 'for i in (0..n).rev()', counts: 'iteration' }];
  const size = Math.max(1, Math.round(iterations / (perProcessor * processors)));
  const code = (step: number, p: number): TestTerm[] =>
    step % 97 === 96 ? [{ kind: 'loose', body: 1, runs: Array.from({ length: size }, (_, i) => [(p * 7919 + i * 31) % iterations]) }] : [{ kind: 'run', body: step * 2 < perProcessor ? 0 : 1, count: size, values: [(step * processors + p) * size] }];
  const precedences: [number, number, number, number][] = [];
  for (let step = 1; step < perProcessor; step++) for (let p = 0; p < processors; p++) precedences.push([step, p, (p + 1) % processors, step - 1]);
  const bytes = encodePlan({ processors, steps: perProcessor, extents: [], shared: [], precedences, bodies: [{ statements: [0], components: [{ base: 0, step: 1 }] }, { statements: [1], components: [{ base: 0, step: 1 }] }], code });
  const plan = decodePlan(bytes);
  const statements = infos.map((s) => ({ ...s, tasks: Math.round(iterations / 2), work_ns: iterations * 4 }));
  const parts = timed(plan, statements as unknown as typeof LU_STATEMENTS, 40);
  return {
    report: { schema: 1, kind: 'plan', kernel: { name: 'solve', file: 'src/solve.rs', line: 3 }, algorithm: 'levels', processors, supersteps: perProcessor, tasks: iterations, arrays: [], statements, ...parts.report, made: { version: '0.1.0' } },
    page: { rows: [['iterations', String(iterations)], ['chunks', String(perProcessor * processors)]], sources: [], notices: [], answers: [] },
    plan: bytes,
    times: parts.times,
    traffic: parts.traffic,
  };
}
