import { memoryMb, start, stop } from '../../child.ts';
import { listenRequest, open } from '../../http-load.ts';
import type { Trial } from '../../trial.ts';

const streams = 1_000;

export const openStreams: Trial = {
  name: 'open-streams',
  about: `${streams} subscription streams open at once`,
  implementations: { ours: { args: ['servers/http.mjs', '1'] } },
  columns: ['MB'],
  runs: 3,
  async measure(program) {
    const server = start(program);
    const url = await new Promise<URL>((resolve) => {
      server.stdout.once('data', (line: Buffer) => resolve(new URL(line.toString().trim())));
    });
    const request = listenRequest(url);
    const sockets = await Promise.all(
      Array.from({ length: streams }, async () => {
        const socket = await open(url);
        const acknowledged = new Promise<void>((resolve) => {
          socket.on('data', (chunk: Buffer) => chunk.includes('acknowledged') && resolve());
        });
        socket.write(request);
        await acknowledged;
        return socket;
      }),
    );
    const memory = memoryMb(server);
    for (const socket of sockets) socket.destroy();
    await stop(server);
    return [memory];
  },
  goals: [{ column: 'MB', of: 'ours', atMost: 150 }],
};
