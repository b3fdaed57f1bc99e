import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as Official from './official/browser.ts';
import { chromium } from './views/bundle-script.ts';
import type * as Inspected from './views/inspected-view.ts';

// Views of tools on the page of `mcp inspect`, in Chromium.

const isRunnable = inject('official') && existsSync(chromium);
const { axe } = isRunnable ? await import('./official/browser.ts') : ({} as typeof Official);
const { InspectedView, inView } = isRunnable
  ? await import('./views/inspected-view.ts')
  : ({} as typeof Inspected);

describe.skipIf(!isRunnable)('a view on the page of the inspector', () => {
  let view: Inspected.InspectedView;
  let inspector: Inspected.InspectedView['inspector'];
  let page: Inspected.InspectedView['inspector']['page'];

  beforeAll(async () => {
    view = await InspectedView.open();
    ({ inspector } = view);
    ({ page } = inspector);
  });

  afterAll(() => view[Symbol.asyncDispose]());

  /** Waits until the page shows a text in its view. */
  const says = (selector: string, text: string) =>
    page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
    );

  test('gets its input, in parts at first, its result, and what surrounds it', async () => {
    const frame = await view.show('show', 'Vienna');
    await frame.waitForFunction('events.length >= 4');
    const [context, ...events] = await inView(frame, (own) => own.events);
    expect(events).toMatchObject([
      ['partial', { place: 'Vie' }],
      ['input', { place: 'Vienna' }],
      ['result', { content: [{ type: 'text', text: 'shown: Vienna' }] }],
    ]);
    expect(context).toEqual([
      'context',
      expect.objectContaining({
        theme: 'light',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen', 'pip'],
        toolInfo: { tool: expect.objectContaining({ name: 'show' }) },
        containerDimensions: { width: expect.any(Number), maxHeight: 720 },
        styles: { variables: expect.objectContaining({ '--color-text-primary': expect.any(String) }) },
      }),
    ]);
    expect(await inView(frame, ({ host }) => host.info)).toMatchObject({ name: 'mcp inspect' });
    expect(inspector.errors).toEqual([]);
  });

  test('calls the tools for views alone, and reads', async () => {
    const answers = await inView(view.frame(), async ({ host }) => [
      await host.callTool('refresh'),
      await host.callTool('show', { place: 'here' }),
      await host.readResource('lab://note'),
      ...(await Promise.all(
        ['decide', 'none'].map((name) => host.callTool(name).catch((error: unknown) => String(error))),
      )),
      await host.readResource('lab://none').catch((error: unknown) => String(error)),
    ]);
    expect(answers).toMatchObject([
      { content: [{ type: 'text', text: 'refreshed' }] },
      { content: [{ type: 'text', text: 'shown: here' }] },
      { contents: [{ uri: 'lab://note', text: 'A note' }] },
      `HostError: Error: Views may not call "decide": its "visibility" does not have "app"`,
      'HostError: Error: There is no tool "none"',
      expect.stringContaining('lab://none'),
    ]);
    // The answer to the call of the user is still the one that becomes a step.
    await page.click('.answers > details summary');
    await page.waitForSelector('.answers > details pre ::-p-text(shown: Vienna)');
  });

  test('speaks to the model, and to its author', async () => {
    await inView(view.frame(), async ({ host }) => {
      await host.sendMessage('Hello <b>model</b>');
      await host.updateModelContext({ content: 'noon', structuredContent: { hour: 12 } });
      await host.updateModelContext({ structuredContent: { hour: 13 } });
      host.log('info', 'wound', 'dial');
    });
    await says('.view li', 'Hello <b>model</b>');
    await says('.view li', '"data":"wound"');
    await says('.view details pre', '"hour": 13');
    expect(await page.$eval('.view details pre', (pre) => pre.textContent)).not.toContain('noon');
  });

  test('has the size, the theme and the mode that it or the user wants', async () => {
    const frame = view.frame();
    await page.waitForFunction(`document.querySelector('.view iframe').style.height === '123px'`);
    await inView(frame, ({ host }) => host.reportSize({ height: 1e9 }));
    await page.waitForFunction(`document.querySelector('.view iframe').style.height === '720px'`);
    expect(await inView(frame, ({ host }) => host.requestDisplayMode('pip'))).toBe('inline');
    expect(await inView(frame, ({ host }) => host.requestDisplayMode('fullscreen'))).toBe('fullscreen');
    const size = `(({ width, height }) => [width === innerWidth, height === innerHeight])(document.querySelector('.view').getBoundingClientRect())`;
    expect(await page.evaluate(size)).toEqual([true, true]);
    await page.select('.view select[aria-label="Display mode"]', 'inline');
    await page.select('.view select[aria-label="Theme of the view"]', 'dark');
    await frame.waitForFunction(`document.documentElement.dataset.theme === 'dark'`);
    expect((await inView(frame, ({ events }) => events)).slice(-3)).toEqual([
      ['context', { displayMode: 'fullscreen' }],
      ['context', { displayMode: 'inline' }],
      ['context', { theme: 'dark' }],
    ]);
  });

  test('opens a page when the user agrees, and only on the web', async () => {
    const opened = (url: string) =>
      view.frame().evaluate(`host.openLink(${JSON.stringify(url)}).then(() => 'opened', String)`);
    const refused = 'HostError: The host refused "ui/open-link"';
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'no address'])
      expect(await opened(url)).toBe(refused);
    const first = opened('https://refused.invalid/');
    await says('.view code', 'https://refused.invalid/');
    expect(await opened('https://second.invalid/')).toBe(refused);
    await page.click('.view ::-p-text(Refuse)');
    expect(await first).toBe(refused);
    const second = opened('http://opened.invalid/a');
    await page.locator('.view ::-p-text(Open)').click();
    expect(await second).toBe('opened');
    const target = await page.browser().waitForTarget((each) => each.url().includes('opened.invalid'));
    await (await target.page())?.close();
  });

  test('is told of a call that was cancelled', async () => {
    const frame = await view.show('wait');
    await page.click('form .actions ::-p-text(Cancel)');
    await frame.waitForFunction(`events.at(-1)?.[0] === 'cancelled'`);
    expect((await inView(frame, ({ events }) => events)).at(-1)).toEqual([
      'cancelled',
      'The call was cancelled',
    ]);
  });

  test('ends its work before it is removed', async () => {
    const frame = await view.show('show', 'a');
    await frame.evaluate(`events.push = ([what]) => what === 'teardown' && host.callTool('refresh')`);
    await inspector.choose('decide');
    await page.waitForSelector('main h2 ::-p-text(decide)');
    await says('#rows .method', 'tools/call refresh');
    expect(await page.$('iframe')).toBeNull();
  });

  test.each([375, 1280])('is accessible and fits at %i pixels', async (width) => {
    await page.setViewport({ width, height: 860 });
    const frame = await view.show('show', 'a');
    await inView(frame, ({ host }) => host.sendMessage('Hello'));
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as {
      violations: object[];
    };
    expect(violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  describe('that is hostile', () => {
    let hits: string[];
    let site: string;
    const server = createServer(({ url = '' }, response) => {
      hits.push(url);
      response.setHeader('access-control-allow-origin', '*').end();
    });

    beforeAll(async () => {
      hits = [];
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return () => server.close();
    });

    /** The page works as before. */
    const isWell = async () => {
      await inspector.choose('decide');
      await page.waitForSelector('main h2 ::-p-text(decide)');
      expect(await inspector.call()).toContain('decided');
      expect(hits).toEqual([]);
    };

    test('reaches no network, no page, no window, and nothing of the inspector', async () => {
      const frame = await view.show('show', 'a');
      const address = page.url();
      const attempts = (await frame.evaluate(`(async () => {
        const tried = async (attempt) => { try { return String(await attempt()); } catch (error) { return error.name; } };
        const loaded = (tag, url) => new Promise((resolve) => {
          const made = document.createElement(tag);
          made.onload = () => resolve('loaded');
          made.onerror = () => resolve('refused');
          if (tag === 'link') made.rel = 'stylesheet';
          made[tag === 'link' ? 'href' : 'src'] = url;
          document.body.append(made);
        });
        return Promise.all([
          tried(() => fetch('${site}/fetch')),
          tried(() => fetch('${address}do', { method: 'POST', body: '{}', credentials: 'include', mode: 'no-cors' })),
          tried(() => loaded('img', '${site}/img')),
          tried(() => loaded('script', '${site}/script')),
          tried(() => loaded('link', '${site}/link')),
          tried(() => open('${site}/open')),
          tried(() => { top.location = '${site}/top'; }),
          tried(() => { parent.location = '${site}/parent'; }),
          tried(() => parent.document.body),
          tried(() => top.document.body),
          tried(() => localStorage.length),
          tried(() => document.cookie),
        ]);
      })()`)) as string[];
      expect(attempts).toEqual([
        'TypeError',
        'TypeError',
        'refused',
        'refused',
        'refused',
        'null',
        'SecurityError',
        'SecurityError',
        'SecurityError',
        'SecurityError',
        'SecurityError',
        'SecurityError',
      ]);
      expect(page.url()).toBe(address);
      await isWell();
    });

    test.each(['location', 'form'])('does not get away by %s', async (way) => {
      const frame = await view.show('show', 'a');
      await frame.evaluate(`{
        const go = {
          location: () => { location.href = '${site}/location'; },
          form: () => { const form = document.createElement('form'); form.action = '${site}/form'; document.body.append(form); form.submit(); },
        };
        setTimeout(go['${way}']);
      }`);
      await isWell();
    });

    test.each(['parent', 'top'])('is ended when it floods its %s', async (window) => {
      const frame = await view.show('show', 'a');
      await frame.evaluate(`setTimeout(() => {
        for (let count = 0; count < 3_000; count++)
          ${window}.postMessage({ jsonrpc: '2.0', id: count, method: 'tools/call', params: { name: 'refresh' } }, '*');
      })`);
      await says('.view [role=status]', 'The view sent too many messages, and was ended');
      expect(await page.$('iframe')).toBeNull();
      await isWell();
    });

    test('does not stop the page by a loop', async () => {
      const frame = await view.show('show', 'a');
      await frame.evaluate('setTimeout(() => { for (;;); })');
      await isWell();
    });
  });
});
