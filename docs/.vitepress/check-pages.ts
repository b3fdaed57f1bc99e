import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { serveSite } from '../serve-site.ts';
import { siteBase } from '../site-base.ts';

// Opens every page of the built site in Chromium, at the widths of a desktop and a phone, light and dark.
// Fails for an error in the console, a page that scrolls sideways, a violation that axe-core finds, or a
// search without a result. The arguments name pages of which screenshots are written into
// `.generated/screenshots`. `CHROMIUM` is the path of the browser.

const site = join(import.meta.dirname, 'dist');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = join(import.meta.dirname, '../.generated/screenshots');
mkdirSync(shots, { recursive: true });

await using served = await serveSite(site, siteBase);
const base = `${served.origin}${siteBase.slice(0, -1)}`;

const browser = await puppeteer.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const problems: string[] = [];
const paths = globSync('**/*.html', { cwd: site }).filter((path) => path !== '404.html');
const widths = { desktop: 1280, phone: 390 };

for (const [device, width] of Object.entries(widths)) {
  for (const scheme of ['light', 'dark']) {
    for (const path of paths) {
      const page = await browser.newPage();
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await check(page, path, `${path} (${device}, ${scheme})`, `${device}-${scheme}`);
      await page.close();
    }
  }
}
for (const [path, word] of [
  ['index.html', 'subscription'],
  ['index.html', 'claude desktop'],
  ['zh-CN/index.html', '宿主'],
] as const) {
  const page = await browser.newPage();
  await checkSearch(page, path, word);
  await page.close();
}
await browser.close();
for (const each of problems) console.error(each);
console.log(`${paths.length} pages, each in 4 ways: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function check(page: Page, path: string, what: string, variant: string): Promise<void> {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(String(error)));
  await page.goto(`${base}/${path}`, { waitUntil: 'load' });
  const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  if (isWide) found.push('scrolls sideways');
  await page.evaluate(axe);
  const violations = (await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 150)).join(' | ')))`,
  )) as string[];
  found.push(...violations);
  problems.push(...found.map((each) => `${what}: ${each}`));
  if (process.argv.slice(2).some((name) => path === `${name}.html`)) {
    await page.screenshot({
      path: join(shots, `${path.replace('.html', '').replaceAll('/', '-')}-${variant}.png`),
    });
  }
}

/** Searches for a word as a reader does, and opens the first result. */
async function checkSearch(page: Page, path: string, word: string): Promise<void> {
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${base}/${path}`, { waitUntil: 'load' });
  await page.click('.DocSearch-Button');
  const input = await page.waitForSelector('.VPLocalSearchBox input');
  await input!.type(word);
  const result = await page
    .waitForSelector('.VPLocalSearchBox .result', { timeout: 10_000 })
    .catch(() => undefined);
  if (!result) return void problems.push(`${path}: the search finds nothing for "${word}"`);
  await page.screenshot({
    path: join(shots, `search-${path.replace('.html', '').replaceAll('/', '-')}.png`),
  });
  await result.click();
  await page
    .waitForFunction(
      `location.pathname !== '${siteBase}${path}' && document.querySelector('main, .vp-doc').innerText.toLowerCase().includes('${word}')`,
      { timeout: 10_000 },
    )
    .catch(() => problems.push(`${path}: the first result for "${word}" does not have it`));
}
