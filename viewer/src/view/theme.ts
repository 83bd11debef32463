/** Colours of statements: told apart by most eyes, and none louder than the others. */
const HUES = ['#5b87b8', '#e0a860', '#5fa777', '#c96b6b', '#9079b8', '#43a0a6', '#c787ab', '#a3923f', '#7488a0', '#b5805f'];

/** A colour as red, green and blue of 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The colour of a statement. */
export function hue(statement: number): string {
  return HUES[statement % HUES.length]!;
}

/** The colour of a processor: neighbours differ. */
export function processorColour(processor: number, processors: number): Rgb {
  if (processors <= HUES.length) return rgb(HUES[processor]!);
  const angle = (processor * 137.508) % 360;
  const light = [0.55, 0.68, 0.45][processor % 3]!;
  return fromHsl(angle, 0.42, light);
}

/** Reads a colour `#rrggbb`. */
export function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Mixes two colours: `share` of the second. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((i) => Math.round(a[i]! * (1 - share) + b[i]! * share)) as unknown as Rgb;
}

/** A colour as one pixel of `ImageData`. */
export function pixel([r, g, b]: Rgb): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** A colour as CSS. */
export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** Reads a colour of the current theme. */
export function themed(name: string): Rgb {
  return rgb(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

function fromHsl(angle: number, saturation: number, light: number): Rgb {
  const part = (n: number) => {
    const k = (n + angle / 30) % 12;
    return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** Follows the system's theme until the reader chooses one; returns the button that does. */
export function themeButton(changed: () => void): HTMLButtonElement {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = document.createElement('button');
  button.type = 'button';
  let isChosen = false;
  const show = (theme: string) => {
    root.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light theme' : 'Dark theme';
    changed();
  };
  button.addEventListener('click', () => {
    isChosen = true;
    show(root.dataset.theme === 'dark' ? 'light' : 'dark');
  });
  system.addEventListener('change', () => {
    if (!isChosen) show(system.matches ? 'dark' : 'light');
  });
  show(system.matches ? 'dark' : 'light');
  return button;
}
