import type { Track } from '../model';

/** A row of the chart: a processor in a timeline, from `y` on. */
export interface Row {
  readonly track: Track;
  readonly processor: number;
  readonly y: number;
  readonly height: number;
}

/** Places of all rows, in CSS pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Room for the processors' numbers, and for the axis of time. */
  readonly left: number;
  readonly top: number;
  /** Height of most rows. */
  readonly lane: number;
  readonly rows: readonly Row[];
}

/** Height of the rows of a processor that is looked at, where others are lower. */
const TALL = 22;

/** Lays out the processors of some timelines; those of one processor are one under the other, and `looked` has room for labels. */
export function layoutOf(width: number, tracks: readonly Track[], processors: number, looked: number | undefined): Layout {
  const many = tracks.length;
  const lane = Math.max(4, Math.min(many > 1 ? 24 : 38, Math.floor(460 / (processors * many)) - 2));
  const gap = lane >= 8 ? 3 : lane >= 5 ? 1 : 0;
  const top = 24;
  const left = many > 1 ? 44 : 34;
  const rows: Row[] = [];
  let y = top + 2;
  for (let processor = 0; processor < processors; processor++) {
    for (const track of tracks) {
      const height = processor === looked ? Math.max(lane, TALL) : lane;
      rows.push({ track, processor, y, height });
      y += height + (many > 1 ? Math.min(gap, 1) : gap);
    }
    if (many > 1) y += gap + 1;
  }
  return { width, height: y + 4, left, top, lane, rows };
}

/** Finds the row at a height. */
export function rowAt(layout: Layout, y: number): Row | undefined {
  return layout.rows.findLast((row) => y >= row.y && y < row.y + row.height + 3);
}
