import { Walker } from './code';
import type { Plan } from './plan';
import type { StatementInfo } from './report';

/** A statement of the report, with its letter and weight. */
export interface Statement extends StatementInfo {
  /** Name in the page: A, B, ..., AA. */
  readonly letter: string;
  /** Time of one task, relative to others: nanoseconds where they are known. */
  readonly weight: number;
}

/** A plan with its statements: where the components of each stand in each body, and what an iteration of it weighs. */
export interface Program {
  readonly plan: Plan;
  readonly statements: readonly Statement[];
  readonly walker: Walker;
  /** `[body][position]`: the first component of the statement at that position. */
  readonly component: readonly (readonly number[])[];
  /** `[body]`: the weight of an iteration. */
  readonly weight: readonly number[];
}

/** Names and weighs the statements; those of unknown work weigh as much as the others in the mean. */
export function statementsOf(infos: readonly StatementInfo[]): Statement[] {
  const known = infos.filter((s) => s.work_ns && s.tasks);
  const tasks = known.reduce((sum, s) => sum + s.tasks!, 0);
  const mean = tasks > 0 ? known.reduce((sum, s) => sum + s.work_ns!, 0) / tasks : 1;
  return infos.map((s, at) => ({ ...s, letter: letterOf(at), weight: s.work_ns && s.tasks ? s.work_ns / s.tasks : mean }));
}

function letterOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : letterOf(Math.floor(at / 26) - 1) + last;
}

/** Joins a plan and its statements; throws an `Error` where they do not fit. */
export function programOf(plan: Plan, statements: readonly Statement[]): Program {
  const components = statements.map((s) => (s.writes === undefined ? 1 : 1 + (s.reads?.length ?? 0) + (s.control?.length ?? 0)));
  const component = plan.bodies.map((body) => {
    let next = 0;
    const first = body.statements.map((s) => {
      const at = next;
      if (components[s] === undefined) throw new Error('the plan has a statement that is not in the report');
      next += components[s];
      return at;
    });
    if (next !== body.base.length) throw new Error('the statements of the report are not those of the plan');
    return first;
  });
  for (const s of statements) {
    if ([s.writes ?? -1, ...(s.reads ?? [])].some((array) => s.writes !== undefined && array >= plan.extents.length)) throw new Error('the plan lacks an array');
  }
  const weight = plan.bodies.map((body) => body.statements.reduce((sum, s) => sum + statements[s]!.weight, 0));
  return { plan, statements, walker: new Walker(plan.code, plan.bodies), component, weight };
}

/** The row of code of a block `processor * steps + step`. */
export function rowOf(plan: Plan, block: number): number {
  return (block % plan.steps) * plan.processors + Math.floor(block / plan.steps);
}
