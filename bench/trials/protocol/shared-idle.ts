import { setTimeout } from 'node:timers/promises';
import { memoryMb, start, stop } from '../../child.ts';
import { openedSession } from '../../http-load.ts';
import { Redis } from '../../redis.ts';
import type { Trial } from '../../trial.ts';

const seconds = 20;

export const sharedIdle: Trial = {
  name: 'shared-idle',
  about: `commands that Redis runs in a minute while nothing happens, measured over ${seconds} s: for a replica, and for one on which clients of 2025-11-25 have opened their streams for notifications`,
  implementations: {
    'no stream': { args: ['0'] },
    '100 streams': { args: ['100'] },
    '1,000 streams': { args: ['1000'] },
  },
  columns: ['commands', 'MB of the replica'],
  runs: 1,
  async measure({ args: [streams = ''] }) {
    await using redis = await Redis.start();
    const server = start({ args: ['servers/http-shared.mjs', redis.url] });
    const url = await new Promise<URL>((resolve) => {
      server.stdout.once('data', (line: Buffer) => resolve(new URL(line.toString().trim())));
    });
    const ended = new AbortController();
    const opened = Array.from({ length: Number(streams) }, async () => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': await openedSession(url) };
      const response = await fetch(url, { headers, signal: ended.signal });
      if (!response.ok) throw new Error(`The server opened no stream: ${response.status}`);
    });
    await Promise.all(opened);
    const before = await redis.commands();
    await setTimeout(seconds * 1_000);
    const commands = ((await redis.commands()) - before) * (60 / seconds);
    const memory = memoryMb(server);
    ended.abort();
    await stop(server);
    return [commands, memory];
  },
  goals: [],
};
