import { fileURLToPath } from 'node:url';
import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

const program = fileURLToPath(new URL('../../servers/many-tools.mjs', import.meta.url));

export const toolsListed: Growth = {
  name: 'tools',
  about:
    'A list of tools: the first one, the middle of ten later ones, the length of its page, and the memory of the server.',
  unit: 'tools',
  sizes: [1, 10, 100, 1_000],
  columns: ['first ms', 'later ms', 'kB', 'peak MB'],
  async measure(size) {
    const server = new Conversation({ args: [program, String(size)] }, []);
    await server.request('ping');
    const started = performance.now();
    let bytes = (await server.request('tools/list')).length;
    const first = performance.now() - started;
    const later = await middle(10, async () => (bytes = (await server.request('tools/list')).length));
    const memory = peakMemoryMb(server.process);
    await stop(server.process);
    return [first, later, bytes / 1_000, memory];
  },
};
