import { blockAt, type Timeline } from '../data/times';
import { NONE, runs, type Blocks } from '../data/blocks';
import { locate, ordinalAt, type RunTables } from '../data/runs';
import type { Program } from '../data/program';
import { COPY, FIRST, WAIT, WORK, fillStyle, type Styles } from './styles';

/** Lit parts of a timeline: blocks, with the time that lit ones have worked until the end of each, and statements within them. */
export interface Light {
  readonly blocks: Uint8Array;
  readonly worked: Float64Array;
  readonly statements: ReadonlySet<number> | undefined;
}

/** Pixels, and the time at their left edge. */
export interface Canvas {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly begin: number;
  /** Time of a pixel. */
  readonly scale: number;
  readonly styles: Styles;
  /** Time at which to stop tabulating runs: a picture without them comes first. */
  readonly deadline: number;
}

/** Width from which a block is split by statements, and from which a task has an edge, in pixels. */
const SPLIT = 12;
const EDGE = 5;

/** Draws processors of a timeline, a column of pixels at a time: no cost grows with the number of blocks. */
export class LanePainter {
  /** Says whether blocks were left unsplit as time was short. */
  isUnfinished = false;
  // Sums until a time, of the last call of `sums`.
  private waited = 0;
  private copied = 0;
  private worked = 0;
  private lit = 0;

  constructor(
    private readonly program: Program | undefined,
    private readonly blocks: Blocks | undefined,
    private readonly tables: RunTables | undefined,
  ) {}

  /** Draws one processor between two rows of pixels. */
  paint(canvas: Canvas, line: Timeline, processor: number, y0: number, y1: number, light: Light | undefined): void {
    const { width, begin, scale, styles, pixels } = canvas;
    const first = processor * line.steps;
    const end = first + line.steps;
    let block = blockAt(line, processor, begin);
    for (let x = 0; x < width && block < end; ) {
      const left = begin + x * scale;
      const right = left + scale;
      if (line.end[block]! > right) {
        // One block covers the column, and maybe many: draw all of them at once.
        const stop = Math.min(width, Math.max(x + 1, Math.floor((line.end[block]! - begin) / scale)));
        this.whole(canvas, line, block, x, stop, y0, y1, light);
        x = stop;
        if (begin + x * scale >= line.end[block]!) block = this.next(line, block, begin + x * scale, end, processor);
        continue;
      }
      const last = Math.min(end - 1, this.next(line, block, right, end, processor));
      if (last - block <= 1 && (line.end[last]! - line.end[block]! > 2 * scale || last === block)) {
        // An edge between blocks: the column belongs to the one in its middle.
        const middle = line.end[block]! > left + scale / 2 ? block : last;
        this.whole(canvas, line, middle, x, x + 1, y0, y1, light);
      } else this.column(canvas, line, block, last, left, right, x, y0, y1, light);
      block = this.next(line, block, right, end, processor);
      if (block < end && last > first && y1 - y0 > 3 && this.widthOf(line, block, scale) >= 8 && this.widthOf(line, last, scale) >= 8) {
        for (let y = y0; y < y1; y++) pixels[y * width + x] = styles.edge;
      }
      x++;
    }
  }

  /** Finds the block under way at `time`, not before `block`. */
  private next(line: Timeline, block: number, time: number, end: number, processor: number): number {
    for (let near = 0; near < 4 && block < end; near++, block++) if (line.end[block]! > time) return block;
    return block < end ? blockAt(line, processor, time) : end;
  }

  private widthOf(line: Timeline, block: number, scale: number): number {
    return (line.end[block]! - (block % line.steps === 0 ? 0 : line.end[block - 1]!)) / scale;
  }

  /** Draws columns that lie in one block. */
  private whole(canvas: Canvas, line: Timeline, block: number, x0: number, x1: number, y0: number, y1: number, light: Light | undefined): void {
    const isFirst = block % line.steps === 0;
    const { begin, scale, styles, pixels, width } = canvas;
    const start = isFirst ? 0 : line.end[block - 1]!;
    const waitEnd = start + line.waited[block]! - (isFirst ? 0 : line.waited[block - 1]!);
    const copyEnd = waitEnd + line.copied[block]! - (isFirst ? 0 : line.copied[block - 1]!);
    const column = (time: number) => Math.min(x1, Math.max(x0, Math.round((time - begin) / scale)));
    const [a, b] = [column(waitEnd), column(copyEnd)];
    const isLit = !light || light.blocks[block] === 1;
    const dim = light ? styles.count : 0;
    if (a > x0) fillStyle(pixels, width, styles, WAIT + dim, x0, a, y0, y1);
    if (b > a) fillStyle(pixels, width, styles, COPY + (isLit && !light?.statements ? 0 : dim), a, b, y0, y1);
    if (x1 <= b) return;
    const dominant = this.blocks?.dominant[block] ?? NONE;
    const shown = isLit && light?.statements ? this.litOf(block, dominant, light.statements) : dominant;
    const plain = (shown === NONE ? WORK : FIRST + shown) + (isLit ? 0 : dim);
    const work = line.end[block]! - copyEnd;
    if (work / scale >= SPLIT && this.blocks && dominant !== NONE && this.needsSplit(block, work / scale)) {
      if (this.tables!.has(block) || performance.now() < canvas.deadline) {
        this.split(canvas, block, copyEnd, work, b, x1, y0, y1, isLit, light);
        return;
      }
      this.isUnfinished = true;
    }
    fillStyle(pixels, width, styles, plain, b, x1, y0, y1);
  }

  /** The statement in whose colour a lit block is drawn as a whole: one that is lit. */
  private litOf(block: number, dominant: number, statements: ReadonlySet<number>): number {
    if (statements.has(dominant)) return dominant;
    for (const statement of statements) if (runs(this.blocks!, block, statement)) return statement;
    return dominant;
  }

  /** Returns whether a block shows more when it is split: it has several statements, or tasks that can be seen. */
  private needsSplit(block: number, pixels: number): boolean {
    const { mask, maskWords, tasks } = this.blocks!;
    if (pixels / tasks[block]! >= EDGE) return true;
    let several = 0;
    for (let word = 0; word < maskWords; word++) {
      const bits = mask[block * maskWords + word]!;
      if (bits !== 0) several += (bits & (bits - 1)) === 0 ? 1 : 2;
    }
    return several > 1;
  }

  /** Draws the work of a block by its runs and tasks. */
  private split(canvas: Canvas, block: number, workBegin: number, work: number, x0: number, x1: number, y0: number, y1: number, isLit: boolean, light: Light | undefined): void {
    const { begin, scale, styles, pixels, width } = canvas;
    const table = this.tables!.of(block);
    const total = table.weight.at(-1)!;
    const program = this.program!;
    let [from, style, ordinal] = [x0, -1, -1];
    const flush = (x: number) => {
      if (style >= 0 && x > from) fillStyle(pixels, width, styles, style, from, x, y0, y1);
      from = x;
    };
    for (let x = x0; x < x1; x++) {
      const weight = ((begin + (x + 0.5) * scale - workBegin) / work) * total;
      const task = ordinalAt(program, table, Math.min(weight, total * (1 - 1e-12)));
      if (task === ordinal) continue;
      const found = locate(program, table, task);
      const body = table.body[found.run]!;
      const pixelsOfIteration = ((program.weight[body]! / total) * work) / scale;
      const statement = pixelsOfIteration >= 2 ? found.statement : this.heaviest(body);
      const isTaskLit = isLit && (!light?.statements || light.statements.has(statement));
      const next = FIRST + statement + (light && !isTaskLit ? styles.count : 0);
      const pixelsOfTask = ((program.statements[found.statement]!.weight / total) * work) / scale;
      const hasEdge = ordinal >= 0 && pixelsOfTask >= EDGE;
      if (next !== style || hasEdge) {
        flush(x);
        style = next;
        if (hasEdge) {
          for (let y = y0; y < y1; y++) pixels[y * width + x] = styles.edge;
          from = x + 1;
        }
      }
      ordinal = task;
    }
    flush(x1);
  }

  private heaviest(body: number): number {
    const { plan, statements } = this.program!;
    let best = plan.bodies[body]!.statements[0]!;
    for (const s of plan.bodies[body]!.statements) if (statements[s]!.weight > statements[best]!.weight) best = s;
    return best;
  }

  /** Draws a column that has several blocks: from below what share of its time is work, copies and waits. */
  private column(canvas: Canvas, line: Timeline, first: number, last: number, left: number, right: number, x: number, y0: number, y1: number, light: Light | undefined): void {
    const { pixels, width, styles } = canvas;
    this.sums(line, first, left, light);
    const [waited, copied, worked, lit] = [this.waited, this.copied, this.worked, this.lit];
    this.sums(line, last, right, light);
    const height = (y1 - y0) / (right - left);
    const dim = light ? styles.count : 0;
    let y = y1;
    const up = (style: number, share: number) => {
      const top = Math.max(y0, Math.round(y - share * height));
      if (top < y) fillStyle(pixels, width, styles, style, x, x + 1, top, y);
      y = top;
    };
    const work = this.worked - worked;
    const bright = light ? this.lit - lit : work;
    const style = this.longest(line, first, last, light);
    if (light && bright > 0) {
      // A lit sliver must be seen: it has a pixel at least.
      up(style, Math.max(bright, 1 / height));
      up(style + dim, Math.max(0, work - bright));
    } else up(style + dim, work);
    up(COPY + dim, this.copied - copied);
    const wait = this.waited - waited;
    if (wait > 0) {
      const isFull = (y1 - y0) - (y1 - y) - Math.round(wait * height) <= 1;
      up(WAIT + dim, isFull ? Infinity : wait);
    } else if (y - y0 === 1 && right <= line.end[last]!) up(style + (light && bright === 0 ? dim : 0), Infinity);
  }

  /** The style of the longest work among a few of the blocks, of lit ones if there are any. */
  private longest(line: Timeline, first: number, last: number, light: Light | undefined): number {
    if (light?.statements?.size === 1) return FIRST + [...light.statements][0]!;
    const stride = Math.max(1, (last - first) / 6);
    let [best, longest] = [first, -1];
    for (let at = first; at <= last; at += stride) {
      const block = Math.floor(at);
      const isFirst = block % line.steps === 0;
      let work = isFirst ? line.end[block]! - line.waited[block]! - line.copied[block]! : line.end[block]! - line.end[block - 1]! - (line.waited[block]! - line.waited[block - 1]!) - (line.copied[block]! - line.copied[block - 1]!);
      if (light && light.blocks[block] === 1) work += line.total;
      if (work > longest) [best, longest] = [block, work];
    }
    const dominant = this.blocks?.dominant[best] ?? NONE;
    return dominant === NONE ? WORK : FIRST + dominant;
  }

  /** Sums what a processor has waited, copied and worked until `time`, at which `block` is under way. */
  private sums(line: Timeline, block: number, time: number, light: Light | undefined): void {
    const isFirst = block % line.steps === 0;
    const begin = isFirst ? 0 : line.end[block - 1]!;
    const waitedBefore = isFirst ? 0 : line.waited[block - 1]!;
    const copiedBefore = isFirst ? 0 : line.copied[block - 1]!;
    const now = Math.min(time, line.end[block]!);
    const wait = Math.min(now - begin, line.waited[block]! - waitedBefore);
    const copy = Math.min(now - begin - wait, line.copied[block]! - copiedBefore);
    const work = now - begin - wait - copy;
    this.waited = waitedBefore + wait;
    this.copied = copiedBefore + copy;
    this.worked = begin - waitedBefore - copiedBefore + work;
    if (light) this.lit = (isFirst ? 0 : light.worked[block - 1]!) + (light.blocks[block] === 1 ? work : 0);
  }
}
