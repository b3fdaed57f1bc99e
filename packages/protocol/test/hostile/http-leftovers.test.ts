import { createHook } from 'node:async_hooks';
import { defineTool, LiveList } from '@mcp/protocol';
import { Client, serverAt, SseChannel } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { HttpWire } from '../http/http-wire.ts';
import { example, stateless } from '../requirements/wire.ts';

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });
const hang = defineTool({
  name: 'hang',
  description: 'Ends when cancelled.',
  run: (_, { signal }) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('Cancelled'))),
});

/**
 * The places where timers were started from now on that have neither fired nor been cleared; without those of
 * the platform, such as of connections that are kept for the next request.
 */
function watchTimers() {
  const timers = new Map<number, string>();
  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const [place] = /\/src\/[\w/-]+\.ts:\d+/.exec(new Error('place').stack ?? '') ?? [];
      if (place !== undefined) timers.set(id, place);
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
  return { timers, [Symbol.dispose]: () => void hook.disable() };
}

test.each([stateless, '2025-11-25', '2024-11-05'])(
  'calls, subscriptions and sessions over HTTP leave no timers (%s)',
  async (revision) => {
    const sse = { path: '/sse', postPath: '/messages' };
    const tools = new LiveList([echo, hang]);
    await using wire = await HttpWire.open(example({ tools }), stateless, { sse });
    const overSse = {
      name: 'sse',
      http: true,
      open: () => new SseChannel(new URL(sse.path, wire.url).href),
    };
    const connect = () =>
      Client.connect(revision === '2024-11-05' ? overSse : serverAt(wire.url), { revision });
    await using client = await connect();
    const kinds: (() => Promise<unknown>)[] = [
      () => client.callTool('echo'),
      () => client.callTool('none').catch(() => undefined),
      async () => {
        const abort = new AbortController();
        const cancelled = client.callTool('hang', {}, { signal: abort.signal }).catch(() => undefined);
        setImmediate(() => abort.abort());
        await cancelled;
      },
      async () => (await client.watchList('tools', () => {}))(),
      async () => (await connect()).close(),
    ];
    for (const kind of kinds) await kind();
    using watched = watchTimers();
    for (const kind of kinds) await Promise.all(Array.from({ length: 100 }, kind));
    // The last of them may still be on their way.
    const left = () => [...watched.timers.values()];
    await expect.poll(() => left().length < 20 || left(), { interval: 20, timeout: 500 }).toBe(true);
  },
);
