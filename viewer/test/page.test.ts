import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { blocksOf } from '../src/data/blocks';
import { decodePlan } from '../src/data/plan';
import { decodeTraffic, matrixOf } from '../src/data/traffic';
import { programOf, statementsOf } from '../src/data/program';
import { encodeDependences } from './encode';
import { launch, openPage, settle } from './browser';
import { LU_STATEMENTS, chunks, lu, writeHtml, writePage, type Parts } from './pages';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const parts = lu(256);
let browser: Browser;
let url: string;

before(async () => {
  browser = await launch();
  url = writePage('lu', parts);
});
after(() => browser.close());

const open = (address: string, look: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => openPage(browser, address, look, options);
const picture = (page: Page) => page.evaluate(() => document.querySelector<HTMLCanvasElement>('.plot canvas')!.toDataURL());
const live = (page: Page) => page.locator('.live').innerText();
const press = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).click();
  await settle(page);
};

test('the numbers of the page are those of its data', () =>
  open(url, async (page) => {
    const rows = await page.locator('.rows tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows, parts.page.rows);
    const plan = programOf(decodePlan(parts.plan!), statementsOf(LU_STATEMENTS));
    const blocks = blocksOf(plan);
    const steps = plan.plan.steps;
    const cells = await page.locator('#table-processors tbody tr').evaluateAll((all) => all.map((row) => row.children[1]!.textContent!.replaceAll('\u202f', '')));
    assert.deepEqual(cells.map(Number), cells.map((_, p) => blocks.tasks.subarray(p * steps, (p + 1) * steps).reduce((a, b) => a + b)));
    const lines = await page.locator('button.line .facts').allInnerTexts();
    assert.match(lines[0]!.replaceAll('\u202f', ''), /32640 tasks/);
    assert.match(lines[1]!.replaceAll('\u202f', ''), /5559680 tasks/);
    assert.match(await page.locator('#summary').innerText(), /82\.1\s%/);
    const matrix = matrixOf(decodeTraffic(parts.traffic!, 8), 8, undefined);
    const words = await page.locator('.matrix tbody tr').evaluateAll((all) => all.flatMap((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent!.replaceAll('\u202f', '')) || 0)));
    assert.deepEqual(words, [...matrix]);
    assert.notEqual(matrix[1], matrix[8], 'senders and receivers can be told apart');
  }));

test('wheel, buttons and keys zoom and pan, and Home shows all again', () =>
  open(url, async (page) => {
    const whole = await picture(page);
    await page.locator('.plot').scrollIntoViewIfNeeded();
    const box = (await page.locator('.plot').boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 80);
    await page.waitForTimeout(400);
    await page.mouse.wheel(0, -400);
    await settle(page);
    const seen = [whole, await picture(page)];
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 80, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    seen.push(await picture(page));
    assert.match(await live(page), /Nothing/, 'a drag is no click');
    await press(page, 'Zoom in');
    seen.push(await picture(page));
    await page.locator('.plot').focus();
    for (const key of ['ArrowRight', '+', '-']) {
      await page.keyboard.press(key);
      await settle(page);
      seen.push(await picture(page));
    }
    assert.equal(new Set(seen).size, seen.length - 1, 'all differ but + and - undo each other');
    await page.mouse.move(0, 0);
    await page.keyboard.press('Home');
    await settle(page);
    assert.equal(await picture(page), whole);
  }));

test('a press on a line lights up its tasks, and another all', () =>
  open(url, async (page) => {
    const whole = await picture(page);
    const line = page.locator('button.line').first();
    await line.click();
    await settle(page);
    assert.equal(await line.getAttribute('aria-pressed'), 'true');
    assert.notEqual(await picture(page), whole);
    await line.click();
    await settle(page);
    assert.equal(await picture(page), whole);
    await page.locator('button.line').nth(1).click();
    await press(page, 'Light up all');
    assert.equal(await picture(page), whole);
  }));

test('a click on a block shows its details and its line; tasks tell where values came from', () =>
  open(url, async (page) => {
    await page.locator('.plot').click({ position: { x: 300, y: 90 } });
    await settle(page);
    assert.match(await page.locator('.details h3').innerText(), /Processor 1, superstep \d+/);
    assert.equal(await page.locator('.line.shown .number').innerText(), '12');
    await press(page, 'First task');
    await press(page, 'Zoom to it');
    assert.match(await page.locator('.details h3').innerText(), /^Task 1 of/);
    const reads = page.locator('.details dd', { hasText: /from/ }).locator('li');
    assert.match(await reads.first().innerText(), /a\[\d+\] from (input|B a\[\d+\], processor \d, superstep \d+)/);
    const users = page.locator('.details dt:has-text("Used by") + dd');
    assert.match(await users.innerText(), /tasks:/);
    const before = await page.locator('.details h3').innerText();
    await reads.first().getByRole('button').click();
    await settle(page);
    assert.notEqual(await page.locator('.details h3').innerText(), before);
    // A click on a task that is wide enough picks it alone.
    await page.locator('.plot').click({ position: { x: 600, y: 90 } });
    await settle(page);
    assert.match(await live(page), /^Task \d+ of processor 1/);
  }));

test('an answer leads to its line and its step', () =>
  open(url, async (page) => {
    await page.getByRole('button', { name: /Show Step 3/ }).click();
    await settle(page);
    assert.match(await page.locator('.details h3').innerText(), /superstep 3$/);
    assert.equal(await page.locator('button.line[aria-pressed=true] .number').innerText(), '12');
    await page.getByRole('button', { name: /Show Line 10/ }).click();
    await settle(page);
    assert.equal(await page.locator('button.line[aria-pressed=true] .number').innerText(), '10');
  }));

test('predicted, measured and both timelines and the critical path differ', () =>
  open(url, async (page) => {
    const seen = [];
    for (const name of ['Predicted', 'Both', 'Measured', 'Critical path only']) {
      await press(page, name);
      assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed'), 'true');
      seen.push(await picture(page));
    }
    assert.equal(new Set(seen).size, 4);
    assert.match(await live(page), /critical path as measured has \d+ steps/);
  }));

test('the page works by the keyboard alone', () =>
  open(url, async (page) => {
    let tabs = 0;
    while (!(await page.evaluate(() => document.activeElement?.classList.contains('plot') ?? false))) {
      await page.keyboard.press('Tab');
      assert.ok(++tabs < 40, 'the chart is reached');
    }
    await page.keyboard.press('Enter');
    const texts = [await live(page)];
    for (const key of ['Shift+ArrowRight', 'Shift+ArrowDown', 'Alt+ArrowDown', 'Shift+ArrowLeft']) {
      await page.keyboard.press(key);
      texts.push(await live(page));
    }
    assert.equal(new Set(texts).size, texts.length);
    for (const text of texts) assert.match(text, /[Pp]rocessor \d, superstep \d+/);
    await page.keyboard.press('Escape');
    assert.match(await live(page), /Nothing/);
    await page.getByRole('button', { name: 'Critical path only' }).focus();
    await page.keyboard.press('Space');
    assert.match(await live(page), /critical path/);
  }));

test('tables are sorted, searched and saved; reports and pictures are saved', () =>
  open(url, async (page) => {
    const heading = page.locator('#table-steps th', { hasText: 'Step' }).first();
    await heading.getByRole('button').click();
    assert.equal(await heading.getAttribute('aria-sort'), 'descending');
    await heading.getByRole('button').click();
    const first = () => page.locator('#table-steps tbody th').first();
    assert.equal(await first().innerText(), '0');
    await page.getByLabel('Search Supersteps').fill('28');
    assert.ok((await page.locator('#table-steps tbody tr').count()) < 29);
    await page.getByLabel('Search Supersteps').fill('');
    await first().getByRole('button').click();
    await settle(page);
    assert.match(await page.locator('.details h3').innerText(), /superstep 0$/);
    for (const [button, name] of [['#table-steps button:has-text("Save CSV")', 'steps.csv'], ['button:has-text("Save JSON")', 'lu.json'], ['button:has-text("Save PNG")', 'lu.png']]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator(button!).click()]);
      assert.equal(download.suggestedFilename(), name);
      const content = readFileSync(await download.path());
      if (name === 'lu.json') assert.deepEqual(JSON.parse(content.toString()), parts.report);
      if (name === 'steps.csv') assert.equal(content.toString().split('\r\n').length, 31);
      if (name === 'lu.png') assert.equal(content.subarray(1, 4).toString(), 'PNG');
    }
  }));

test('arrays show who wrote each word up to a step', () =>
  open(url, async (page) => {
    await page.locator('#arrays').scrollIntoViewIfNeeded();
    const text = page.locator('.pictures .note').first();
    await text.filter({ hasText: 'Words by processor' }).waitFor();
    assert.match((await text.innerText()).replaceAll('\u202f', ''), /256 not written, 0: 7936, 1: 8192/);
    await page.locator('#until').fill('0');
    await text.filter({ hasText: /[3-6]\d.?\d\d\d not written/ }).waitFor();
    assert.equal(await page.locator('#arrays output').innerText(), '0 of 28');
  }));

test('the page follows the theme of the system until one is chosen', () =>
  open(
    url,
    async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await background();
      await press(page, 'Light theme');
      assert.notEqual(await background(), dark);
      await press(page, 'Dark theme');
      await page.waitForTimeout(200);
      assert.equal(await background(), dark);
    },
    { colorScheme: 'dark' },
  ));

test('a picked iteration leads to those that it depends on, and that need it', () => {
  const groups = Array.from({ length: 2000 }, (_, group) => ({ length: 10, before: [group - 64, group - 65].filter((each) => each >= 0) }));
  const some = { ...chunks(40, 20_000), dependences: encodeDependences(groups) };
  return open(writePage('dependences', some), async (page) => {
    await page.locator('.plot').click({ position: { x: 300, y: 60 } });
    await press(page, 'First task');
    const of = (name: string) => page.locator('.details dt', { hasText: name }).locator('+ dd');
    const number = async () => Number((await of('Iteration').innerText()).replace(/\D/g, ''));
    const group = Math.floor((await number()) / 10);
    assert.equal(await of('Depends on').locator('button').count(), groups[group]!.before.length);
    await of('Needed by').locator('button').first().click();
    await settle(page);
    assert.equal(await number(), 10 * (group + 64));
    await of('Depends on').locator('button').first().click();
    await settle(page);
    assert.equal(await number(), 10 * group);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no serious fault, ${colorScheme}`, async () => {
    const small = writePage('chunks', chunks(40, 20_000));
    for (const address of [url, small]) {
      await open(
        address,
        async (page) => {
          await page.locator('.plot').click({ position: { x: 300, y: 60 } });
          await press(page, 'First task');
          await press(page, 'Critical path only');
          await page.waitForTimeout(200);
          await page.evaluate(axe);
          const found = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }).axe.run());
          const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
          assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`), []);
        },
        { colorScheme },
      );
    }
  });
}

test('nothing is wider than a phone', () =>
  open(
    url,
    async (page) => {
      await page.locator('.plot').tap({ position: { x: 150, y: 90 } });
      await press(page, 'First task');
      assert.match(await live(page), /^Task 1/);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      await press(page, 'Show all of the time');
      const whole = await picture(page);
      const { x, y } = (await page.locator('.plot').boundingBox())!;
      const client = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', places: number[]) => client.send('Input.dispatchTouchEvent', { type, touchPoints: places.map((at, id) => ({ x: x + at, y: y + 60, id })) });
      await touch('touchStart', [120, 180]);
      for (const wide of [10, 20, 30, 40]) await touch('touchMove', [120 - wide, 180 + wide]);
      await touch('touchEnd', []);
      await settle(page);
      assert.notEqual(await picture(page), whole, 'a pinch zooms');
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 },
  ));

test('what is not there is left out, and said', async () => {
  const bare: Parts = { ...parts, plan: undefined, times: undefined, traffic: undefined };
  await open(writePage('bare', bare), async (page) => {
    assert.match(await page.locator('.notices').innerText(), /no plan[^]*no times[^]*no traffic/);
    assert.equal(await page.locator('.plot, .matrix, #arrays').count(), 0);
    assert.equal(await page.locator('#table-steps').count(), 1);
  });
  await open(writePage('timeless', { ...parts, times: undefined, report: { ...parts.report, statements: LU_STATEMENTS } }), async (page) => {
    assert.match(await page.locator('.notices').innerText(), /No times are known/);
    await page.locator('.plot').click({ position: { x: 300, y: 90 } });
    assert.match(await live(page), /task lengths/);
  });
  await open(writePage('planless', { ...parts, plan: undefined }), async (page) => {
    await page.locator('.plot').click({ position: { x: 300, y: 90 } });
    assert.match(await live(page), /Processor 1, superstep/);
  });
});

test('malformed data give a message and no blank page', async () => {
  const json = JSON.stringify(parts.report).replaceAll('<', '\\u003c');
  await open(writeHtml('fault', '{"schema":', '{}', '', '', ''), async (page) => {
    assert.match(await page.getByRole('alert').innerText(), /report is no JSON/);
    assert.match(await page.locator('main').innerText(), /the report as text/);
  });
  const gzip = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  for (const [plan, said] of [['!!', /not in base64/], [gzip(new Uint8Array(9)), /not in gzip/]] as const) {
    await open(writeHtml('spoiled', json, '{}', plan, '', ''), async (page) => assert.match(await page.locator('.notices').innerText(), said));
  }
  await open(writePage('spoiled', { ...parts, plan: parts.plan!.slice(0, 5000) }), async (page) => {
    assert.match(await page.locator('.notices').innerText(), /plan cannot be read/);
    assert.equal(await page.locator('.plot').count(), 1);
  });
});

test('text of the data is never HTML', () => {
  const evil = '<img src=x onerror="window.broken=1"></script><b>';
  const statements = (parts.report.statements as object[]).map((s) => ({ ...s, text: evil }));
  const report = { ...parts.report, statements, kernel: { name: evil, file: 'src/kernels.rs', line: 7 }, control: evil, algorithm: evil, arrays: [{ name: evil, type: evil, words: 65536, role: evil, shared: true }] };
  const page = { rows: [[evil, evil]], notices: [evil], sources: [{ file: 'src/kernels.rs', first: 9, text: `${evil}\n${evil}`, changed: true }], answers: [{ title: evil, body: evil, gain: 1 }] };
  return open(writePage('evil', { ...parts, report, page }), async (shown) => {
    await shown.locator('.plot').click({ position: { x: 300, y: 90 } });
    await press(shown, 'First task');
    assert.equal(await shown.locator('main img, main b').count(), 0);
    assert.equal(await shown.evaluate(() => 'broken' in window), false);
    assert.match(await shown.locator('h1').innerText(), /<img/);
    assert.match(await shown.locator('.notices').innerText(), /has changed since it was built/);
  });
});

test('the bundle ends no element that holds it, and knows no path', () => {
  const script = readFileSync('../report/page/viewer.js', 'utf8');
  const style = readFileSync('../report/page/viewer.css', 'utf8');
  assert.ok(!/<\/script|<!--|sourceMappingURL/i.test(script));
  assert.ok(!/<\/style|@import|url\(/i.test(style));
  assert.ok(script.length < 120_000);
  for (const text of [script, style]) assert.ok(!text.includes(process.cwd()));
});
