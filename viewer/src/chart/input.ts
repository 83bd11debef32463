import type { Viewport } from './viewport';

/** Answers of the chart to input. */
export interface Handlers {
  /** Place of the plot in the element: left edge and width. */
  plot(): { left: number; width: number };
  /** A click or tap. */
  press(x: number, y: number): void;
  /** The pointer moves, or has left. */
  hover(x: number | undefined, y: number): void;
  /** Moves the picked block: in time, or to another processor. */
  move(inTime: number, toProcessor: number): void;
  /** Enter, or Escape. */
  key(name: 'Enter' | 'Escape'): void;
}

/** A wheel that came from outside the chart scrolls the page on for so long, in milliseconds. */
const SCROLLING = 350;
/** A press that moves less than so many pixels is a click. */
const SLACK = 4;

/** Zooms and pans by wheel, pointers and keys. */
export function listen(element: HTMLElement, view: Viewport, handlers: Handlers): void {
  const shareOf = (clientX: number) => {
    const { left, width } = handlers.plot();
    return Math.min(1, Math.max(0, (clientX - element.getBoundingClientRect().left - left) / width));
  };
  let lastOutside = -Infinity;
  addEventListener(
    'wheel',
    (event) => {
      if (!element.contains(event.target as Node) || performance.now() - lastOutside < SCROLLING) lastOutside = performance.now();
    },
    { passive: true, capture: true },
  );
  element.addEventListener(
    'wheel',
    (event) => {
      if (performance.now() - lastOutside < SCROLLING && !event.ctrlKey) return;
      const pixels = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY * pixels, 0] : [event.deltaX * pixels, event.deltaY * pixels];
      // The page scrolls on where there is nothing to zoom out of.
      if (Math.abs(dy) >= Math.abs(dx) && dy > 0 && view.isWhole && !event.ctrlKey) return;
      event.preventDefault();
      if (Math.abs(dx) > Math.abs(dy)) view.pan(dx / handlers.plot().width);
      else view.zoom(Math.exp(Math.max(-1, Math.min(1, dy / 300))), shareOf(event.clientX));
    },
    { passive: false },
  );
  listenToPointers(element, view, handlers, shareOf);
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && (event.shiftKey || event.altKey)) handlers.move(arrow[0]!, arrow[1]!);
    else if (arrow && arrow[0] !== 0) view.pan(arrow[0]! * 0.15);
    else if (arrow) view.zoom(arrow[1]! < 0 ? 1 / 1.4 : 1.4);
    else if (event.key === '+' || event.key === '=') view.zoom(1 / 1.6);
    else if (event.key === '-' || event.key === '_') view.zoom(1.6);
    else if (event.key === 'Home' || event.key === '0') view.reset();
    else if (event.key === 'Enter' || event.key === 'Escape') handlers.key(event.key);
    else return;
    event.preventDefault();
  });
}

function listenToPointers(element: HTMLElement, view: Viewport, handlers: Handlers, shareOf: (clientX: number) => number): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  const local = (event: PointerEvent) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top] as const;
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  element.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return handlers.hover(...local(event));
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const dx = event.clientX - before.x;
    moved += Math.abs(dx) + Math.abs(event.clientY - before.y);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (moved < SLACK) return;
    handlers.hover(undefined, 0);
    const other = others[0];
    if (other) {
      // A pinch: the time under both fingers stays there.
      const distance = Math.max(8, Math.abs(before.x - other.x));
      const now = Math.max(8, Math.abs(event.clientX - other.x));
      view.zoom(distance / now, shareOf((event.clientX + other.x) / 2));
    }
    view.pan(-dx / (other ? 2 : 1) / handlers.plot().width);
  });
  element.addEventListener('pointerup', (event) => {
    if (pointers.delete(event.pointerId) && moved < SLACK && pointers.size === 0) handlers.press(...local(event));
  });
  element.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
  element.addEventListener('pointerleave', () => handlers.hover(undefined, 0));
}
