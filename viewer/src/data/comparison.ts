/** A figure before and after. */
export interface Change {
  before: number;
  after: number;
  difference: number;
}

/** Tasks of a statement in both programs, matched by the word that they write. */
export interface Moved {
  matched: number;
  processor: number;
  superstep: number;
  stayed: number;
  only_before: number;
  only_after: number;
}

/** A statement in two programs or runs. */
export interface StatementChange {
  file?: string;
  line: number;
  text: string;
  tasks: Change;
  work_ns: Change;
  words: Change;
  moved?: Moved;
}

/** A superstep in two runs of one program. */
export interface StepChange {
  step: number;
  processor: number;
  before_ns: number;
  after_ns: number;
  difference_ns: number;
  wait_before_ns: number;
  wait_after_ns: number;
}

/** Two programs or runs of one kernel instance. */
export interface Pair {
  names: [string, string];
  times: string;
  same_program: boolean;
  run_ns: Change;
  work_ns: Change;
  communication_ns: Change;
  synchronisation_ns: Change;
  supersteps: Change;
  words: Change;
  statements: StatementChange[];
  unmatched?: string;
  steps?: { rows: StepChange[] };
}

const CHANGES = ['run_ns', 'work_ns', 'communication_ns', 'synchronisation_ns', 'supersteps', 'words'] as const;

/** Reads the comparison of two; throws an `Error` that says what is wrong with it. */
export function parseComparison(text: string): Pair {
  let parsed: { pair?: Partial<Pair> };
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`the comparison is no JSON: ${(error as Error).message}`);
  }
  const pair = parsed?.pair;
  if (!pair || !Array.isArray(pair.names) || pair.names.length !== 2) throw new Error('the comparison is not one of two');
  if (!Array.isArray(pair.statements) || (pair.steps && !Array.isArray(pair.steps.rows))) throw new Error('the comparison has no list of statements, or steps that are none');
  if (!pair.statements.every((each) => typeof each?.text === 'string' && typeof each.line === 'number')) throw new Error('the comparison has statements without text or line');
  const changes = [...CHANGES.map((name) => pair[name]), ...pair.statements.flatMap((each) => [each.tasks, each.work_ns, each.words])];
  if (!changes.every((each) => typeof each?.before === 'number' && typeof each.after === 'number')) throw new Error('the comparison has figures that are no numbers');
  return pair as Pair;
}
