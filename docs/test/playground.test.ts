import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPlayground } from '../build-playground.ts';
import { nameOf, programs } from '../playground/programs.ts';
import { serveSite } from '../serve-site.ts';
import { axeFindings, fitsWidth, hasChromium, launch } from './chromium.ts';
import { docs } from './pages.ts';

// The playground in Chromium: the programs of the pages run in the page, and nothing leaves it.

describe.skipIf(!hasChromium)('the playground', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveSite>>;
  let page: Page;

  beforeAll(async () => {
    const target = join(docs, '.generated/playground-test/playground');
    await buildPlayground(target);
    site = await serveSite(join(target, '..'), '/');
    browser = await launch();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
  });

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  const open = (example: string) => page.goto(`${site.origin}/playground/?example=${example}`);

  /** Waits until the page has a text at a place. */
  const shows = (place: string, text: string) =>
    page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(place)})].some((each) => each.innerText.includes(${JSON.stringify(text)}))`,
    );

  const click = (place: string, text: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(place)})].find((each) => each.innerText === ${JSON.stringify(text)}).click()`,
    );

  async function choose(item: string): Promise<void> {
    await shows('#items button', item);
    await click('#items button', item);
  }

  async function selectAll(place: string): Promise<void> {
    await page.click(place);
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
  }

  async function replace(program: string): Promise<void> {
    await selectAll('.cm-content');
    const paste = `(text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('.cm-content').dispatchEvent(event);
    }`;
    await page.evaluate(`(${paste})(${JSON.stringify(program)})`);
    await page.click('#run');
  }

  test('runs the server of the tutorial: its tool changes a file, and the resource follows', async () => {
    await open('tutorial');
    await choose('list');
    await click('main button', 'Read');
    await page.click('main .actions input[type=checkbox]');
    await shows('#timeline', 'subscriptions/acknowledged');
    await choose('add_item');
    await page.type('main .field :is(input, textarea)', 'Milk');
    await click('main button', 'Call');
    await shows('.answers', 'Added Milk');
    await shows('#timeline', 'notifications/resources/updated');
    await choose('list');
    await click('main button', 'Read');
    await shows('.answers', 'Milk');
  });

  test('asks a question, and goes on with the answer', async () => {
    await open('ask-the-user');
    await choose('order_tea');
    await click('main button', 'Call');
    await shows('#questions', 'Which size?');
    await click('#questions button', 'Decline');
    await shows('.answers', 'The user declined');
  });

  test('runs the weather server with its sample, without a network', async () => {
    await open('weather');
    await choose('save_place');
    await page.type('main .field :is(input, textarea)', 'Home');
    await page.evaluate(`document.querySelectorAll('main .field :is(input, textarea)')[1].focus()`);
    await page.keyboard.type('Berlin');
    await click('main button', 'Call');
    await shows('.answers', 'Home');
    await choose('forecast');
    await page.type('main .field :is(input, textarea)', 'Home');
    await click('main button', 'Call');
    await shows('.answers', 'SAMPLE');
  });

  test('queries the sample database, with its full-text index', async () => {
    await open('sqlite');
    await choose('query');
    await click('main button', 'Call');
    await shows('.answers', '"revenue":');
    await selectAll('main .field textarea');
    await page.keyboard.type("SELECT count(*) AS found FROM reviews WHERE reviews MATCH 'the'");
    await click('main button', 'Call');
    await shows('.answers', '"found":');
    await selectAll('main .field textarea');
    await page.keyboard.type('SELECT titel FROM books');
    await click('main button', 'Call');
    await shows('.answers', 'no such column: titel');
    await replace(`import { DatabaseSync } from 'node:sqlite';
import { defineServer } from '@mcp/protocol';
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE numbers(value); INSERT INTO numbers VALUES (41)');
const [row] = database.prepare('SELECT value + ? AS sum FROM numbers').all(1);
export const server = defineServer({ name: 'sums', version: String(row.sum) + '.0.0' });`);
    await shows('main', '42.0.0');
  });

  const tried = ['tutorial', 'ask-the-user', 'weather', 'sqlite'];
  const others = programs.map(({ page: path }) => nameOf(path)).filter((name) => !tried.includes(name));
  test.each(others)('runs the program of the page %s', async (example) => {
    await open(example);
    await shows('main', '1.0.0');
    expect(await page.evaluate(`document.querySelector('main .trouble')`)).toBeNull();
  });

  test('runs what one writes, and says what is wrong with it', async () => {
    await open('tutorial');
    await shows('main', 'shopping');
    await replace(`import { spawn } from 'node:child_process';\nspawn('ls');`);
    await shows('main .trouble', 'The playground has no module "node:child_process"; it has @mcp/protocol');
    await replace('export const server = {');
    await shows('main .trouble', 'Unexpected token');
    await replace('throw new Error("It is broken");');
    await shows('main .trouble', 'It is broken');
    await replace(`import { defineServer } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
await serveStdio(defineServer({ name: 'mine', version: '7.0.0' }));`);
    await shows('main', '7.0.0');
  });

  test('a program cannot send anything', async () => {
    const arrived: string[] = [];
    const outside = createServer((request, response) => {
      arrived.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' });
      response.end();
    });
    outside.on('upgrade', (_, socket) => socket.destroy(void arrived.push('upgrade')));
    await once(outside.listen(0, '127.0.0.1'), 'listening');
    const address = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
    await open('tutorial');
    await shows('main', 'shopping');
    await replace(`import { defineServer, defineTool } from '@mcp/protocol';
const opened = (socket) => new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = reject;
});
const run = () =>
  Promise.any([
    fetch('http://${address}/fetch'),
    fetch('../stolen'),
    import('http://${address}/import'),
    opened(new WebSocket('ws://${address}/socket')),
    opened(new EventSource('http://${address}/events')),
  ]).then(() => 'something was sent', () => 'nothing was sent');
const tool = defineTool({ name: 'send', description: 'Sends.', run });
export const server = defineServer({ name: 'thief', version: '1.0.0', tools: [tool] });`);
    await choose('send');
    await click('main button', 'Call');
    await shows('.answers', 'nothing was sent');
    expect(arrived).toEqual([]);
    outside.close();
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ])('has no finding of axe at %d pixels, %s', async (width, scheme) => {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setBypassCSP(true);
    await open('tutorial');
    await choose('add_item');
    expect(await axeFindings(page)).toEqual([]);
    expect(await fitsWidth(page)).toBe(true);
  });
});
