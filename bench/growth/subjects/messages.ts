import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

const echo = fileURLToPath(new URL('../../servers/echo.mjs', import.meta.url));
const official = fileURLToPath(new URL('../../servers/echo-sdk-v2.mjs', import.meta.url));
/** How long the answers of one length may take, in milliseconds. */
const patience = 20_000;

export const lengthOfMessages: Growth = {
  name: 'messages',
  about:
    'An echo over stdio by its length: the middle of five, beside the official SDK v2 as far as it answers within 20 s, and the memory of each.',
  unit: 'characters',
  sizes: [100, 10_000, 1_000_000, 60_000_000],
  columns: ['ms', 'SDK v2 ms', 'peak MB', 'SDK v2 peak MB'],
  async measure(size) {
    const [ms, mb] = await measured(echo, size);
    const [officialMs, officialMb] = await measured(official, size);
    return [ms, officialMs, mb, officialMb];
  },
};

async function measured(program: string, size: number): Promise<readonly [ms: number, mb: number]> {
  const server = new Conversation({ args: [program] }, []);
  const text = 'x'.repeat(size);
  // A server may end instead of answering.
  const calls = middle(5, () => server.call('echo', { text })).catch(() => Number.NaN);
  const ms = await Promise.race([calls, wait(patience, Number.NaN, { ref: false })]);
  const memory = Number.isNaN(ms) ? ms : peakMemoryMb(server.process);
  if (server.process.exitCode === null) await stop(server.process);
  return [ms, memory];
}
