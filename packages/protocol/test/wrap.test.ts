import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Caller,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  errorCodes,
  inputRequired,
  jsonResult,
  jsonSchema,
  resourceLink,
  RpcError,
  type Tool,
  ToolError,
  toolResult,
  type Wrap,
} from '@mcp/protocol';
import {
  auditCalls,
  cacheResults,
  type CallEntry,
  limitRate,
  limitTime,
  logCalls,
  mapErrors,
  redactResults,
} from '@mcp/protocol/wrap';
import * as z from 'zod';
import { connect } from '../src/testing.ts';
import { atEveryRevision } from './every-revision.ts';

const text = jsonSchema<{ text: string }>(
  { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  (value) => value as { text: string },
);
const form = jsonSchema<object>({ type: 'object', properties: {} }, (value) => value as object);

/** A server with one of each, around which the functions run. */
function wrapped(wrap: readonly Wrap<object>[], more: readonly Tool<object>[] = []) {
  return defineServer({
    name: 'wrapped',
    version: '1.0.0',
    tools: [
      defineTool({ name: 'echo', description: 'Echoes.', inputSchema: text, run: (args) => args.text }),
      defineTool({
        name: 'fail',
        description: 'Fails.',
        run: () => {
          throw new RangeError('Out of range: sk-secret');
        },
      }),
      defineTool({
        name: 'ask',
        description: 'Asks.',
        run: (_, { inputs }) => (inputs['it'] ? 'Asked' : inputRequired({ it: elicit('Well?', form) })),
      }),
      ...more,
    ],
    resources: [
      defineResource({
        uri: 'note:///{id}',
        name: 'note',
        read: ({ id }) => `Note ${id}`,
        list: () => [{ uri: 'note:///1', name: 'one' }],
        complete: { id: () => ['1', '2'] },
      }),
    ],
    prompts: [definePrompt({ name: 'draft', description: 'Drafts.', run: () => 'Draft' })],
    wrap,
  });
}

const ada: Caller = { principal: 'ada' };

atEveryRevision((version) => {
  test('functions run around every handler and list, the first one outermost', async () => {
    const seen: string[] = [];
    const note =
      (mark: string): Wrap<object> =>
      async ({ method, name, args, call }, next) => {
        seen.push(`${mark} ${method} ${name} ${JSON.stringify(args) ?? ''} ${call.caller?.principal ?? ''}`);
        const value = await next();
        seen.push(`${mark} end`);
        return value;
      };
    await using client = await connect(wrapped([note('a'), note('b')]), {
      revision: version,
      caller: ada,
    });
    const ended = (line: string) => {
      expect(seen.splice(0)).toEqual([`a ${line} ada`, `b ${line} ada`, 'b end', 'a end']);
    };
    await client.listTools();
    ended('tools/list  ');
    expect(await client.callTool('echo', { text: 'Hi' })).toMatchObject({ content: [{ text: 'Hi' }] });
    ended('tools/call echo {"text":"Hi"}');
    await client.listPrompts();
    ended('prompts/list  ');
    await client.getPrompt('draft');
    ended('prompts/get draft {}');
    await client.listResources();
    ended('resources/list  ');
    await client.listResourceTemplates();
    ended('resources/templates/list  ');
    await client.readResource('note:///7');
    ended('resources/read note:///7 {"id":"7"}');
    await client.complete({ resource: 'note:///{id}' }, { name: 'id', value: '' });
    ended('completion/complete id ');
  });

  test('a function replaces what a handler returns, its errors, and the items of a list', async () => {
    const change: Wrap<object> = ({ method, name }, next) => {
      if (method === 'tools/list') return (next() as readonly Tool[]).filter((tool) => tool.name !== 'fail');
      if (name === 'echo') return 'Replaced';
      return next();
    };
    const errors = mapErrors((error) => (error instanceof RangeError ? new ToolError('Too large') : error));
    await using client = await connect(wrapped([change, errors]), { revision: version });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['echo', 'ask']);
    expect(await client.callTool('echo', { text: 'Hi' })).toMatchObject({ content: [{ text: 'Replaced' }] });
    expect(await client.callTool('fail')).toMatchObject({ isError: true, content: [{ text: 'Too large' }] });
  });

  if (version === '2024-11-05' || version === '2025-03-26') return;

  test('a handler that asks is wrapped again when it runs with the answers', async () => {
    const entries: CallEntry[] = [];
    await using client = await connect(wrapped([logCalls((entry) => entries.push(entry))]), {
      revision: version,
      elicit: async () => ({ action: 'accept', content: {} }),
    });
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'Asked' }] });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['asked', 'done']);
  });
});

test('a function that does not await the handler is not ended by the error of the handler', async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  const late = defineTool({
    name: 'late',
    description: 'Fails later.',
    async run() {
      await Promise.resolve();
      throw new Error('Later');
    },
  });
  const early: Wrap<object> = (_, next) => {
    next();
    throw new ToolError('Early');
  };
  await using client = await connect(wrapped([early, (_, next) => next()], [late]));
  expect(await client.callTool('late')).toMatchObject({ isError: true, content: [{ text: 'Early' }] });
  // Node reports such errors in the turn in which they occur.
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
});

describe('ready made', () => {
  test('logCalls reports duration and outcome, and nothing of arguments and results', async () => {
    const entries: CallEntry[] = [];
    await using client = await connect(wrapped([logCalls((entry) => entries.push(entry))]), { caller: ada });
    await client.callTool('echo', { text: 'private' });
    await client.callTool('fail');
    expect(entries).toMatchObject([
      { method: 'tools/call', name: 'echo', principal: 'ada', outcome: 'done', error: undefined },
      { method: 'tools/call', name: 'fail', outcome: 'failed', error: 'Out of range: sk-secret' },
    ]);
    expect(entries.every(({ ms, time }) => ms >= 0 && time instanceof Date)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain('private');
  });

  test('auditCalls writes one line of JSON for each call, with the arguments that the author allows', async () => {
    const lines: string[] = [];
    const audit = auditCalls(
      (line) => lines.push(line),
      (name, args) => (name === 'echo' ? { text: (args as { text: string }).text.length } : args),
    );
    await using client = await connect(wrapped([audit]), { caller: ada });
    await client.callTool('echo', { text: 'two\nlines' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(lines[0]!)).toMatchObject({ name: 'echo', principal: 'ada', args: { text: 9 } });
  });

  test('limitRate refuses a caller above the rate, and says when to try again', async () => {
    const server = wrapped([limitRate({ calls: 2, perMs: 3_600_000 })]);
    await using first = await connect(server, { caller: ada });
    const call = (client: typeof first) => client.callTool('echo', { text: 'Hi' });
    await call(first);
    await call(first);
    expect(await call(first)).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/^Too many calls: at most 2 in 3600 s; try again in 1(?:800|799) s$/) },
      ],
    });
    // Lists are not counted, and other callers have a rate of their own.
    expect(await first.listTools()).toHaveLength(3);
    await using other = await connect(server, { caller: { principal: 'ben' } });
    expect(await call(other)).toMatchObject({ content: [{ text: 'Hi' }] });
    await expect(first.readResource('note:///1')).rejects.toThrow('Too many calls');
  });

  test('limitTime fails a slow handler and aborts its signal', async () => {
    let reason: unknown;
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      run: (_, { signal }) =>
        new Promise<never>(() => signal.addEventListener('abort', () => (reason = signal.reason))),
    });
    await using client = await connect(wrapped([limitTime(50)], [slow]));
    const message = '"slow" took longer than 0.05 s, the limit of this server';
    expect(await client.callTool('slow')).toMatchObject({ isError: true, content: [{ text: message }] });
    expect(reason).toMatchObject({ message });
    expect(await client.callTool('echo', { text: 'Hi' })).toMatchObject({ content: [{ text: 'Hi' }] });
  });

  test('cacheResults runs a handler once for equal arguments of the same caller', async () => {
    let runs = 0;
    const count = defineTool({
      name: 'count',
      description: 'Counts its runs.',
      inputSchema: jsonSchema<object>({ type: 'object' }, (value) => value as object),
      run: async () => `Run ${++runs}`,
    });
    const server = wrapped([cacheResults({ names: ['count', 'fail'], ms: 60_000, maxEntries: 2 })], [count]);
    await using client = await connect(server, { caller: ada });
    const call = async (args: object, by = client) => {
      const { content } = await by.callTool('count', args as Record<string, unknown>);
      return (content[0] as { text: string }).text;
    };
    expect([await call({ a: 1, b: 2 }), await call({ b: 2, a: 1 })]).toEqual(['Run 1', 'Run 1']);
    await using other = await connect(server, { caller: { principal: 'ben' } });
    expect(await call({ a: 1, b: 2 }, other)).toBe('Run 2');
    expect(await call({ a: 2 })).toBe('Run 3');
    // A result may depend on the scopes of the caller.
    await using strong = await connect(server, { caller: { principal: 'ada', scopes: ['b', 'a'] } });
    expect(await call({ a: 2 }, strong)).toBe('Run 4');
    await using same = await connect(server, { caller: { principal: 'ada', scopes: ['a', 'b'] } });
    expect(await call({ a: 2 }, same)).toBe('Run 4');
    // The oldest of four was forgotten.
    expect(await call({ a: 1, b: 2 })).toBe('Run 5');
    expect(await client.callTool('fail')).toMatchObject({ isError: true });
  });

  test('cacheResults tells arguments apart that are not JSON', async () => {
    const returnArgument = (name: string, change: (text: string) => unknown) =>
      defineTool({
        name,
        description: 'Returns its argument.',
        inputSchema: z.object({ it: z.string().transform(change) }),
        run: ({ it }) => `${it instanceof Set ? [...it].join() : String(it)}`,
      });
    const tools = [
      returnArgument('time', (text) => new Date(text)),
      returnArgument('url', (text) => new URL(text)),
      returnArgument('set', (text) => new Set([text])),
      returnArgument('integer', (text) => BigInt(text)),
      returnArgument('number', Number),
    ];
    const cache = cacheResults({ names: tools.map(({ name }) => name), ms: 60_000 });
    await using client = await connect(wrapped([cache], tools));
    const call = async (name: string, it: string) => {
      const { content } = await client.callTool(name, { it });
      return (content[0] as { text: string }).text;
    };
    expect([await call('time', '2020-01-01'), await call('time', '2021-01-01')]).toEqual([
      String(new Date('2020-01-01')),
      String(new Date('2021-01-01')),
    ]);
    expect([await call('url', 'https://a/'), await call('url', 'https://b/')]).toEqual([
      'https://a/',
      'https://b/',
    ]);
    expect([await call('set', 'a'), await call('set', 'b')]).toEqual(['a', 'b']);
    expect([await call('integer', '1'), await call('integer', '2')]).toEqual(['1', '2']);
    expect([await call('number', 'Infinity'), await call('number', '-Infinity')]).toEqual([
      'Infinity',
      '-Infinity',
    ]);
  });

  test('cacheResults tells an object from a list of its members', async () => {
    const count = defineTool({
      name: 'count',
      description: 'Returns its argument.',
      inputSchema: jsonSchema<{ it: unknown }>({ type: 'object' }, (value) => value as { it: unknown }),
      run: ({ it }) => JSON.stringify(it),
    });
    await using client = await connect(wrapped([cacheResults({ names: ['count'], ms: 60_000 })], [count]));
    for (const it of [{ a: 1 }, [['a', 1]], null, 'null'])
      expect(await client.callTool('count', { it })).toMatchObject({
        content: [{ text: JSON.stringify(it) }],
      });
  });

  test('cacheResults keeps no result for long arguments, which would fill the memory', async () => {
    let runs = 0;
    const count = defineTool({
      name: 'count',
      description: 'Counts its runs.',
      inputSchema: text,
      run: () => `Run ${++runs}`,
    });
    await using client = await connect(wrapped([cacheResults({ names: ['count'], ms: 60_000 })], [count]));
    const args = { text: 'x'.repeat(100_000) };
    expect(await client.callTool('count', args)).toMatchObject({ content: [{ text: 'Run 1' }] });
    expect(await client.callTool('count', args)).toMatchObject({ content: [{ text: 'Run 2' }] });
  });

  test.each(['2026-07-28', '2025-11-25'] as const)(
    'cacheResults keeps no result that depends on answers of the user, at %s',
    async (revision) => {
      const words = jsonSchema<{ word: string }>(
        { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
        (value) => value as { word: string },
      );
      const repeat = defineTool({
        name: 'repeat',
        description: 'Asks for a word.',
        run: async (_, { ask }) => (await ask('word', elicit('Which word?', words)))?.word ?? 'none',
      });
      const answers = ['one', 'two', 'three'];
      const server = wrapped([cacheResults({ names: ['repeat'], ms: 60_000 })], [repeat]);
      await using client = await connect(server, {
        revision,
        elicit: async () => ({ action: 'accept', content: { word: answers.shift()! } }),
      });
      for (const word of ['one', 'two', 'three'])
        expect(await client.callTool('repeat')).toMatchObject({ content: [{ text: word }] });
    },
  );

  test('redactResults changes every text of results and errors, and no bytes', async () => {
    const tools = [
      defineTool({
        name: 'mixed',
        description: 'Returns all kinds of content.',
        run: () =>
          toolResult({
            content: [
              { type: 'text', text: 'a sk-secret' },
              { type: 'image', data: 'c2stc2VjcmV0', mimeType: 'image/png' },
              resourceLink({ uri: 'note:///sk-secret', name: 'sk-secret' }),
            ],
            _meta: { 'example.com/key': 'sk-secret' },
          }),
      }),
      defineTool({
        name: 'json',
        description: 'Returns JSON.',
        run: () => jsonResult({ content: 'sk-secret', json: '{"key":["sk-secret",1]}' }),
      }),
    ];
    const redact = redactResults((part) => part.replaceAll('sk-secret', '[key]'));
    await using client = await connect(wrapped([redact], tools));
    for (const [name, args] of [['mixed'], ['json'], ['fail'], ['echo', { text: 'my sk-secret' }]] as const) {
      const result = JSON.stringify(await client.callTool(name, args));
      expect([name, result.includes('[key]'), result.includes('sk-secret')]).toEqual([name, true, false]);
    }
    expect(await client.callTool('json')).toMatchObject({ structuredContent: { key: ['[key]', 1] } });
    expect(JSON.stringify(await client.callTool('mixed'))).toContain('c2stc2VjcmV0');
  });

  test('redactResults changes texts that have the names of bytes, and names of members', async () => {
    const secret = { data: 'sk-secret', blob: ['sk-secret'], 'sk-secret': { data: 'sk-secret' } };
    const structured = defineTool({
      name: 'structured',
      description: 'Returns structured content.',
      outputSchema: z.looseObject({}),
      run: () => toolResult({ structuredContent: secret }),
    });
    const json = defineTool({
      name: 'json',
      description: 'Returns JSON.',
      run: () => jsonResult({ json: JSON.stringify(secret) }),
    });
    const redact = redactResults((part) => part.replaceAll('sk-secret', '[key]'));
    await using client = await connect(wrapped([redact], [structured, json]));
    for (const name of ['structured', 'json'])
      expect(await client.callTool(name)).toMatchObject({
        content: [{ type: 'text', text: expect.not.stringContaining('sk-secret') }],
        structuredContent: { data: '[key]', blob: ['[key]'], '[key]': { data: '[key]' } },
      });
  });

  test('redactResults keeps dates and other objects with a form in JSON', async () => {
    const dated = defineTool({
      name: 'dated',
      description: 'Returns a date.',
      outputSchema: z.looseObject({}),
      run: () => toolResult({ structuredContent: { at: new Date(0), url: new URL('https://a/sk-secret') } }),
    });
    const redact = redactResults((part) => part.replaceAll('sk-secret', '[key]'));
    await using client = await connect(wrapped([redact], [dated]));
    expect((await client.callTool('dated')).structuredContent).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      url: 'https://a/[key]',
    });
  });

  test('redactResults changes every text of an error', async () => {
    const errors: { readonly [name: string]: unknown } = {
      frozen: Object.freeze(new Error('sk-secret')),
      text: 'sk-secret',
      tool: new ToolError('sk-secret', {
        structuredContent: { key: 'sk-secret' },
        _meta: { 'example.com/key': 'sk-secret' },
      }),
      protocol: new RpcError(errorCodes.invalidParams, 'sk-secret', { key: 'sk-secret' }),
    };
    const tools = Object.entries(errors).map(([name, error]) =>
      defineTool({
        name,
        description: 'Fails.',
        run: () => {
          throw error;
        },
      }),
    );
    const redact = redactResults((part) => part.replaceAll('sk-secret', '[key]'));
    await using client = await connect(wrapped([redact], tools));
    for (const { name } of tools) {
      const answer = await client.callTool(name).catch((error: RpcError) => [error.message, error.data]);
      const sent = JSON.stringify(answer);
      expect([name, sent.includes('[key]'), sent.includes('sk-secret')]).toEqual([name, true, false]);
    }
    expect(await client.callTool('tool')).toMatchObject({
      isError: true,
      structuredContent: { key: '[key]' },
    });
    await expect(client.callTool('protocol')).rejects.toMatchObject({
      cause: { code: errorCodes.invalidParams },
    });
  });

  test('auditCalls writes arguments that are not JSON', async () => {
    const lines: string[] = [];
    const double = defineTool({
      name: 'double',
      description: 'Doubles an integer.',
      inputSchema: z.object({ n: z.string().transform((digits) => BigInt(digits)) }),
      run: ({ n }) => String(2n * n),
    });
    await using client = await connect(wrapped([auditCalls((line) => lines.push(line))], [double]));
    expect(await client.callTool('double', { n: '4' })).toMatchObject({ content: [{ text: '8' }] });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { name: 'double', outcome: 'done', args: { n: '4' } },
    ]);
  });

  test('a time limit may be longer than the delays of timers', async () => {
    // Node warns of a timer with such a delay, which would fire after a millisecond.
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const work = defineTool({ name: 'work', description: 'Works.', run: async () => 'Done' });
    for (const ms of [Infinity, 2 ** 31]) {
      await using client = await connect(wrapped([limitTime(ms)], [work]));
      expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'Done' }] });
    }
    expect(warnings).toEqual([]);
  });

  test('a wrong limit is refused when it is made', () => {
    expect(() => limitRate({ calls: 0, perMs: 1_000 })).toThrow('Invalid limit: 0 calls per 1000 ms');
    expect(() => limitTime(0)).toThrow('Invalid time limit: 0 ms');
  });
});
