/** The part of the time that the chart shows. */
export class Viewport {
  begin = 0;
  span: number;

  constructor(
    readonly total: number,
    private readonly changed: () => void,
  ) {
    this.span = total;
  }

  /** Returns whether all of the time is shown. */
  get isWhole(): boolean {
    return this.span >= this.total;
  }

  /** Shows `factor` times as much, and keeps in its place what is at `share` of the width. */
  zoom(factor: number, share = 0.5): void {
    const span = Math.min(this.total, Math.max(this.total / 1e9, this.span * factor));
    this.set(this.begin + (this.span - span) * share, span);
  }

  /** Moves on by so many widths. */
  pan(widths: number): void {
    this.set(this.begin + widths * this.span, this.span);
  }

  /** Shows all. */
  reset(): void {
    this.set(0, this.total);
  }

  /** Shows an interval, with some room on both sides. */
  show(from: number, to: number, room = 0.5): void {
    const span = Math.min(this.total, Math.max((to - from) * (1 + 2 * room), this.total / 1e9));
    this.set((from + to - span) / 2, span);
  }

  /** Moves no more than it must until an interval can be seen. */
  reveal(from: number, to: number): void {
    if (from >= this.begin && to <= this.begin + this.span) return;
    if (to - from > this.span) {
      // What is longer than the width is seen in part, or begins at its left.
      if (to < this.begin || from > this.begin + this.span) this.set(from - 0.05 * this.span, this.span);
    } else this.set((from + to - this.span) / 2, this.span);
  }

  set(begin: number, span: number): void {
    this.span = span;
    this.begin = Math.min(Math.max(0, begin), this.total - span);
    this.changed();
  }
}
