import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveSite } from '../serve-site.ts';
import { axeFindings, fitsWidth, hasChromium, launch } from './chromium.ts';
import { buildPages } from './site.ts';

// Builds the site twice.
vi.setConfig({ hookTimeout: 120_000 });

// The first page in Chromium, below the path that GitHub gives it, in two versions.

const versions = [
  { version: '2.0.0', folder: '' },
  { version: '1.4.2', folder: 'v1/' },
];
const firstRow = '$ mcp';
const lastRow = '0 of 50 processes left';

describe.skipIf(!hasChromium)('the site', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveSite>>;
  let page: Page;

  beforeAll(async () => {
    const pages = ['index.md', 'quality.md', 'zh-CN/index.md'];
    const [newest, earlier] = await Promise.all([
      buildPages('site-test', {
        versions,
        base: '/servers/',
        pages: [...pages, 'revisions.md', 'zh-CN/tutorial.md'],
      }),
      buildPages('site-test-v1', { versions, base: '/servers/v1/', pages }),
    ]);
    cpSync(earlier, join(newest, 'v1'), { recursive: true });
    site = await serveSite(newest, '/servers/');
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

  const openWithoutScripts = async (path = '') => {
    await page.setJavaScriptEnabled(false);
    await page.goto(`${site.origin}/servers/${path}`);
  };
  /** Opens a page, and waits until its script has taken over what the server has sent. */
  const open = async (path = '') => {
    await page.goto(`${site.origin}/servers/${path}`);
    await page.waitForFunction(`'__vue_app__' in document.querySelector('#app')`);
  };

  describe('its tour', () => {
    const reduced = { name: 'prefers-reduced-motion', value: 'reduce' };
    const visibleText = () => page.evaluate(`document.querySelector('.tour').innerText`);
    const button = async (name: string) => (await page.waitForSelector(`.tour ::-p-aria([name="${name}"])`))!;
    const click = async (name: string) => (await button(name)).click();
    async function openPaused(path = '', pause = 'Pause'): Promise<void> {
      await open(path);
      await click(pause);
    }

    test('is there as text, whole, without scripts and buttons', async () => {
      await openWithoutScripts();
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

  test('a page opens its program in the playground, the translation of a page, too', async () => {
    await openWithoutScripts('zh-CN/tutorial.html');
    const links = await page.$$eval('.playground-link', (all) =>
      all.map((each) => each.getAttribute('href')),
    );
    expect(links).toEqual(['/servers/playground/?example=tutorial']);
    await page.setJavaScriptEnabled(true);
    await open('zh-CN/tutorial.html');
    expect(await axeFindings(page)).toEqual([]);
  });

  describe('its versions', () => {
    const opened = async (version: string): Promise<string> => {
      await page.click('.versions summary');
      const link = (await page.waitForSelector(`.versions ::-p-aria([name="${version}"])`))!;
      const [answer] = await Promise.all([page.waitForNavigation(), link.click()]);
      expect(answer!.status()).toBe(200);
      expect(await page.$eval('.versions summary', (each) => each.textContent)).toBe(version);
      return new URL(page.url()).pathname;
    };

    test('are offered: the same page of each', async () => {
      await open('quality.html');
      expect(await opened('v1.4.2')).toBe('/servers/v1/quality.html');
      expect(await opened('v2.0.0')).toBe('/servers/quality.html');
      await open('zh-CN/');
      expect(await opened('v1.4.2')).toBe('/servers/v1/zh-CN/');
    });

    test('the first page is opened where a version does not have the same page', async () => {
      await open('revisions.html');
      expect(await opened('v1.4.2')).toBe('/servers/v1/');
    });

    test('the links lead to the same page without scripts, too', async () => {
      await openWithoutScripts('quality.html');
      expect(await opened('v1.4.2')).toBe('/servers/v1/quality.html');
    });

    test('have no finding of axe on a phone, with the list open', async () => {
      await page.setViewport({ width: 360, height: 900 });
      await open('quality.html');
      await page.click('.versions summary');
      expect(await axeFindings(page)).toEqual([]);
    });

    test('have room in the bar at every width', async () => {
      await open('quality.html');
      for (const width of [320, 360, 768, 800, 880, 960]) {
        await page.setViewport({ width, height: 900 });
        expect(await fitsWidth(page), `${width} pixels`).toBe(true);
      }
    });
  });
});
