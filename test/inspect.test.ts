import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as Official from './official/browser.ts';
import { chromium } from './views/bundle-script.ts';
import type * as Inspector from './views/inspector-page.ts';

// The page of `mcp inspect` in Chromium, with real servers.

const isRunnable = inject('official') && existsSync(chromium);

const { axe } = isRunnable ? await import('./official/browser.ts') : ({} as typeof Official);
const { InspectorPage } = isRunnable ? await import('./views/inspector-page.ts') : ({} as typeof Inspector);

describe.skipIf(!isRunnable)('the page of the inspector', () => {
  let inspector: Inspector.InspectorPage;
  let page: Inspector.InspectorPage['page'];

  beforeAll(async () => {
    inspector = await InspectorPage.open({ width: 1280 });
    ({ page } = inspector);
  });

  afterAll(async () => {
    expect(inspector.errors).toEqual([]);
    await inspector[Symbol.asyncDispose]();
  });

  const rows = (text: string) =>
    page.waitForFunction(
      `[...document.querySelectorAll('#rows > div')].some((row) => row.innerText.replaceAll(/\\s+/g, ' ').includes(${JSON.stringify(text)}))`,
    );

  test('calls a tool with the values of its form, and shows what went over the wire', async () => {
    await inspector.choose('echo');
    await page.type('main .field textarea', '<b>Hello</b>');
    await page.select('main .field select', '0');
    expect(await inspector.call()).toMatch(/^ok\s+[\d.]+ ms\s+\d+ B\s+<b>Hello<\/b>!/);
    await rows('tools/call echo');
    await page.click('#rows > div:last-child');
    await page.waitForFunction(`document.querySelector('#message').textContent.includes('<b>Hello</b>!')`);
  });

  test('has the call as a step for mcp test', async () => {
    await page.click('.answers > details summary');
    await page.waitForFunction(
      `document.querySelector('.answers > details pre').textContent === ${JSON.stringify(`- tool: echo
  arguments:
    text: <b>Hello</b>
    suffix: '!'
  expect:
    text:
      equals: <b>Hello</b>!
`)}`,
    );
  });

  test('shows the failure of a tool', async () => {
    await inspector.choose('fail');
    expect(await inspector.call()).toMatch(/^the tool failed\s+[^]*It failed/);
  });

  test('shows an image and a sound', async () => {
    await inspector.choose('picture');
    await inspector.call();
    await page.waitForFunction(`document.querySelector('.answer img')?.naturalWidth === 2`);
    expect(await page.$('.answer audio')).not.toBeNull();
  });

  test('shows progress, and cancels', async () => {
    await inspector.choose('wait');
    await page.click('form .primary');
    await page.waitForSelector('form .actions ::-p-text(1 of 2: waiting)');
    await page.click('form .actions ::-p-text(Cancel)');
    expect(await inspector.textOf('.answers .trouble')).toContain('The call was cancelled');
  });

  test('answers the questions of a server by hand', async () => {
    await inspector.choose('form');
    await page.click('form .primary');
    expect(await inspector.textOf('.question')).toMatch(/^lab asks\s+Which/);
    await page.select('.question select', '1');
    await page.click('.question .primary');
    expect(await inspector.textOf('.answer')).toContain('"colour":"blue"');
    expect(await page.$('.question')).toBeNull();
    await inspector.choose('ask');
    await page.click('form .primary');
    await page.waitForSelector('.question textarea');
    await page.type('.question textarea', 'green');
    await page.click('.question .primary');
    expect(await inspector.textOf('.answer')).toContain('green');
  });

  test('reads a resource again when it changes', async () => {
    await inspector.choose('first');
    expect(await inspector.call()).toContain('Note first');
    await page.click('form .check input');
    await rows('subscriptions/listen');
    await page.$eval('.answers', (answers) => answers.replaceChildren());
    inspector.directory.put('watched.txt', 'changed\n');
    expect(await inspector.textOf('.answer')).toContain('Note first');
  });

  test('fills in a prompt and a template with what the server suggests', async () => {
    await inspector.choose('greet');
    await page.type('main .field input', 'est');
    await page.waitForSelector('datalist option[value=estonian]');
    await page.type('main .field input', 'onian');
    expect(await inspector.call()).toContain('Greet me in estonian.');
    await page.click('#items ::-p-text(note)');
    await page.type('main .field input', 'a b');
    expect(await inspector.call()).toContain('Note a b');
  });

  test('speaks the revision that is chosen', async () => {
    await page.select('nav select', '2024-11-05');
    await page.waitForFunction(`document.querySelector('nav select')?.value === '2024-11-05'`);
    await rows('initialize #1');
    await page.select('nav select', '2026-07-28');
    await page.waitForFunction(`document.querySelector('nav select')?.value === '2026-07-28'`);
    await page.waitForSelector('#items li');
  });

  test('filters the messages by text and kind, with the keyboard', async () => {
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.keyboard.type('greet me');
    const shown = `[...document.querySelectorAll('#rows > div')].map((row) => row.innerText).join('|')`;
    await page.waitForFunction(`/^1 of /.test(document.querySelector('#count').textContent)`);
    expect(await page.evaluate(shown)).toContain('prompts/get');
    for (const kind of ['requests', 'notifications', 'results'])
      await page.click(`#kinds ::-p-text(${kind})`);
    await page.$eval('#filter', (filter) => {
      (filter as unknown as { value: string }).value = '';
      filter.dispatchEvent(new Event('input'));
    });
    await page.waitForFunction(`!document.querySelector('#rows > div:not(.error)')`);
    for (const kind of ['requests', 'notifications', 'results'])
      await page.click(`#kinds ::-p-text(${kind})`);
    await page.focus('#list');
    await page.keyboard.press('Home');
    await page.waitForSelector('#rows > [aria-selected=true][aria-posinset="1"]');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#rows > [aria-selected=true][aria-posinset="2"]');
  });

  test('takes each type of JSON Schema, and JSON itself', async () => {
    await inspector.server('weather');
    await inspector.choose('forecast');
    await page.select('main .alternatives select', '1');
    await page.type('main .alternatives .row input', 'Berlin');
    await page.click('main .alternatives ::-p-text(Add an item)');
    await page.type('main .alternatives .row:last-child input', 'Paris');
    expect(await inspector.call()).toMatch(/Berlin[^]*Paris/);
    await page.click('main ::-p-text(As JSON)');
    const value = await page.$eval(
      'main .json textarea',
      (area) => (area as unknown as { value: string }).value,
    );
    expect(JSON.parse(value)).toEqual({ place: ['Berlin', 'Paris'] });
    await page.$eval(
      'main .json textarea',
      (area) => ((area as unknown as { value: string }).value = '{"place": '),
    );
    expect(await inspector.call()).toMatch(/^JSON: /);
  });

  test('examines a server, and compares it with another and with another revision', async () => {
    await page.setViewport({ width: 1280, height: 860 });
    const report = (text: string) =>
      page.waitForFunction(
        `document.querySelector('.report')?.innerText.replaceAll(/\\s+/g, ' ').includes(${JSON.stringify(text)})`,
      );
    await inspector.server('weather');
    await page.click('main .actions ::-p-text(Check)');
    await report('start ok');
    await report('stdout ok');
    await page.select('main .actions select', '@2025-06-18');
    await report('No differences');
    await page.select('main .actions select', 'files');
    await report('tools removed, breaking forecast');
  });

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)('is accessible and fits at %i pixels, %s', async (width, theme) => {
    await page.setViewport({ width, height: 860 });
    await inspector.theme(theme);
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: object[] }[];
    };
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map((node) => JSON.stringify(node).slice(0, 300))]),
    ).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
