import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type * as Official from './official/browser.ts';
import { bundleScript, chromium } from './views/bundle-script.ts';
import type { BridgePage } from './views/bridge-page.ts';
import type { ViewPage } from './views/view-page.ts';

// A view in Chromium, in the frame of the official host.

const isRunnable = inject('official') && existsSync(chromium);

const { puppeteer } = isRunnable ? await import('./official/browser.ts') : ({} as typeof Official);

/** The document of a view, with the policy that hosts give it: no network, no code from text. */
const documentOf = (script: string, style = '') => `<!doctype html>
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>body { margin: 0; height: 123px } ${style}</style>
<script type="module">${script}</script>`;

let browser: Official.Browser;
let script: string;
let origin: string;

describe.skipIf(!isRunnable)('in the official host', () => {
  beforeAll(async () => {
    script = await bundleScript('views/view-page.ts');
    const host = await bundleScript('official/view-host.ts');
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><body><script type="module">${host}</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
    return async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    };
  });

  /** A view that has connected, and its host. */
  async function shown(hostContext: object = {}, style = '') {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(origin);
    const inHost = <Value>(run: (host: BridgePage) => Value | Promise<Value>) =>
      page.evaluate(`(${String(run)})(globalThis)`) as Promise<Value>;
    const html = JSON.stringify(documentOf(script, style));
    const introduced = (await page.evaluate(`show(${html}, ${JSON.stringify(hostContext)})`)) as object;
    const [, frame] = page.frames();
    const inView = <Value>(run: (view: ViewPage) => Value | Promise<Value>) =>
      frame!.evaluate(`(${String(run)})(globalThis)`) as Promise<Value>;
    /** The events of the view, once there are so many. */
    const events = async (count: number) => {
      await frame!.waitForFunction(`events.length >= ${count}`);
      return inView((view) => view.events);
    };
    return { page, errors, inHost, inView, events, introduced };
  }

  test('the first input and result are not lost', async () => {
    const { events, introduced, errors } = await shown({ theme: 'dark', locale: 'de-AT' });
    expect(introduced).toEqual({
      app: { name: 'dial', version: '1.0.0' },
      capabilities: { availableDisplayModes: ['inline', 'fullscreen'], tools: {} },
    });
    expect(await events(4)).toEqual([
      ['context', { theme: 'dark', locale: 'de-AT' }],
      ['partial', { place: 'Vi' }],
      ['input', { place: 'Vienna' }],
      ['result', { content: [{ type: 'text', text: 'noon' }], structuredContent: { hour: 12 } }],
    ]);
    expect(errors).toEqual([]);
  });

  test('it calls tools, reads, sends, opens, and tells the model', async () => {
    const { inView, inHost } = await shown();
    const answers = await inView(async ({ host }) => [
      host.info,
      await host.callTool('wind', { turns: 2 }),
      await host.readResource('clock://a'),
      await host.sendMessage('Hello'),
      await host.updateModelContext({ content: 'noon', structuredContent: { hour: 12 } }),
      await host.openLink('https://a.example/'),
      await host.openLink('https://refuse.example/').catch((error: unknown) => String(error)),
      host.log('info', 'wound', 'dial'),
    ]);
    expect(answers).toEqual([
      { name: 'official', version: '2.0.4' },
      { content: [{ type: 'text', text: 'called wind' }], structuredContent: { turns: 2 } },
      { contents: [{ uri: 'clock://a', text: 'tick' }] },
      null,
      null,
      null,
      'HostError: The host refused "ui/open-link"',
      null,
    ]);
    const seen = await inHost((host) => host.seen.filter(([what]) => what !== 'size'));
    expect(seen).toEqual([
      ['tools/call', { name: 'wind', arguments: { turns: 2 } }],
      ['resources/read', { uri: 'clock://a' }],
      ['ui/message', { role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      [
        'ui/update-model-context',
        { content: [{ type: 'text', text: 'noon' }], structuredContent: { hour: 12 } },
      ],
      ['ui/open-link', { url: 'https://a.example/' }],
      ['ui/open-link', { url: 'https://refuse.example/' }],
      ['log', { level: 'info', data: 'wound', logger: 'dial' }],
    ]);
  });

  test('it looks as the host says, at first and later', async () => {
    const styles = { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } };
    const context = { theme: 'dark', styles };
    const { inHost, events, page } = await shown(context, 'body { color: var(--color-text-primary) }');
    const looks = `[document.documentElement.dataset.theme, getComputedStyle(document.body).color,
      getComputedStyle(document.documentElement).colorScheme]`;
    await events(4);
    expect(await page.frames()[1]!.evaluate(looks)).toEqual(['dark', 'rgb(1, 2, 3)', 'dark']);
    await inHost((host) => host.bridge.setHostContext({ theme: 'light' }));
    await events(5);
    expect(await page.frames()[1]!.evaluate(looks)).toMatchObject(['light', 'rgb(1, 2, 3)', 'light']);
  });

  test('it reports the size of its content, also when it shrinks', async () => {
    const { page, inHost } = await shown({}, 'html { height: 100% }');
    const view = page.frames()[1]!;
    const sizes = () =>
      inHost((host) => host.seen.filter(([what]) => what === 'size').map(([, size]) => size));
    await page.waitForFunction(`seen.some(([what]) => what === 'size')`);
    expect(await sizes()).toEqual([{ width: 300, height: 123 }]);
    for (const height of [400, 50]) {
      await view.evaluate(`document.body.style.height = '${height}px'`);
      await page.waitForFunction(`seen.some(([what, size]) => what === 'size' && size.height === ${height})`);
    }
    expect(await sizes()).toEqual([123, 400, 50].map((height) => ({ width: 300, height })));
  });

  test('it asks for a display mode, and is told of it', async () => {
    const { inView, events } = await shown({ displayMode: 'inline', availableDisplayModes: ['fullscreen'] });
    await events(4);
    expect(await inView(({ host }) => host.requestDisplayMode('pip'))).toBe('inline');
    expect(await inView(({ host }) => host.requestDisplayMode('fullscreen'))).toBe('fullscreen');
    expect((await events(5)).at(-1)).toEqual(['context', { displayMode: 'fullscreen' }]);
    expect(await inView(({ host }) => host.context.displayMode)).toBe('fullscreen');
  });

  test('the host uses its tools, cancels, and removes it', async () => {
    const { inHost, events } = await shown();
    expect(await inHost((host) => host.bridge.listTools({}))).toMatchObject({
      tools: [{ name: 'shown', inputSchema: { type: 'object' } }],
    });
    expect(
      await inHost((host) => host.bridge.callTool({ name: 'shown', arguments: { part: 'it' } })),
    ).toMatchObject({ content: [{ text: 'all of it' }] });
    await inHost((host) => host.bridge.sendToolCancelled({ reason: 'by the user' }));
    await inHost((host) => host.bridge.teardownResource({}));
    expect((await events(6)).slice(4)).toEqual([
      ['cancelled', 'by the user'],
      ['teardown', null],
    ]);
  });

  test('messages of other windows, and a flood of them, change nothing', async () => {
    const { page, events, inHost } = await shown();
    await events(4);
    const sent = await page.evaluate(`new Promise((resolve) => {
      const other = document.createElement('iframe');
      other.setAttribute('sandbox', 'allow-scripts');
      // A sibling of the view, which knows its place among the frames.
      other.srcdoc = \`<script>
        const view = parent.frames[0];
        const messages = [
          { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { evil: true } } },
          { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } },
          { jsonrpc: '2.0', id: 1, method: 'ui/resource-teardown', params: {} },
          { jsonrpc: '2.0', id: 2, result: {} }, 'text', null, [1],
        ];
        for (let count = 0; count < 3000; count++)
          for (const message of messages) view.postMessage(message, '*');
        parent.postMessage('flooded', '*');
      <\\/script>\`;
      addEventListener('message', ({ data }) => data === 'flooded' && resolve(data));
      document.body.append(other);
    })`);
    expect(sent).toBe('flooded');
    // From the host itself: nonsense, and then something that is seen.
    await inHost((host) => {
      for (const message of [
        null,
        7,
        'x',
        [],
        {},
        { jsonrpc: '2.0' },
        { jsonrpc: '2.0', id: 77, result: {} },
      ])
        host.frame.contentWindow.postMessage(message, '*');
    });
    await inHost((host) => host.bridge.sendToolCancelled({ reason: 'the end' }));
    expect((await events(5)).slice(4)).toEqual([['cancelled', 'the end']]);
  });

  test('outside of a frame it says so', async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.setContent(documentOf(script));
    await page.waitForFunction('globalThis.failed');
    expect(await page.evaluate('failed')).toBe('HostError: The view is not in the frame of a host');
  });
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: views in a browser: there is no "${chromium}"\n`);
});
