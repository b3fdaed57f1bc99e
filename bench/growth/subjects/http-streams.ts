import { memoryMb, start, stop } from '../../child.ts';
import { listenRequest, open } from '../../http-load.ts';
import type { Growth } from '../growth.ts';

export const httpStreams: Growth = {
  name: 'streams',
  about:
    'Streams on which clients listen, open at once: the memory of the server, beside a bare `node:http` server that holds as many responses open.',
  unit: 'streams',
  sizes: [1, 10, 100, 1_000, 9_000],
  columns: ['MB', 'bare node:http MB'],
  async measure(size) {
    return [
      await memoryOf(['servers/http.mjs', '1'], size),
      await memoryOf(['servers/held-responses.mjs'], size),
    ];
  },
};

async function memoryOf(args: readonly string[], size: number): Promise<number> {
  const server = start({ args });
  const url = await new Promise<URL>((resolve) => {
    server.stdout.once('data', (line: Buffer) => resolve(new URL(line.toString().trim())));
  });
  const request = listenRequest(url);
  const sockets = [];
  for (let opened = 0; opened < size; opened++) {
    const socket = await open(url);
    const acknowledged = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => chunk.includes('acknowledged') && resolve());
    });
    socket.write(request);
    await acknowledged;
    sockets.push(socket);
  }
  const memory = memoryMb(server);
  for (const socket of sockets) socket.destroy();
  await stop(server);
  return memory;
}
