const UNITS: [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

/** Writes nanoseconds with three digits and a unit. */
export function time(ns: number): string {
  if (ns === 0) return '0 ns';
  const [scale, unit] = unitOf(Math.abs(ns));
  return `${digits(ns / scale)} ${unit}`;
}

/** The unit in which a time is best read. */
export function unitOf(ns: number): [number, string] {
  return UNITS.find(([scale]) => ns >= 0.9995 * scale) ?? [1, 'ns'];
}

/** Writes three significant digits, and all digits before the point. */
export function digits(value: number): string {
  if (value === 0) return '0';
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return before >= 3 ? count(Math.round(value)) : Number(value.toPrecision(3)).toString();
}

/** Writes a whole number in groups of three digits, from five digits on. */
export function count(value: number): string {
  const text = String(value);
  return Math.abs(value) < 10_000 || !Number.isInteger(value) ? text : text.replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Writes a share in per cent. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0 || Math.abs(value) >= 99.95) return `${value.toFixed(0)}\u00a0%`;
  return `${Math.abs(value) >= 1 ? value.toFixed(1) : value.toPrecision(1)}\u00a0%`;
}

/** Writes a number and its noun, with an s unless the number is 1. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}
