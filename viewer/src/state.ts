/** The picked block, or a task of it. */
export interface Picked {
  readonly block: number;
  readonly ordinal?: number;
}

/** Choices of the reader. */
export interface State {
  /** Which timelines are shown: the index of one, or both. */
  shown: number | 'both';
  /** Says whether the critical path alone is lit. */
  critical: boolean;
  /** The statements that are lit, if any. */
  lit: ReadonlySet<number> | undefined;
  picked: Picked | undefined;
}

/** Keeps the state, and tells all views when it changes. */
export class Store {
  private readonly views: ((state: Readonly<State>, changed: ReadonlySet<keyof State>) => void)[] = [];

  constructor(private readonly state: State) {}

  get now(): Readonly<State> {
    return this.state;
  }

  set(change: Partial<State>): void {
    const keys = Object.keys(change) as (keyof State)[];
    const changed = new Set(keys.filter((key) => this.state[key] !== change[key]));
    if (changed.size === 0) return;
    Object.assign(this.state, change);
    for (const view of this.views) view(this.state, changed);
  }

  watch(view: (state: Readonly<State>, changed: ReadonlySet<keyof State>) => void): void {
    this.views.push(view);
  }
}
