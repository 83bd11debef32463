import { blocksOf, timeOfStatements, type Blocks } from './data/blocks';
import { criticalPath } from './data/critical';
import { decodeDependences, Neighbours } from './data/dependences';
import { decodePlan } from './data/plan';
import { programOf, statementsOf, type Program, type Statement } from './data/program';
import type { Page, Report } from './data/report';
import { RunTables } from './data/runs';
import { assumedTimeline, decodeTimes, type Timeline } from './data/times';
import { decodeTraffic, type Traffic } from './data/traffic';
import { waitsOf, type Waits } from './data/waits';

/** A timeline with its name and its critical path. */
export interface Track {
  readonly name: 'predicted' | 'measured' | 'assumed';
  readonly line: Timeline;
  readonly path: readonly number[];
  /** Of each block, 1 if it is on the critical path. */
  readonly onPath: Uint8Array;
}

/** Data of the page, plain. */
export interface Model {
  readonly report: Report;
  readonly page: Page;
  readonly statements: readonly Statement[];
  readonly program?: Program;
  readonly blocks?: Blocks;
  readonly tables?: RunTables;
  readonly waits?: Waits;
  readonly tracks: readonly Track[];
  readonly traffic?: Traffic;
  /** Makes, and then returns, who comes before whom of iterations and of tasks of a graph; undefined where the page has no room for it. */
  readonly neighbours: () => Neighbours | undefined;
  /** Time of each statement, of the last timeline: measured if there is one. */
  readonly timeOfStatement?: Float64Array;
  /** Sentences that say what is left out, and why. */
  readonly missing: readonly string[];
  /** Says whether the timeline's unit is a task, as nothing is known of times. */
  readonly isInTasks: boolean;
  /** Name of a superstep here: chunks are those of a plan made at run time. */
  readonly stepName: 'superstep' | 'chunk';
}

/** The data elements of a page. */
export interface Bytes {
  readonly plan?: Uint8Array;
  readonly times?: Uint8Array;
  readonly traffic?: Uint8Array;
  readonly dependences?: Uint8Array;
}

/** Makes the model; what is malformed is left out, with a word in `missing`. */
export function modelOf(report: Report, page: Page, bytes: Bytes): Model {
  const missing: string[] = [];
  const attempt = <T>(what: string, data: Uint8Array | undefined, read: (data: Uint8Array) => T): T | undefined => {
    if (!data) return undefined;
    try {
      return read(data);
    } catch (error) {
      missing.push(`The ${what} cannot be read: ${(error as Error).message}.`);
      return undefined;
    }
  };
  const { processors } = report;
  const statements = statementsOf(report.statements);
  const program = attempt('plan', bytes.plan, (data) => {
    const plan = decodePlan(data);
    if (plan.processors !== processors) throw new Error(`it has ${plan.processors} processors, the report ${processors}`);
    return programOf(plan, statements);
  });
  const steps = program?.plan.steps ?? report.supersteps;
  const blocks = program && blocksOf(program);
  const waits = program && waitsOf(program.plan);
  let lines = attempt('times', bytes.times, (data) => decodeTimes(data, steps, processors));
  const traffic = attempt('traffic', bytes.traffic, (data) => decodeTraffic(data, processors));
  const dependences = program && attempt('dependences', bytes.dependences, decodeDependences);
  let neighbours: Neighbours | undefined;
  let isAssumed = false;
  if (!lines && blocks && waits) {
    lines = [assumedTimeline(steps, processors, blocks.weight, waits)];
    isAssumed = true;
    missing.push('No times are known: the chart gives each task its mean time, or the same length to all.');
  }
  if (!program) missing.push('This page has no plan: single tasks, what they read and who uses it, are left out.');
  if (!lines) missing.push('This page has no times: the chart is left out.');
  if (!traffic) missing.push('This page has no traffic: the communication matrix is left out.');
  // A recorded run alone has no prediction.
  const isMeasured = (at: number) => at > 0 || (report.times.measured !== undefined && report.times.predicted === undefined);
  const tracks = (lines ?? []).map((line, at): Track => {
    const path = criticalPath(line, waits);
    const onPath = new Uint8Array(steps * processors);
    for (const block of path) onPath[block] = 1;
    return { name: isAssumed ? 'assumed' : isMeasured(at) ? 'measured' : 'predicted', line, path, onPath };
  });
  return {
    report,
    page,
    statements,
    program,
    blocks,
    tables: program && new RunTables(program),
    waits,
    tracks,
    traffic,
    neighbours: () => (neighbours ??= program && dependences && new Neighbours(program, dependences)),
    timeOfStatement: program && blocks && tracks.length > 0 ? timeOfStatements(program, blocks, tracks.at(-1)!.line) : undefined,
    missing,
    isInTasks: report.kind === 'schedule' || (isAssumed && !statements.some((s) => s.work_ns)),
    stepName: report.kind === 'plan' || report.kind === 'farm' ? 'chunk' : 'superstep',
  };
}
