import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveSite } from '../serve-site.ts';
import { axeFindings, fitsWidth, hasChromium, launch } from './chromium.ts';
import { buildPages } from './site.ts';

// The tour of the first page in Chromium. A scene is ended by its animation, never by a wait.

const firstRow = '$ mcp';
const lastRow = '0 of 50 processes left';

describe.skipIf(!hasChromium)('the tour of the first page', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveSite>>;
  let page: Page;

  beforeAll(async () => {
    site = await serveSite(await buildPages('tour-test', ['index.md', 'zh-CN/index.md']), '/');
    browser = await launch();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 1200 });
  });

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  const reduced = { name: 'prefers-reduced-motion', value: 'reduce' };
  const open = (path = '') => page.goto(`${site.origin}/${path}`);
  const visibleText = () => page.evaluate(`document.querySelector('.tour').innerText`);
  const button = async (name: string) => (await page.waitForSelector(`.tour ::-p-aria([name="${name}"])`))!;
  const click = async (name: string) => (await button(name)).click();
  /** Opens the first page when its script has started: then the buttons work. */
  async function openPaused(path = '', pause = 'Pause'): Promise<void> {
    await open(path);
    await click(pause);
  }

  test('is there as text, whole, without scripts and buttons', async () => {
    await page.setJavaScriptEnabled(false);
    await open();
    const text = await visibleText();
    expect(text).toContain(firstRow);
    expect(text).toContain(lastRow);
    expect(text).not.toContain('Next');
  });

  test('plays scene after scene, and stops after the last, which it shows whole', async () => {
    await open();
    for (const number of [1, 2, 3, 4, 5]) {
      const progress = `.tour .playing > .current:nth-child(${number}) .progress`;
      await page.waitForSelector(progress);
      expect(await visibleText()).toContain(`${number}/5`);
      await page.$eval(progress, (each) => each.getAnimations()[0]!.finish());
    }
    await button('Play');
    expect(await visibleText()).toContain(lastRow);
    await click('Play');
    await page.waitForSelector('.tour .playing > .current:nth-child(1)');
    expect(await visibleText()).not.toContain(lastRow);
  });

  test('hides the rows of a scene until their time, and shows them when it is paused', async () => {
    await open();
    await page.waitForSelector('.tour .playing');
    await page.$$eval('.tour .current code', (rows) => {
      for (const each of rows.flatMap((row) => row.getAnimations())) {
        each.pause();
        each.currentTime = 0;
      }
    });
    expect(await visibleText()).toContain(firstRow);
    expect(await visibleText()).not.toContain('weather  user');
    await click('Pause');
    expect(await visibleText()).toContain('weather  user');
  });

  test('is stepped by keyboard, in both directions', async () => {
    await openPaused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await visibleText()).toContain('2/5');
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    await page.keyboard.press('Space');
    expect(await visibleText()).toContain('1/5');
    await page.keyboard.press('Space');
    expect(await visibleText()).toContain('5/5');
    expect(await page.$eval('.tour [aria-live]', (each) => each.ariaLive)).toBe('polite');
  });

  test('does not start by itself where a reader wants little motion', async () => {
    await page.emulateMediaFeatures([reduced]);
    await open();
    await page.waitForFunction(`'__vue_app__' in document.querySelector('#app')`);
    await click('Next');
    await page.waitForSelector('.tour .current:nth-child(2)');
    expect(await visibleText()).toContain('Play');
    expect(await page.$eval('.tour', (each) => each.getAnimations({ subtree: true }).length)).toBe(0);
  });

  test.each([
    ['', 'light', 'Pause', 'Next'],
    ['zh-CN/', 'dark', '暂停', '下一幕'],
  ])('is readable on a phone, and has no finding of axe: /%s, %s', async (path, scheme, pause, next) => {
    await page.setViewport({ width: 360, height: 1200 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await openPaused(path, pause);
    await click(next);
    expect(await axeFindings(page)).toEqual([]);
    expect(await fitsWidth(page)).toBe(true);
    const sizes = `[...document.querySelectorAll('.tour code')].map((each) => ({
      isWhole: each.scrollWidth <= each.clientWidth,
      isLarge: parseFloat(getComputedStyle(each).fontSize) >= 12,
    }))`;
    const wrong = await page.evaluate(`${sizes}.filter(({ isWhole, isLarge }) => !isWhole || !isLarge)`);
    expect(wrong).toEqual([]);
  });
});
