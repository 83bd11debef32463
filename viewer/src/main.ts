import { Chart } from './chart/chart';
import { showPair } from './compare';
import { parseComparison } from './data/comparison';
import { bytesOf, textOf } from './data/load';
import { parsePage, parseReport, type Answer } from './data/report';
import { modelOf, type Bytes, type Model } from './model';
import { Store } from './state';
import { answers } from './view/answers';
import { arrays } from './view/arrays';
import { Details } from './view/details';
import { button, h, save, section } from './view/dom';
import { histograms } from './view/histograms';
import { communication } from './view/matrix';
import { SourceView } from './view/source';
import { header, made, notices, summary } from './view/summary';
import { showStep, tables } from './view/tables';
import { themeButton } from './view/theme';
import { Legend, toolbar } from './view/toolbar';

const KEYS = 'Wheel or + and − zoom, drag or the arrow keys move, Home shows all. Shift with an arrow key moves the picked block or task, Enter picks one, Escape picks none.';

async function start(): Promise<void> {
  const app = document.getElementById('app') ?? document.body.appendChild(h('main', { id: 'app' }));
  const before = [...app.childNodes];
  try {
    const comparison = textOf('comparison');
    if (comparison === '') show(app, await load(''), textOf('report'));
    else showPair(app, await Promise.all([load(''), load('2')]), parseComparison(comparison), comparison, KEYS);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    app.replaceChildren(h('div', { class: 'fault', role: 'alert' }, h('h1', {}, 'This page cannot be shown'), h('p', {}, `Its data are malformed: ${message}.`)), ...before);
  }
}

/** Reads the data elements whose names end so. */
async function load(ending: string): Promise<Model> {
  const report = parseReport(textOf(`report${ending}`));
  const page = parsePage(textOf(`page${ending}`) || '{}');
  const faults: string[] = [];
  const bytes: Record<string, Uint8Array | undefined> = {};
  const read = async (id: string) => {
    try {
      bytes[id] = await bytesOf(id + ending);
    } catch (error) {
      faults.push(`Data are left out: ${(error as Error).message}.`);
    }
  };
  await Promise.all(['plan', 'times', 'traffic', 'dependences'].map(read));
  return modelOf(report, { ...page, notices: [...page.notices, ...faults] }, bytes as Bytes);
}

function show(app: HTMLElement, model: Model, reportText: string): void {
  const store = new Store({ shown: model.tracks.length > 1 ? 1 : 0, critical: false, lit: undefined, picked: undefined });
  const recolours: (() => void)[] = [];
  const theme = themeButton(() => recolours.forEach((recolour) => recolour()));
  const name = model.report.kernel?.name ?? model.report.kind;
  const json = button('Save JSON', () => save(`${name}.json`, new Blob([reportText], { type: 'application/json' })));
  const chart = model.tracks.length > 0 ? new Chart(model, store) : undefined;
  const source = new SourceView(model, store, chart);
  const legend = chart && new Legend(model, chart, store);
  const lead = (answer: Answer) => {
    if (answer.step !== undefined && chart) showStep(chart, model, answer.step);
    const statement = answer.statement === undefined ? undefined : model.statements[answer.statement];
    const [file, line] = [answer.file ?? statement?.file, answer.line ?? statement?.line];
    if (statement) store.set({ lit: new Set([answer.statement!]) });
    if (file !== undefined && line !== undefined) source.show(file, line);
    (chart?.element ?? source.element).scrollIntoView({ block: 'start' });
    chart?.focus();
  };
  const gantt =
    chart &&
    section('schedule', 'Schedule', toolbar(model, store, chart, name), chart.element, legend!.element, h('p', { id: 'keys', class: 'note' }, KEYS));
  const details = chart && new Details(model, store, chart);
  recolours.push(
    () => chart?.recolour(),
    () => legend?.recolour(),
    () => source.recolour(),
  );
  const above = [
    header(model, [json, theme]),
    notices(model),
    summary(model),
    answers(model.page.answers, lead),
    gantt ? h('div', { class: 'panes' }, h('div', {}, gantt, details!.element), source.element) : source.element,
  ];
  app.replaceChildren(...above.filter((part) => part !== undefined));
  // What is below comes after the first picture.
  const below = () => {
    const makers = [() => tables(model, store, chart, source), () => arrays(model, chart), () => communication(model, store), () => histograms(model), () => made(model)];
    for (const make of makers) {
      try {
        const part = make();
        if (part instanceof HTMLElement) app.append(part);
        else if (part) {
          app.append(part.element);
          recolours.push(part.recolour);
        }
      } catch (error) {
        app.append(h('p', { class: 'notices' }, `A part of the page is left out, as its data are malformed: ${(error as Error).message}.`));
      }
    }
  };
  requestAnimationFrame(() => setTimeout(below, 0));
}

void start();
