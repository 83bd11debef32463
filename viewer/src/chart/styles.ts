import { css, hue, mix, pixel, rgb, themed, type Rgb } from '../view/theme';

/** Numbers of the styles that are no statement's. */
export const WAIT = 0;
export const COPY = 1;
/** Work whose statements are not known. */
export const WORK = 2;
/** The style of statement `s` is `FIRST + s`. */
export const FIRST = 3;

/** Patterns of pixels; diagonals are for waits alone. */
const [PLAIN, DIAGONAL, ROWS, DOTS, COLUMNS, GRID] = [0, 1, 2, 3, 4, 5];
const OF_STATEMENTS = [PLAIN, DOTS, COLUMNS, ROWS, GRID];

/** Height from which a pattern can be seen, in pixels. */
const PATTERNED = 8;

/** Two colours and a pattern for each style, bright and dimmed (`style + count`), as pixels. */
export interface Styles {
  readonly count: number;
  readonly main: Uint32Array;
  readonly mark: Uint32Array;
  readonly pattern: Uint8Array;
  /** One colour for each, where there is no room for a pattern. */
  readonly flat: Uint32Array;
  readonly background: number;
  readonly lane: number;
  readonly edge: number;
  /** Colours of text and lines, as CSS. */
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly accent: string;
  readonly surface: string;
}

/** Makes the styles of so many statements in the current theme. */
export function stylesOf(statements: number): Styles {
  const count = FIRST + statements;
  const surface = themed('surface');
  const lane = themed('lane');
  const main = new Uint32Array(2 * count);
  const mark = new Uint32Array(2 * count);
  const pattern = new Uint8Array(2 * count);
  const flat = new Uint32Array(2 * count);
  const put = (style: number, colour: Rgb, marked: Rgb, kind: number) => {
    main[style] = pixel(colour);
    mark[style] = pixel(marked);
    main[style + count] = pixel(mix(colour, lane, 0.78));
    mark[style + count] = pixel(mix(marked, lane, 0.78));
    pattern[style] = pattern[style + count] = kind;
    flat[style] = kind === DIAGONAL ? pixel(mix(colour, marked, 0.3)) : main[style]!;
    flat[style + count] = main[style + count]!;
  };
  put(WAIT, mix(lane, themed('wait'), 0.16), mix(lane, themed('wait'), 0.75), DIAGONAL!);
  put(COPY, themed('copy'), mix(themed('copy'), surface, 0.45), ROWS!);
  put(WORK, rgb(hue(0)), rgb(hue(0)), PLAIN!);
  for (let s = 0; s < statements; s++) {
    const colour = rgb(hue(s));
    put(FIRST + s, colour, mix(colour, [0, 0, 0], 0.2), OF_STATEMENTS[s % OF_STATEMENTS.length]!);
  }
  return {
    count,
    main,
    mark,
    pattern,
    flat,
    background: pixel(surface),
    lane: pixel(lane),
    edge: pixel(surface),
    text: css(themed('text')),
    faint: css(themed('muted')),
    line: css(themed('line')),
    accent: css(themed('accent')),
    surface: css(surface),
  };
}

/** Fills a rectangle of pixels with a style. */
export function fillStyle(pixels: Uint32Array, width: number, styles: Styles, style: number, x0: number, x1: number, y0: number, y1: number): void {
  const hasPattern = y1 - y0 >= PATTERNED;
  const main = hasPattern ? styles.main[style]! : styles.flat[style]!;
  const kind = hasPattern ? styles.pattern[style]! : PLAIN;
  for (let y = y0; y < y1; y++) pixels.fill(main, y * width + x0, y * width + x1);
  if (kind === PLAIN) return;
  const mark = styles.mark[style]!;
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) if (isMarked(kind, x, y)) pixels[y * width + x] = mark;
  }
}

function isMarked(kind: number, x: number, y: number): boolean {
  switch (kind) {
    case DIAGONAL:
      return (x + y) % 6 < 1;
    case ROWS:
      return y % 4 === 0;
    case DOTS:
      return y % 4 === 0 && (x + (y % 8 === 0 ? 0 : 3)) % 6 === 0;
    case COLUMNS:
      return x % 5 === 0;
    default:
      return x % 6 === 0 || y % 6 === 0;
  }
}

/** Draws a small sample of a style. */
export function swatch(styles: Styles, style: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 14;
  canvas.className = 'swatch';
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(14, 14);
  fillStyle(new Uint32Array(image.data.buffer), 14, styles, style, 0, 14, 0, 14);
  context.putImageData(image, 0, 0);
  return canvas;
}
