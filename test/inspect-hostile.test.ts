import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Inspector from './views/inspector-page.ts';

// The page of `mcp inspect` in Chromium, with a server that attacks it.

const server = String.raw`
const evil = '<img src=x onerror=alert(1)>\u202e';
const long = (text) => text.repeat(1_500_000 / text.length);
const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const many = (count, make) => Object.fromEntries(Array.from({ length: count }, (_, index) => ['p' + index, make(index)]));
const again = { $ref: '#/$defs/again' };
const schemas = {
  recursive: { properties: { a: again }, $defs: { again: { anyOf: Array.from({ length: 30 }, () => ({ type: 'object', properties: many(30, () => again) })) } } },
  merged: { properties: { a: again }, $defs: { again: { allOf: Array(10).fill(again) } } },
  choices: { properties: { a: { enum: Array.from({ length: 100_000 }, (_, index) => 'v' + index) } } },
  wide: { properties: many(50_000, () => ({ type: 'string', description: evil })) },
  integer: { properties: { a: { type: 'integer' } } },
  asks: {}, floods: {}, answers: {},
};
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
const methods = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: long(evil), version: long('1') }, instructions: long('i ') }),
  'tools/list': () => ({ tools: [
    ...Object.entries(schemas).map(([name, schema]) => ({ name, inputSchema: { type: 'object', ...schema } })),
    { name: long('n'), title: long('t'), description: long('d '), inputSchema: { type: 'object' } },
  ] }),
};
const calls = {
  answers: () => ({ content: [
    { type: 'text', text: long(evil) },
    { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') },
    { type: 'resource_link', uri: 'javascript:alert(1)', name: evil },
  ], structuredContent: { a: long('y') } }),
  floods: () => {
    for (let index = 0; index < 20_000; index++) out({ method: 'notifications/message', params: { level: 'info', data: evil } });
    return { content: [] };
  },
  asks: () => {
    for (let index = 0; index < 1_000; index++) out({ id: 'q' + index, method: 'elicitation/create', params: { message: evil, requestedSchema: { type: 'object', properties: {} } } });
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = method === 'tools/call' ? calls[params.name]() : methods[method]?.(params);
  if (result) out({ id, result });
  else if (method !== 'tools/call') out({ id, error: { code: -32601, message: 'Unknown method' } });
});
`;

const isRunnable = inject('official') && existsSync(chromium);
const { InspectorPage } = isRunnable ? await import('./views/inspector-page.ts') : ({} as typeof Inspector);

describe.skipIf(!isRunnable)('a hostile server', () => {
  let inspector: Inspector.InspectorPage;
  let page: Inspector.InspectorPage['page'];

  beforeAll(async () => {
    inspector = await InspectorPage.open(
      { width: 1280 },
      { server: { command: process.execPath, args: ['-e', server] } },
    );
    ({ page } = inspector);
  });

  afterAll(async () => {
    // Nothing has run that the page does not have, and its policy had nothing to refuse.
    expect(inspector.errors).toEqual([]);
    await inspector[Symbol.asyncDispose]();
  });

  /** The page answers, fits, and has no link; returns how many elements it has. */
  async function elements(): Promise<number> {
    const [count, links, overflow] = (await page.evaluate(
      `[document.querySelectorAll('*').length, document.links.length, document.documentElement.scrollWidth - innerWidth]`,
    )) as [number, number, number];
    expect([links, overflow]).toEqual([0, 0]);
    return count;
  }

  const choose = async (name: string) => {
    await inspector.choose(name);
    await page.waitForSelector(`main h2 ::-p-text(${name})`);
  };

  test('with long texts does not stop the page', async () => {
    expect(await elements()).toBeLessThan(500);
    await inspector.choose('nnnnnnnn');
    await page.waitForSelector('main h2 ::-p-text(tttttttt)');
    expect(await inspector.textOf('main .description')).toMatch(/… \d+ more characters$/);
  });

  test.each(['recursive', 'merged', 'choices', 'wide'])(
    'with the schema "%s" gets a form that ends',
    async (name) => {
      await choose(name);
      expect(await elements()).toBeLessThan(10_000);
    },
  );

  test('gets no number that is not the one typed', async () => {
    await choose('integer');
    await page.type('main .field input', '12345678901234567890');
    expect(await inspector.call()).toBe('a: "12345678901234567890" has more digits than the page keeps');
  });

  test('is shown as text', async () => {
    await choose('answers');
    expect(await inspector.call()).toContain('<img src=x onerror=alert(1)>');
    expect(await elements()).toBeLessThan(500);
  });

  test('that floods or asks thousands of questions does not stop the page', async () => {
    await choose('floods');
    expect(await inspector.call()).toMatch(/^ok/);
    await page.waitForFunction(`/^20,\\d+$/.test(document.querySelector('#count').textContent)`);
    await choose('asks');
    await page.click('form .primary');
    await page.waitForFunction(`document.querySelectorAll('.question').length === 20`);
    await page.click('.question ::-p-text(Decline)');
    await page.waitForSelector('.question[aria-labelledby=question-21]');
    expect(await page.$$('.question')).toHaveLength(20);
  });
});
