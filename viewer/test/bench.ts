// Prints times of the page: until the first picture, and of a zoom step. Run it alone on the machine.
import { launch } from './browser';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chunks, lu, writePage } from './pages';

const browser = await launch();
for (const [name, make] of [
  ['lu256', () => lu(256)],
  ['chunks1e5', () => chunks(1_600, 1e7)],
  ['chunks1e6', () => chunks(15_700, 1e7)],
] as const) {
  const url = writePage(name, make());
  const megabytes = statSync(fileURLToPath(url)).size / 1e6;
  const firsts: number[] = [];
  let steps: number[] = [];
  for (let round = 0; round < 3; round++) {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 1000 } })).newPage();
    await page.goto(url, { waitUntil: 'commit' });
    firsts.push(await page.evaluate(firstPicture));
    steps = await page.evaluate(zoomSteps);
    await page.context().close();
  }
  const sorted = [...steps].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
  console.log(`${name.padEnd(10)} ${megabytes.toFixed(1)} MB  first picture ${firsts.map((ms) => ms.toFixed(0)).join(' ')} ms  zoom step median ${at(0.5)}, worst ${at(1)} ms`);
}
await browser.close();

/** Milliseconds from the start of the navigation until the chart has been drawn. */
async function firstPicture(): Promise<number> {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (;;) {
    await frame();
    const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas');
    if (canvas && canvas.width > 400) break;
  }
  await frame();
  return performance.now();
}

/** Milliseconds of single steps of the wheel, in and out, each with the frame that it draws. */
async function zoomSteps(): Promise<number[]> {
  const plot = document.querySelector<HTMLElement>('.plot')!;
  const box = plot.getBoundingClientRect();
  const times: number[] = [];
  const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
  for (let step = 0; step < 60; step++) {
    await frame();
    const begin = performance.now();
    plot.dispatchEvent(new WheelEvent('wheel', { deltaY: step < 40 ? -100 : 150, clientX: box.x + box.width * 0.4, clientY: box.y + 50, bubbles: true, cancelable: true }));
    // The chart has asked for its frame first: when this one comes, it is drawn.
    await frame();
    times.push(performance.now() - begin);
  }
  return times;
}
