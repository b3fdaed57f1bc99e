import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineServer, type Resource, type Server, type Tool } from '@mcp/protocol';
import type { HttpListener } from '@mcp/protocol/http';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { listSkills } from '@mcp/skills';
import { Watcher } from '@mcp/watch';
import { afterAll, describe, expect, test } from 'vitest';
// By its path, because the test kit is no dependency of the root.
import { Collector } from '../../packages/test-kit/src/collector.ts';
import { PageCode } from './page-code.ts';
import { codeBlocks } from './pages.ts';

const code = new PageCode();
afterAll(() => code[Symbol.dispose]());

/** A client of a server with what a guide defines. */
function clientOf<Context extends object>(
  { context, ...lists }: { context: Context; tools?: Tool<Context>[]; resources?: Resource<Context>[] },
  options?: ClientOptions,
) {
  return connect(defineServer({ name: 'guide', version: '1.0.0', context, ...lists }), options);
}

const textOf = ({ content }: { readonly content: readonly unknown[] }) =>
  (content[0] as { readonly text?: string }).text;

describe('guides/tool.md', () => {
  type Shop = { readonly prices: ReadonlyMap<string, number> };

  test('the tool answers, converts "2" to a number, and names what is wrong', async () => {
    const { price } = await code.load<{ price: Tool<Shop> }>('guides/tool.md', 'price');
    await using client = await clientOf({ context: { prices: new Map([['apple', 0.4]]) }, tools: [price] });
    const answer = await client.callTool('price', { article: 'apple', quantity: '2' });
    expect(textOf(answer)).toBe('2 × apple: 0.8 €');
    expect(answer.structuredContent).toEqual({ euros: 0.8 });
    expect(await client.callTool('price', { article: 'pear' })).toMatchObject({
      content: [{ text: 'No article "pear"; there are apple' }],
      isError: true,
    });
    expect(textOf(await client.callTool('price', {}))).toContain('"article"');
    expect(textOf(await client.callTool('price', { article: 'apple', colour: 'red' }))).toContain('"colour"');
  });

  test('the server that shares a context starts', async () => {
    const { server } = await code.load<{ server: Server }>('guides/tool.md', 'server');
    await using client = await connect(server);
    expect(client.serverInfo?.name).toBe('shop');
  });
});

describe('guides/views.md', () => {
  const page = 'guides/views.md';
  type Guide = {
    bundlePage: (source: URL, target: URL) => Promise<void>;
    pageOf: (server: Server) => Promise<{ readonly text: string }>;
  };

  test('the page is bundled into one file, which the server serves to clients with views', async () => {
    const [html] = codeBlocks(page).filter(({ language }) => language === 'html');
    const file = (name: string) => pathToFileURL(join(code.directory, name));
    writeFileSync(file('prices.html'), html!.code);
    const { bundlePage } = await code.load<Guide>(page, 'bundlePage');
    await bundlePage(file('prices.html'), file('prices.bundled.html'));
    const { server } = await code.load<{ server: Server }>(page, 'server');
    const { pageOf } = await code.load<Guide>(page, 'pageOf');
    const { text } = await pageOf(server);
    expect(text).toContain('ui/initialize');
    expect(text).not.toMatch(/\bimport\b/);
    expect(text.length).toBeLessThan(8_000);
    await using client = await connect(server);
    expect(await client.listTools()).toMatchObject([{ name: 'prices' }]);
    expect(textOf(await client.callTool('prices'))).toBe('apple: 0.4 €');
  });

  test('no text in a script keeps its page from ending the script', async () => {
    const file = (name: string) => pathToFileURL(join(code.directory, name));
    const script = `console.log('<!--', '<script>', '<' + '/script>')`;
    writeFileSync(file('tags.html'), `<!doctype html><script type="module">${script}</script>`);
    const { bundlePage } = await code.load<Guide>(page, 'bundlePage');
    await bundlePage(file('tags.html'), file('tags.bundled.html'));
    const bundled = readFileSync(file('tags.bundled.html'), 'utf8');
    expect(bundled.match(/<!--|<\/script/g)).toEqual(['</script']);
  });
});

describe('guides/skills.md', () => {
  const page = 'guides/skills.md';
  const skill = join(code.directory, 'skills/close-the-books');
  const [written] = codeBlocks(page).filter(({ language }) => language === 'md');
  const limits = join(skill, 'references/limits.md');

  test('the server serves the skill, and notifies of changes', async () => {
    mkdirSync(join(limits, '..'), { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), written!.code);
    writeFileSync(limits, '100 €\n');
    const { server } = await code.load<{ server: Server }>(page, 'server');
    await using client = await connect(server);
    const { skills, refused } = await listSkills(client);
    expect(refused).toEqual([]);
    expect(skills).toMatchObject([{ frontmatter: { name: 'close-the-books' }, resources: [{}, {}] }]);
    const changed = Promise.withResolvers<void>();
    const stop = await client.subscribe('skill://close-the-books', changed.resolve);
    writeFileSync(limits, '200 €\n');
    await changed.promise;
    await stop();
  });

  test('the client loads it for the model, and nothing that has changed meanwhile', async () => {
    const { server } = await code.load<{ server: Server }>(page, 'server');
    const { load } = await code.load<{ load: (client: Client, name: string) => Promise<string | undefined> }>(
      page,
      'load',
    );
    await using client = await connect(server);
    expect(await load(client, 'close-the-books')).toBe(`From the server ledger:\n${written!.code}`);
    await expect(load(client, 'open-the-books')).rejects.toThrow('No skill "open-the-books"');
    // The same size: only the digest differs.
    const callExtension = client.callExtension.bind(client);
    client.callExtension = async (...args) => {
      const result = await callExtension(...args);
      writeFileSync(join(skill, 'SKILL.md'), written!.code.replace('nothing', 'NOTHING'));
      return result;
    };
    expect(await load(client, 'close-the-books')).toBeUndefined();
  });
});

describe('guides/watched-resource.md', () => {
  const page = 'guides/watched-resource.md';

  test('the settings are read and watched', async () => {
    type Settings = { readonly path: string; readonly watcher: Watcher };
    const { settings } = await code.load<{ settings: Resource<Settings> }>(page, 'settings');
    const path = join(code.directory, 'settings.json');
    writeFileSync(path, '{}');
    using watcher = new Watcher();
    await using client = await clientOf({ context: { path, watcher }, resources: [settings] });
    const uri = 'settings:///current';
    expect((await client.readResource(uri)).contents).toMatchObject([{ text: '{}' }]);

    const changed = Promise.withResolvers<void>();
    const stop = await client.subscribe(uri, changed.resolve);
    writeFileSync(path, '{"units":"metric"}');
    await changed.promise;
    expect((await client.readResource(uri)).contents).toMatchObject([{ text: '{"units":"metric"}' }]);
    await stop();
  });

  test('the counter notifies of changes that the program makes', async () => {
    type Counter = { value: number; readonly listeners: Set<() => void> };
    const { count } = await code.load<{ count: Resource<Counter> }>(page, 'count');
    const counter: Counter = { value: 1, listeners: new Set() };
    await using client = await clientOf({ context: counter, resources: [count] });
    const changed = Promise.withResolvers<void>();
    const stop = await client.subscribe('counter:///value', changed.resolve);
    counter.value = 2;
    for (const listener of counter.listeners) listener();
    await changed.promise;
    expect((await client.readResource('counter:///value')).contents).toMatchObject([{ text: '2' }]);
    await stop();
    await expect.poll(() => counter.listeners.size).toBe(0);
  });
});

describe.each(['2025-11-25', '2026-07-28'])('guides/ask-the-user.md at %s', (revision) => {
  const page = 'guides/ask-the-user.md';
  type Notes = { readonly notes: Map<string, string> };

  test.each([
    ['the user agrees', true, 'Deleted', 0],
    ['the user declines', false, 'Not done: the user declined', 1],
  ])('notes are deleted only if the user agrees: %s', async (_, agrees, answer, left) => {
    const { clear } = await code.load<{ clear: Tool<Notes> }>(page, 'clear');
    const notes = new Map([['milk', 'Buy milk']]);
    const asked: string[] = [];
    await using client = await clientOf(
      { context: { notes }, tools: [clear] },
      {
        revision,
        elicit: async ({ message }) => {
          asked.push(message);
          return agrees ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
        },
      },
    );
    expect(textOf(await client.callTool('clear_notes'))).toBe(answer);
    expect(asked).toEqual(['Delete 1 notes?']);
    expect(notes.size).toBe(left);
  });

  test('a client without forms is not asked', async () => {
    const { clear } = await code.load<{ clear: Tool<Notes> }>(page, 'clear');
    await using client = await clientOf({ context: { notes: new Map() }, tools: [clear] }, { revision });
    expect(textOf(await client.callTool('clear_notes'))).toBe('Deleted');
  });

  test('the forms ask for values', async () => {
    const { order } = await code.load<{ order: Tool<object> }>(page, 'order');
    const answers: { [message: string]: Record<string, string | boolean> } = {
      'Which size?': { size: 'small' },
      'Order for 4 €?': { yes: true },
    };
    await using client = await clientOf(
      { context: {}, tools: [order] },
      { revision, elicit: async ({ message }) => ({ action: 'accept', content: answers[message]! }) },
    );
    expect(textOf(await client.callTool('order_tea'))).toBe('Ordered a small packet');
  });
});

test.each([
  ['a question', 'elicit:'],
  ['progress', 'onProgress:'],
  ['a change', 'client.subscribe('],
])('guides/test.md tests %s', (_, call) => {
  const tests = codeBlocks('guides/test.md').filter(({ file }) => file?.endsWith('test.ts'));
  expect(tests.some(({ code: text }) => text.includes(call))).toBe(true);
});

describe('guides/progress.md', () => {
  type Module = { readonly count: Tool<object> };

  test('each step is reported', async () => {
    const { count } = await code.load<Module>('guides/progress.md', 'count');
    await using client = await clientOf({ context: {}, tools: [count] });
    const steps: string[] = [];
    const progress = (done: number, total?: number, message?: string) =>
      void steps.push(`${done}/${total} ${message}`);
    expect(textOf(await client.callTool('count_slowly', { to: 2 }, { onProgress: progress }))).toBe(
      'Counted to 2',
    );
    expect(steps).toEqual(['1/2 Counted to 1', '2/2 Counted to 2']);
  });

  test('a cancelled call ends', async () => {
    const { count } = await code.load<Module>('guides/progress.md', 'count');
    const ended = Promise.withResolvers<unknown>();
    const watched: Tool<object> = {
      ...count,
      run: async (args, call) => {
        try {
          return await count.run(args, call);
        } catch (error) {
          ended.resolve(error);
          throw error;
        }
      },
    };
    await using client = await clientOf({ context: {}, tools: [watched] });
    const stop = new AbortController();
    const call = client.callTool(
      'count_slowly',
      { to: 1_000_000 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    await expect(call).rejects.toThrow('abort');
    expect(await ended.promise).toMatchObject({ name: 'AbortError' });
  });
});

describe('guides/telemetry.md', () => {
  type Program = { readonly sdk: { shutdown(): Promise<void> }; readonly listener: HttpListener };
  type Caller = { readonly priceAt: (url: string) => Promise<{ readonly content: readonly unknown[] }> };

  test('a call is one trace', async () => {
    await using collector = await Collector.start();
    Object.assign(process.env, collector.environment);
    const { sdk, listener } = await code.load<Program>('guides/telemetry.md', 'listener');
    const { priceAt } = await code.load<Caller>('guides/telemetry.md', 'priceAt');
    expect(textOf(await priceAt(listener.url))).toBe('0.4 €');
    await listener.close();
    await sdk.shutdown();
    for (const name of Object.keys(collector.environment)) delete process.env[name];
    const spans = collector.spans.filter(({ name }) => name !== 'server/discover');
    const [own, received, sent] = ['look up', 'tools/call price', 'tools/call price'].map((name, index) =>
      spans.find(
        (span) => span.name === name && span.kind === (['internal', 'server', 'client'] as const)[index],
      ),
    );
    expect(own?.parentSpanId).toBe(received?.spanId);
    expect(received?.parentSpanId).toBe(sent?.spanId);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans).toHaveLength(3);
    expect(new Set(collector.histograms.map(({ name }) => name))).toEqual(
      new Set(['mcp.server.operation.duration', 'mcp.client.operation.duration']),
    );
  });
});
