import { describe, expect, test } from 'vitest';
import { requirement } from './requirement.ts';
import { connectTo, newest, paramsOf, ScriptedPeer, text, tool } from './scripted-peer.ts';

requirement('CANC-02', 'a client cancels only its own pending requests, each once', async (version) => {
  const peer = new ScriptedPeer(version, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, version);
  const stop = new AbortController();
  const call = client.callTool('any', {}, { signal: stop.signal });
  const { id } = await peer.awaited(({ method }) => method === 'tools/call');
  stop.abort(new Error('No longer needed'));
  await expect(call).rejects.toThrow('No longer needed');
  await client.listTools();
  stop.abort();
  const cancelled = peer.of('notifications/cancelled').map(paramsOf);
  expect(cancelled).toEqual([{ requestId: id, reason: 'No longer needed' }]);
});

requirement('CANC-03', 'an initialize that times out is not cancelled', async (version) => {
  const peer = new ScriptedPeer(version, { initialize: () => undefined });
  await expect(connectTo(peer, version, { timeoutMs: 20 })).rejects.toThrow('No response to initialize');
  expect(peer.of('notifications/cancelled')).toEqual([]);
});

requirement('PROG-02', 'concurrent requests have different progress tokens', async (version) => {
  const peer = new ScriptedPeer(version);
  await using client = await connectTo(peer, version);
  await Promise.all([1, 2, 3].map(() => client.callTool('any', {}, { onProgress() {} })));
  const tokens = peer
    .of('tools/call')
    .map((message) => (paramsOf(message)['_meta'] as { progressToken: unknown }).progressToken);
  expect(new Set(tokens).size).toBe(3);
  await client.callTool('any');
  expect(paramsOf(peer.of('tools/call').at(-1))['_meta'] ?? {}).not.toHaveProperty('progressToken');
});

requirement('PROG-10', 'a client sends no progress, also while it provides inputs', async (version) => {
  let first = true;
  const peer = new ScriptedPeer(version, {
    'tools/call': () => {
      if (!first) return { result: text('done') };
      first = false;
      return { result: { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } } };
    },
  });
  await using client = await connectTo(peer, version, { roots: () => Promise.resolve([]) });
  await client.callTool('any', {}, { onProgress() {} });
  expect(peer.of('notifications/progress')).toEqual([]);
});

test('progress extends the timeout of a call, but not its hard maximum', async () => {
  const peer = new ScriptedPeer(newest, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, newest);
  const received: unknown[] = [];
  const started = performance.now();
  const call = client.callTool(
    'any',
    {},
    {
      timeoutMs: 80,
      maxTimeoutMs: 300,
      onProgress: (...given) => received.push(given),
    },
  );
  const { id } = await peer.awaited(({ method }) => method === 'tools/call');
  const timer = setInterval(
    () =>
      peer.send({ method: 'notifications/progress', params: { progressToken: id, progress: 1, total: 'x' } }),
    20,
  );
  await expect(call).rejects.toThrow('No response to tools/call');
  clearInterval(timer);
  expect(performance.now() - started).toBeGreaterThan(250);
  expect(received[0]).toEqual([1, undefined, undefined]);
});

requirement(
  ['PAGE-03', 'PAGE-04', 'PAGE-05', 'PROM-06'],
  'pages of any size are read to the last, with unchanged cursors',
  async (version) => {
    const cursors = ['', 'ä b', '{"n":2}'];
    const peer = new ScriptedPeer(version, {
      'prompts/list': ({ params }) => {
        const at = cursors.indexOf((params as { cursor?: string }).cursor as string) + 1;
        const prompts = Array.from({ length: at * 3 }, (_, n) => ({ name: `${at}-${n}` }));
        return { result: { prompts, ...(at < cursors.length && { nextCursor: cursors[at] }) } };
      },
    });
    await using client = await connectTo(peer, version);
    expect(await client.listPrompts()).toHaveLength(18);
    expect(peer.of('prompts/list').map((message) => paramsOf(message)['cursor'])).toEqual([
      undefined,
      ...cursors,
    ]);
    const sizes: number[] = [];
    for await (const page of client.promptPages()) sizes.push(page.length);
    expect(sizes).toEqual([0, 3, 6, 9]);
  },
);

describe('structured content', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  requirement(
    'TOOL-14',
    'structured content is validated against the outputSchema of its tool',
    async (version) => {
      const results = [{ n: 1 }, { n: 'one' }, undefined];
      const peer = new ScriptedPeer(version, {
        'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
        'tools/call': () => ({ result: { ...text('t'), structuredContent: results.shift() } }),
      });
      await using client = await connectTo(peer, version);
      await client.listTools();
      expect(await client.callTool('any')).toMatchObject({ structuredContent: { n: 1 } });
      await expect(client.callTool('any')).rejects.toThrow('/n must be of type integer');
      await expect(client.callTool('any')).rejects.toThrow('returned no structuredContent');
    },
  );

  test('structured content of an error is not validated, and content may be missing', async () => {
    const results = [{ ...text('No'), isError: true }, { structuredContent: { n: 2 } }];
    const peer = new ScriptedPeer(newest, {
      'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
      'tools/call': () => ({ result: results.shift()! }),
    });
    await using client = await connectTo(peer, newest);
    await client.listTools();
    expect(await client.callTool('any')).toMatchObject({ isError: true });
    expect(await client.callTool('any')).toEqual({ content: [], structuredContent: { n: 2 } });
  });
});

requirement(
  'RES-09',
  'a missing resource is an error with the code of the server, old or new',
  async (version) => {
    for (const code of [-32002, -32602]) {
      const peer = new ScriptedPeer(version, {
        'resources/read': () => ({ error: { code, message: 'Not found' } }),
      });
      await using client = await connectTo(peer, version);
      await expect(client.readResource('x:///')).rejects.toMatchObject({ code, phase: 'call' });
    }
  },
);

describe('the list of tools', () => {
  const listing = (version: string, hints: object) =>
    new ScriptedPeer(version, { 'tools/list': () => ({ result: { tools: [tool], ...hints } }) });

  requirement(
    'CACHE-07',
    'the list of tools is cached for its ttlMs and read again after a change',
    async (version) => {
      const kept = listing(version, { ttlMs: 60_000, cacheScope: 'private' });
      await using client = await connectTo(kept, version);
      for (let n = 0; n < 3; n++) expect(await client.listTools()).toHaveLength(1);
      expect(kept.of('tools/list')).toHaveLength(1);
      kept.send({ method: 'notifications/tools/list_changed' });
      await client.callTool('any');
      await client.listTools();
      expect(kept.of('tools/list')).toHaveLength(2);
      for (const hints of [{}, { ttlMs: 0 }, { ttlMs: -5 }, { ttlMs: 'x' }]) {
        const stale = listing(version, hints);
        await using other = await connectTo(stale, version);
        await other.listTools();
        await other.listTools();
        expect(stale.of('tools/list')).toHaveLength(2);
      }
    },
  );

  requirement(['CACHE-05', 'CACHE-06'], 'a cached list is used by its own client alone', async (version) => {
    const peer = listing(version, { ttlMs: 60_000, cacheScope: 'private' });
    await using client = await connectTo(peer, version);
    await using other = await connectTo(peer, version);
    await client.listTools();
    await other.listTools();
    expect(peer.of('tools/list')).toHaveLength(2);
    await expect(client.listPrompts()).rejects.toMatchObject({ code: -32601 });
  });
});
