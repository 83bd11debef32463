import assert from 'node:assert/strict';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Starts the browser that tests use. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** Opens a page, looks at it, and fails if it had an error or asked for anything. */
export async function openPage(browser: Browser, address: string, look: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 1000 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => request.url() !== address && !request.url().startsWith('blob:') && faults.push(`request of ${request.url()}`));
  await page.goto(address);
  await page.waitForSelector('#app > footer, .fault');
  await settle(page);
  await look(page);
  await context.close();
  assert.deepEqual(faults, []);
}

/** Waits until the chart is drawn and details are filled in. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => requestAnimationFrame(done));
  });
}
