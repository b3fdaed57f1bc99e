import { describe, expect, test } from 'vitest';
import {
  connectView,
  type Host,
  HostError,
  type HostContext,
  viewTools,
  type ViewOptions,
} from '../src/browser.ts';
import { TestWindow } from './test-window.ts';

// What a page in Chromium does with the official host is in test/views.test.ts of the repository.

const answerOf = (hostContext: object = {}) => ({
  protocolVersion: '2026-01-26',
  hostInfo: { name: 'test', version: '1' },
  hostCapabilities: { serverTools: {} },
  hostContext,
});

type Connected = { readonly host: Host; readonly window: TestWindow };

async function connected(options: Partial<ViewOptions> = {}, context: object = {}): Promise<Connected> {
  const window = new TestWindow();
  const connecting = connectView({ name: 'view', version: '1', window, ...options });
  await window.next();
  await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf(context) });
  const host = await connecting;
  expect(await window.next()).toEqual({
    jsonrpc: '2.0',
    method: 'ui/notifications/initialized',
    params: {},
  });
  if (options.reportsSize !== false) await window.next();
  return { host, window };
}

const note = (method: string, params?: object) => ({ jsonrpc: '2.0', method, ...(params && { params }) });

test('it introduces itself, and gets the context of its host', async () => {
  const window = new TestWindow();
  const contexts: unknown[] = [];
  const connecting = connectView({
    name: 'dial',
    version: '2.0.0',
    displayModes: ['inline', 'fullscreen'],
    onContext: (context, changed) => contexts.push([context, changed]),
    window,
  });
  expect(await window.next()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'ui/initialize',
    params: {
      appInfo: { name: 'dial', version: '2.0.0' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: '2026-01-26',
    },
  });
  const hostContext = { theme: 'dark', locale: 'de-AT' };
  await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf(hostContext) });
  const host = await connecting;
  expect(host).toMatchObject({ info: { name: 'test' }, capabilities: { serverTools: {} } });
  expect(contexts).toEqual([[hostContext, hostContext]]);
  await window.receive(note('ui/notifications/host-context-changed', { theme: 'light' }));
  expect(contexts[1]).toEqual([{ theme: 'light', locale: 'de-AT' }, { theme: 'light' }]);
  expect(host.context).toEqual({ theme: 'light', locale: 'de-AT' });
});

test('the messages that follow the handshake at once reach its functions in order', async () => {
  const seen: unknown[] = [];
  const { window } = await connected({
    onPartialInput: (args) => seen.push(['partial', args]),
    onInput: (args) => seen.push(['input', args]),
    onResult: (result) => seen.push(['result', result]),
    onCancelled: (reason) => seen.push(['cancelled', reason]),
    onNotification: (method) => seen.push(method),
  });
  const result = { content: [{ type: 'text', text: 'noon' }], structuredContent: { hour: 12 } };
  await window.receive(note('ui/notifications/tool-input-partial', { arguments: { place: 'Vi' } }));
  await window.receive(note('ui/notifications/tool-input', { arguments: { place: 'Vienna' } }));
  await window.receive(note('ui/notifications/tool-result', result));
  await window.receive(note('ui/notifications/tool-input'));
  await window.receive(note('ui/notifications/tool-cancelled', { reason: 'by the user' }));
  await window.receive(note('ui/notifications/tool-cancelled'));
  await window.receive(note('notifications/tools/list_changed'));
  expect(seen).toEqual([
    ['partial', { place: 'Vi' }],
    ['input', { place: 'Vienna' }],
    ['result', result],
    ['input', {}],
    ['cancelled', 'by the user'],
    ['cancelled', undefined],
    'notifications/tools/list_changed',
  ]);
});

describe('requests', () => {
  const content = [{ type: 'text', text: 'Hello' }] as const;
  test.each<[string, (host: Host) => Promise<unknown>, string, object, object, unknown]>([
    [
      'callTool',
      (host) => host.callTool('wind', { turns: 2 }),
      'tools/call',
      { name: 'wind', arguments: { turns: 2 } },
      { content, isError: true },
      { content, isError: true },
    ],
    [
      'readResource',
      (host) => host.readResource('clock://a'),
      'resources/read',
      { uri: 'clock://a' },
      { contents: [] },
      { contents: [] },
    ],
    [
      'sendMessage',
      (host) => host.sendMessage('Hello'),
      'ui/message',
      { role: 'user', content },
      {},
      undefined,
    ],
    [
      'updateModelContext',
      (host) => host.updateModelContext({ content: 'Hello', structuredContent: { a: 1 } }),
      'ui/update-model-context',
      { content, structuredContent: { a: 1 } },
      {},
      undefined,
    ],
    ['openLink', (host) => host.openLink('https://a/'), 'ui/open-link', { url: 'https://a/' }, {}, undefined],
    [
      'downloadFile',
      (host) => host.downloadFile(content),
      'ui/download-file',
      { contents: content },
      {},
      undefined,
    ],
    [
      'requestDisplayMode',
      (host) => host.requestDisplayMode('fullscreen'),
      'ui/request-display-mode',
      { mode: 'fullscreen' },
      { mode: 'pip' },
      'pip',
    ],
  ])('%s', async (_, send, method, params, result, value) => {
    const { host, window } = await connected({}, { availableDisplayModes: ['inline', 'fullscreen'] });
    const sent = send(host);
    expect(await window.next()).toEqual({ jsonrpc: '2.0', id: 2, method, params });
    await window.receive({ jsonrpc: '2.0', id: 2, result });
    expect(await sent).toEqual(value);
  });

  test('the refusals of a host are errors', async () => {
    const { host, window } = await connected();
    const opened = host.openLink('https://a/').catch((error: unknown) => error);
    await window.receive({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'Denied', data: 1 } });
    expect(await opened).toEqual(new HostError('Denied', -32000, 1));
    const failed = host.openLink('https://a/').catch((error: unknown) => error);
    await window.receive({ jsonrpc: '2.0', id: 3, result: { isError: true } });
    expect(await failed).toEqual(new HostError('The host refused "ui/open-link"'));
    for (const [id, answer] of [{ result: 'x' }, { error: 'x' }, {}, { result: {} }].entries()) {
      const called = host.callTool('a').catch((error: unknown) => error);
      await window.receive({ jsonrpc: '2.0', id: 4 + id, ...answer });
      expect(await called).toBeInstanceOf(HostError);
    }
  });

  test('a display mode that the host does not have is not asked for', async () => {
    const { host, window } = await connected({}, { displayMode: 'pip', availableDisplayModes: ['pip'] });
    expect(await host.requestDisplayMode('fullscreen')).toBe('pip');
    expect(window.sent).toHaveLength(3);
  });

  test('a signal ends a request, and tells the host', async () => {
    const { host, window } = await connected();
    const stop = new AbortController();
    const called = host.callTool('wind', {}, { signal: stop.signal }).catch((error: unknown) => error);
    await window.next();
    stop.abort('enough');
    expect(await called).toBe('enough');
    expect(await window.next()).toEqual(note('notifications/cancelled', { requestId: 2 }));
    await window.receive({ jsonrpc: '2.0', id: 2, result: { content: [] } });
    await expect(host.callTool('wind', {}, { signal: stop.signal })).rejects.toBe('enough');
  });

  test('what cannot be sent is refused, and nothing waits for it', async () => {
    const { host, window } = await connected();
    await expect(host.callTool('wind', { run: () => {} })).rejects.toThrow('could not be cloned');
    host.log('info', { a: 1 }, 'clock');
    const params = { level: 'info', data: { a: 1 }, logger: 'clock' };
    expect(await window.next()).toEqual(note('notifications/message', params));
    host.requestTeardown();
    expect(await window.next()).toEqual(note('ui/notifications/request-teardown', {}));
  });
});

describe('the page', () => {
  test('gets the theme, the variables, the fonts and the height of its host', async () => {
    const variables = { '--font-sans': 'Inter', '--radius': undefined, color: 'red' };
    const { window } = await connected(
      {},
      {
        theme: 'dark',
        styles: { variables, css: { fonts: '@font-face {}' } },
        containerDimensions: { maxHeight: 400 },
      },
    );
    const { root, added } = window;
    expect(root.dataset).toEqual({ theme: 'dark' });
    expect(root.style).toMatchObject({ colorScheme: 'dark', height: '', maxHeight: '400px' });
    expect([...root.variables]).toEqual([
      ['--font-sans', 'Inter'],
      ['--radius', ''],
    ]);
    expect(added).toEqual([{ textContent: '@font-face {}' }]);
    const changed = { theme: 'light', containerDimensions: { height: 200, width: 100 } };
    await window.receive(note('ui/notifications/host-context-changed', changed));
    expect(root.dataset).toEqual({ theme: 'light' });
    expect(root.style).toMatchObject({ colorScheme: 'light', height: '100vh', maxHeight: '' });
    expect(added).toHaveLength(1);
  });

  test('stays as it is with `appliesStyles: false`', async () => {
    const { window } = await connected({ appliesStyles: false }, { theme: 'dark' });
    expect(window.root.style.colorScheme).toBe('');
  });

  test.each<[HostContext['containerDimensions'], object | undefined]>([
    [undefined, { width: 321, height: 100 }],
    [
      { maxWidth: 500, maxHeight: 300 },
      { width: 321, height: 100 },
    ],
    [{ width: 400 }, { height: 100 }],
    [{ height: 400 }, { width: 321 }],
    [{ width: 400, height: 400 }, undefined],
  ])('reports its size in a container of %j', async (containerDimensions, size) => {
    const context = containerDimensions ? { containerDimensions } : {};
    const window = new TestWindow();
    const connecting = connectView({ name: 'view', version: '1', window });
    await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf(context) });
    await connecting;
    const reports = () => window.sent.slice(2).map(({ message }) => message['params']);
    expect(reports()).toEqual(size ? [size] : []);
    window.resize(100);
    window.resize(150.2);
    window.resize(150.2);
    const later = size && 'height' in size ? [{ ...size, height: 151 }] : [];
    expect(reports()).toEqual(size ? [size, ...later] : []);
  });

  test('reports what its author says with `reportsSize: false`', async () => {
    const { host, window } = await connected({ reportsSize: false });
    expect(window.observers).toBe(0);
    host.reportSize({ height: 7 });
    expect(await window.next()).toEqual(note('ui/notifications/size-changed', { height: 7 }));
  });
});

describe('requests of the host', () => {
  const answer = async ({ window }: Connected, method: string, params: object = {}) => {
    await window.receive({ jsonrpc: '2.0', id: 'h', method, params });
    return window.next();
  };

  test('a teardown waits for the view, and runs once', async () => {
    const saved = Promise.withResolvers<void>();
    let ends = 0;
    const end = () => (ends++, saved.promise);
    const { window } = await connected({ onTeardown: end });
    await window.receive({ jsonrpc: '2.0', id: 'a', method: 'ui/resource-teardown', params: {} });
    await window.receive({ jsonrpc: '2.0', id: 'b', method: 'ui/resource-teardown' });
    expect(window.sent).toHaveLength(3);
    saved.resolve();
    expect(await window.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(await window.next()).toEqual({ jsonrpc: '2.0', id: 'b', result: {} });
    expect(ends).toBe(1);
  });

  test('ping, and what it does not know', async () => {
    const view = await connected();
    expect(await answer(view, 'ping')).toEqual({ jsonrpc: '2.0', id: 'h', result: {} });
    for (const method of ['tools/list', 'toString', 'ui/initialize'])
      expect(await answer(view, method)).toMatchObject({ error: { code: -32601 } });
  });

  test('an error of the author is an answer', async () => {
    const view = await connected({ onTeardown: () => Promise.reject(new Error('unsaved')) });
    expect(await answer(view, 'ui/resource-teardown')).toMatchObject({
      error: { code: -32603, message: 'Error: unsaved' },
    });
  });

  test('it lists and calls the tools of the view', async () => {
    const tools = viewTools([
      { name: 'shown', description: 'Says what is shown.', run: ({ part }) => `All of ${String(part)}` },
      {
        name: 'fail',
        description: 'Fails.',
        inputSchema: { type: 'object', properties: {} },
        run: () => Promise.reject(new Error('no')),
      },
    ]);
    const view = await connected({ tools });
    expect(view.window.sent[0]?.message).toMatchObject({ params: { appCapabilities: { tools: {} } } });
    expect(await answer(view, 'tools/list')).toMatchObject({
      result: {
        tools: [
          { name: 'shown', description: 'Says what is shown.', inputSchema: { type: 'object' } },
          { name: 'fail', description: 'Fails.', inputSchema: { type: 'object', properties: {} } },
        ],
      },
    });
    expect(await answer(view, 'tools/call', { name: 'shown', arguments: { part: 'it' } })).toMatchObject({
      result: { content: [{ type: 'text', text: 'All of it' }] },
    });
    expect(await answer(view, 'tools/call', { name: 'fail' })).toMatchObject({
      result: { content: [{ text: 'no' }], isError: true },
    });
    expect(await answer(view, 'tools/call', { name: 'x' })).toMatchObject({
      error: { message: 'Error: Unknown tool: "x"' },
    });
  });

  test('of many calls at a time, those beyond a limit are refused', async () => {
    const run = () => new Promise<string>(() => {});
    const tools = viewTools([{ name: 'wait', description: 'Waits.', run }]);
    const { window } = await connected({ tools });
    for (let id = 0; id < 100; id++)
      await window.receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait' } });
    expect(window.sent).toHaveLength(3);
    await window.receive({ jsonrpc: '2.0', id: 100, method: 'tools/call', params: { name: 'wait' } });
    expect(await window.next()).toMatchObject({
      id: 100,
      error: { message: 'Error: 100 calls are running' },
    });
  });
});

describe('hostile messages', () => {
  const input = note('ui/notifications/tool-input', { arguments: {} });

  test.each<[string, unknown, object?]>([
    ['of another window', input, { source: {} }],
    ['of no window', input, { source: null }],
    ['of another origin', input, { origin: 'https://evil.example' }],
    ['of another version', { ...input, jsonrpc: '1.0' }],
    ['that is a text', JSON.stringify(input)],
    ['that is nothing', null],
    ['that is an array', [input]],
    ['whose method is no text', { ...input, method: { toString: 1 } }],
    ['whose params are a text', { ...input, params: 'x' }],
    ['whose params are an array', { ...input, params: [1] }],
    ['whose id is an object', { ...input, id: {} }],
    ['with an answer to no request', { jsonrpc: '2.0', id: 99, result: {} }],
    ['with an answer without an id', { jsonrpc: '2.0', result: {} }],
    ['with the id of an answer as a text', { jsonrpc: '2.0', id: '1', result: {} }],
    ['that ends as an input does', note('tool-input-partial', { arguments: {} })],
    ['with a result that is none', note('ui/notifications/tool-result', { content: 'x' })],
  ])('a message %s is ignored', async (_, message, event) => {
    const seen: unknown[] = [];
    const all = (value: unknown) => seen.push(value);
    const { window } = await connected({ onInput: all, onPartialInput: all, onResult: all });
    await window.receive(message, event);
    expect(seen).toEqual([]);
    expect(window.sent).toHaveLength(3);
  });

  test('before the handshake, no message but its answer is taken', async () => {
    const window = new TestWindow();
    const seen: unknown[] = [];
    const all = (value: unknown) => seen.push(value);
    const connecting = connectView({ name: 'a', version: '1', window, onInput: all, onNotification: all });
    await window.receive(input);
    await window.receive({ jsonrpc: '2.0', id: 'x', method: 'ping' });
    await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf() }, { source: {} });
    expect(window.sent).toHaveLength(1);
    await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf() });
    await connecting;
    expect(seen).toEqual([]);
  });

  test('messages go to the origin of the host alone, once it is known', async () => {
    const { host, window } = await connected();
    host.log('info', 'a');
    expect(window.sent.map(({ target }) => target)).toEqual(['*', ...Array(3).fill('https://host.example')]);
  });

  test('a host without an origin can be answered', async () => {
    const window = new TestWindow();
    const connecting = connectView({ name: 'a', version: '1', window });
    await window.receive({ jsonrpc: '2.0', id: 1, result: answerOf() }, { origin: 'null' });
    await connecting;
    expect(window.sent.map(({ target }) => target)).toEqual(['*', '*', '*']);
  });

  test('an error of the author does not end the connection', async () => {
    let inputs = 0;
    const fail = () => {
      inputs++;
      throw new Error('of the author');
    };
    const { window } = await connected({ onInput: fail, onContext: fail });
    for (let count = 0; count < 3; count++) await window.receive(input);
    expect(inputs).toBe(4);
    expect(window.reported).toHaveLength(4);
  });

  test('a context does not grow without end', async () => {
    const { host, window } = await connected();
    for (let part = 0; part < 300; part += 30) {
      const parts = Array.from({ length: 30 }, (_, index) => [`x${part + index}`, 'y']);
      const changed = Object.fromEntries([...parts, ['theme', part === 0 ? 'dark' : 'light']]) as object;
      await window.receive(note('ui/notifications/host-context-changed', changed));
    }
    expect(Object.keys(host.context)).toHaveLength(100);
    expect(host.context.theme).toBe('light');
  });

  test('a context of wrong types changes nothing', async () => {
    const { window } = await connected();
    const wrong = { theme: 'red; x', styles: 'x', containerDimensions: [1], availableDisplayModes: 'inline' };
    await window.receive(note('ui/notifications/host-context-changed', wrong));
    const more = { styles: { variables: [1], css: 7 }, containerDimensions: { height: '1px' } };
    await window.receive(note('ui/notifications/host-context-changed', more));
    expect(window.root.style).toMatchObject({ colorScheme: '', height: '', maxHeight: '' });
    expect(window.added).toEqual([]);
  });

  test('only so many requests wait for a host that answers none', async () => {
    const { host } = await connected();
    const waiting = Array.from({ length: 1_000 }, () => host.callTool('a').catch(() => 'closed'));
    await expect(host.callTool('a')).rejects.toThrow('Too many requests wait for the host');
    host.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['closed']));
  });
});

describe('the end', () => {
  test('after `close`, nothing is sent or received', async () => {
    const { host, window } = await connected();
    const called = host.callTool('a');
    host.close();
    await expect(called).rejects.toThrow('The connection to the host is closed');
    await expect(host.callTool('a')).rejects.toThrow('The connection to the host is closed');
    host.log('info', 'a');
    window.resize(999);
    expect(window.sent).toHaveLength(4);
    expect({ listeners: window.listeners, observers: window.observers }).toEqual({
      listeners: 0,
      observers: 0,
    });
  });

  test('a host that refuses or does not answer', async () => {
    const window = new TestWindow();
    const refused = connectView({ name: 'a', version: '1', window }).catch((error: unknown) => error);
    await window.receive({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'No' } });
    expect(await refused).toEqual(new HostError('No', -32602));
    expect(window.listeners).toBe(0);
    const signal = AbortSignal.timeout(1);
    const late = connectView({ name: 'a', version: '1', window, signal });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(window.listeners).toBe(0);
    expect(window.sent).toHaveLength(2);
  });

  test('a page without a frame is refused', async () => {
    const window = new TestWindow();
    const outside = Object.assign(window, { parent: window });
    await expect(connectView({ name: 'a', version: '1', window: outside as never })).rejects.toThrow(
      'The view is not in the frame of a host',
    );
  });
});
