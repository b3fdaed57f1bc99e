import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { ours } from '../../trials/filesystem/filesystem-workspace.ts';
import type { Growth } from '../growth.ts';

const changes = 100;

export const subscribedFiles: Growth = {
  name: 'subscriptions',
  about: `Subscriptions to files of one tree over stdio: from a change on the disk to its notification, ${changes} changes one after the other, and the memory of the server.`,
  unit: 'subscriptions',
  sizes: [1, 10, 100, 1_000, 10_000],
  columns: ['p50 ms', 'p99 ms', 'MB'],
  async measure(size) {
    const root = mkdtempSync(join(tmpdir(), 'growth-subscriptions-'));
    const server = new Conversation({ args: [ours.args[0]!] }, [root]);
    const paths = Array.from({ length: size }, (_, file) => {
      const directory = join(root, `d${file % 100}`);
      if (file < 100) mkdirSync(directory);
      const path = join(directory, `f${file}.txt`);
      writeFileSync(path, 'first\n');
      return path;
    });
    for (const path of paths) await server.request('resources/subscribe', { uri: pathToFileURL(path).href });
    const times: number[] = [];
    for (let change = 0; change < changes; change++) {
      const path = paths[(change * 7_919) % size]!;
      const heard = server.notified(pathToFileURL(path).href);
      const started = performance.now();
      writeFileSync(path, `change ${change}\n`);
      await heard;
      times.push(performance.now() - started);
    }
    const memory = memoryMb(server.process);
    await stop(server.process);
    rmSync(root, { recursive: true });
    const sorted = times.toSorted((a, b) => a - b);
    return [sorted[changes / 2]!, sorted[changes - 1]!, memory];
  },
  atMost: { 'p99 ms': 150 },
};
