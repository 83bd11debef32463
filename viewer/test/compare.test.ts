import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launch, openPage, settle } from './browser';
import { lu, writePair, type Parts } from './pages';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const both: [Parts, Parts] = [lu(256), lu(128)];
let browser: Browser;
let url: string;

before(async () => {
  browser = await launch();
  url = writePair('pair', both, comparison(['P = 8', 'P = 4']));
});
after(() => browser.close());

const open = (address: string, look: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => openPage(browser, address, look, options);
const pictures = (page: Page) => page.evaluate(() => [...document.querySelectorAll<HTMLCanvasElement>('.plot canvas')].map((canvas) => canvas.toDataURL()));
const change = (before: number, after: number) => ({ before, after, difference: after - before });

function comparison(names: [string, string], text = 'a[i * n + k] /= a[k * n + k]') {
  const statement = (line: number, text: string, matched: number) => ({
    file: 'src/kernels.rs',
    line,
    text,
    tasks: change(matched + 1, matched),
    work_ns: change(700_000, 900_000),
    words: change(50, 60),
    moved: { matched, processor: matched / 4, superstep: matched / 2, stayed: matched / 2, only_before: 1, only_after: 0 },
  });
  const steps = [3, 5].map((step) => ({ step, processor: 1, before_ns: 9000, after_ns: 9000 + 100 * step, difference_ns: 100 * step, wait_before_ns: 10, wait_after_ns: 5 }));
  const pair = {
    names,
    times: 'measured',
    same_program: false,
    run_ns: change(2_000_000, 1_500_000),
    work_ns: change(1_500_000, 1_200_000),
    communication_ns: change(0, 100_000),
    synchronisation_ns: change(500_000, 200_000),
    supersteps: change(29, 25),
    words: change(7000, 8000),
    statements: [statement(10, text, 400), statement(12, 'a[i * n + j] -= a[i * n + k] * a[k * n + j]', 1200)],
    steps: { slower: { count: 2, ns: 800 }, faster: { count: 0, ns: 0 }, rows: steps },
  };
  return { schema: 1, of: 'lu', programs: [], pair };
}

test('both charts show the same time, whichever of them is moved', () =>
  open(url, async (page) => {
    assert.equal(await page.locator('.plot').count(), 2);
    const whole = await pictures(page);
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    await settle(page);
    const zoomed = await pictures(page);
    for (const at of [0, 1]) assert.notEqual(zoomed[at], whole[at]);
    await page.locator('.plot').nth(1).focus();
    await page.keyboard.press('Home');
    await settle(page);
    await page.mouse.move(0, 0);
    assert.deepEqual(await pictures(page), whole);
    // The second is of a smaller matrix: where the first still runs, it has ended.
    const { width } = (await page.locator('.plot').nth(1).boundingBox())!;
    await page.locator('.plot').nth(1).hover({ position: { x: width - 20, y: 40 } });
    assert.match(await page.locator('.plot .tip:not([hidden])').innerText(), /processor 0\nhas ended/);
  }));

test('the critical path and lit lines are those of both, a picked block that of one', () =>
  open(url, async (page) => {
    const whole = await pictures(page);
    await page.getByRole('button', { name: 'Critical path only' }).click();
    await settle(page);
    const critical = await pictures(page);
    for (const at of [0, 1]) assert.notEqual(critical[at], whole[at]);
    await page.getByRole('button', { name: 'Critical path only' }).click();
    await page.getByRole('button', { name: 'Predicted', exact: true }).click();
    await settle(page);
    const predicted = await pictures(page);
    for (const at of [0, 1]) assert.notEqual(predicted[at], whole[at]);
    await page.getByRole('button', { name: 'Measured', exact: true }).click();
    await settle(page);
    assert.deepEqual(await pictures(page), whole);
    await page.locator('.plot').nth(1).click({ position: { x: 80, y: 60 } });
    await settle(page);
    const picked = await pictures(page);
    assert.equal(picked[0], whole[0]);
    assert.notEqual(picked[1], whole[1]);
    assert.match(await page.locator('#details-2 h3').innerText(), /Processor \d, superstep \d+/);
    assert.equal(await page.locator('#details-1 h3').count(), 0);
  }));

test('the tables are those of the comparison, and their rows lead to their places', () =>
  open(url, async (page) => {
    const cells = (table: string) => page.locator(`#table-${table} tbody tr`).evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!.replaceAll(/[\u00a0\u202f]/g, ' '))));
    assert.deepEqual((await cells('totals'))[0], ['Run', '2 ms', '1.5 ms', '\u2212500 µs', '\u221225.0 %']);
    assert.deepEqual((await cells('totals'))[4], ['Supersteps', '29', '25', '\u22124', '\u221213.8 %']);
    assert.deepEqual((await cells('moved'))[0], ['10: a[i * n + k] /= a[k * n + k]', '400', '25.0 %', '50.0 %', '50.0 %', '1', '0']);
    assert.match(await page.locator('.cards').innerText(), /25\.0\s%/);
    await page.locator('#table-step-changes tbody th').nth(1).getByRole('button').click();
    await settle(page);
    for (const at of [1, 2]) assert.match(await page.locator(`#details-${at} h3`).innerText(), /superstep 5$/);
    await page.locator('#table-statement-changes tbody th').first().getByRole('button').click();
    await settle(page);
    assert.equal(await page.locator('button.line[aria-pressed=true] .number').innerText(), '10');
  }));

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no serious fault in a comparison, ${colorScheme}`, () =>
    open(
      url,
      async (page) => {
        await page.locator('.plot').nth(1).click({ position: { x: 80, y: 60 } });
        await page.waitForTimeout(200);
        await page.evaluate(axe);
        const found = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }).axe.run());
        const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
        assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`), []);
      },
      { colorScheme },
    ));
}

test('no comparison is wider than a phone', () =>
  open(url, async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360), { viewport: { width: 360, height: 740 } }));

test('tasks that cannot be matched are said not to be', () => {
  const { pair } = comparison(['a', 'b']);
  const statements = pair.statements.map(({ moved: _, ...rest }) => rest);
  return open(writePair('unmatched-pair', both, { pair: { ...pair, statements, unmatched: 'tasks cannot be matched one by one' } }), async (page) => {
    assert.equal(await page.locator('#table-moved').count(), 0);
    assert.match(await page.locator('#tables').innerText(), /Tasks cannot be matched one by one\./);
    assert.match(await page.locator('.cards').innerText(), /unknown/);
  });
});

test('malformed comparisons give a message, and their text is never HTML', async () => {
  const good = comparison(['a', 'b']);
  for (const spoiled of ['no object', {}, { pair: { ...good.pair, statements: 3 } }, { pair: { ...good.pair, run_ns: { before: 'x' } } }, { pair: { ...good.pair, statements: [null] } }, { pair: { ...good.pair, statements: [{ ...good.pair.statements[0], text: 3 }] } }]) {
    await open(writePair('spoiled-pair', both, spoiled), async (page) => assert.match(await page.locator('.fault').innerText(), /the comparison /));
  }
  const evil = '<img src=x onerror="window.broken=1"></script><b>';
  await open(writePair('evil-pair', both, comparison([evil, evil], evil)), async (page) => {
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.equal(await page.evaluate(() => 'broken' in window), false);
    assert.match(await page.locator('#schedule h3').first().innerText(), /<img/);
  });
});
