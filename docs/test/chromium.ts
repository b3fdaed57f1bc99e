import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const hasChromium = existsSync(chromium);
if (!hasChromium) process.stdout.write(`Skipped: the site in a browser: there is no "${chromium}"\n`);

export const launch = (): Promise<Browser> =>
  puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });

/** What axe finds on a page, whose policy must allow its script. */
export async function axeFindings(page: Page): Promise<unknown> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`))',
  );
}

/** Whether a page is as wide as the window, so that it does not scroll sideways. */
export const fitsWidth = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth');
