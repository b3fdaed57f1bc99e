import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { bundlePage } from '../scripts/bundle-page.ts';
import { chromium } from './views/bundle-script.ts';

// The page in the README of @mcp/views, which is made of building blocks, in Chromium in the official host.

const isRunnable = inject('official') && existsSync(chromium);
const shownView = isRunnable ? await import('./views/shown-view.ts') : undefined;

/** Bundles the page with the script of the README. */
async function bundledPage(): Promise<string> {
  const readme = await readFile(join(import.meta.dirname, '../packages/views/README.md'), 'utf8');
  const [, script = ''] = /### Building blocks.*?```js\n(.*?)```/s.exec(readme) ?? [];
  const parts = '<div id="parts" class="segments"></div><div id="table"></div><div id="chart"></div>';
  const content = `<main class="framed"><h1>Prices</h1>${parts}<div id="form"></div><div id="asked"></div></main>`;
  // Beside the tests, which have the package.
  const directory = await mkdtemp(join(import.meta.dirname, 'blocks-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'page.html'), `<title>Prices</title>${content}`);
  await writeFile(join(directory, 'main.ts'), script);
  await writeFile(join(directory, 'style.css'), "@import '@mcp/views/style.css';");
  return bundlePage(join(directory, 'page.html'), { conditions: ['@mcp/source'] });
}

describe.skipIf(!isRunnable)('building blocks of views', () => {
  test.each(['light', 'dark'] as const)(
    'are accessible and used with the keyboard alone, %s',
    async (theme) => {
      const { overflowOf, ViewBrowser, violationsIn } = shownView!;
      const calls: unknown[] = [];
      await using browser = await ViewBrowser.start();
      const prices = [
        { name: 'Tea <img src=x onerror=hacked=1>', price: 4.5 },
        { name: 'Salt', price: 1 },
      ];
      const { frame, page, errors } = await browser.show({
        html: await bundledPage(),
        width: 320,
        theme,
        input: {},
        result: { content: [], structuredContent: { prices } },
        callTool: async (name, args) => {
          calls.push([name, args]);
          return { content: [] };
        },
      });
      const press = async (...keys: Parameters<typeof page.keyboard.press>[0][]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const text = (selector: string) =>
        frame.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);
      const check = async () => {
        expect(await violationsIn(frame)).toEqual([]);
        expect(await overflowOf(frame)).toBe(0);
      };
      await frame.waitForSelector('td.number');
      expect(await text('tbody')).toMatch(/^Tea <img src=x onerror=hacked=1>\s+4\.5\s+Salt\s+1$/);
      await check();
      await press('Tab', 'ArrowRight', 'Tab');
      await frame.waitForSelector('#chart .bar');
      await press('End');
      expect(await text('#chart output')).toBe('Name: Salt, Price: 1');
      await check();
      await frame.click('input[value=form]');
      await frame.focus('#form input');
      await press('Enter');
      expect(await text('#asked')).toBe('');
      await frame.select('#form select', 'Salt');
      await frame.focus('#form input');
      await press('2', 'Enter');
      expect(await text('#asked')).toContain('Change the price of Salt to 2?');
      await check();
      await frame.click('#asked .plain');
      expect(await text('#asked')).toBe('');
      await frame.focus('#form input');
      await press('Enter');
      await frame.click('#asked .strong');
      await expect.poll(() => calls).toEqual([['change_price', { name: 'Salt', price: 2 }]]);
      expect(await frame.evaluate('globalThis.hacked')).toBeUndefined();
      expect(errors).toEqual([]);
    },
  );
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: building blocks of views: there is no "${chromium}"\n`);
});
