import { setTimeout as wait } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { initialize, memoryMb, start, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';
import { HostWorkspace } from './host-workspace.ts';

const servers = 20;
const calls = 20_000;
const echo = fileURLToPath(new URL('../../servers/echo.mjs', import.meta.url));
const workspace = new HostWorkspace(() =>
  Object.fromEntries(
    Array.from({ length: servers }, (_, index) => [`s${index}`, { command: process.execPath, args: [echo] }]),
  ),
);
process.once('exit', () => workspace[Symbol.dispose]());

export const gatewayMemory: Trial = {
  name: 'gateway-memory',
  about:
    `The memory of the process of \`mcp serve\` with ${servers} connected servers, which have processes of their own: ` +
    `when all tools are listed, and after ${calls} calls of all of them, 64 at once`,
  implementations: { ours: workspace.command('ours', '--config', workspace.config, 'serve') },
  columns: ['idle MB', 'busy MB'],
  runs: 3,
  async measure(program) {
    const gateway = start(program);
    const lines = createInterface(gateway.stdout)[Symbol.asyncIterator]();
    let id = 0;
    const send = (method: string, params: object) =>
      gateway.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    const answer = async () =>
      JSON.parse(String((await lines.next()).value)) as { result?: { tools?: object[] } };
    gateway.stdin.write(initialize);
    await answer();
    for (let listed = 0; listed < servers;) {
      send('tools/list', {});
      const { result } = await answer();
      listed = result?.tools?.length ?? listed;
      if (listed < servers) await wait(200);
    }
    const idle = memoryMb(gateway);
    let busy = idle;
    const call = (index: number) =>
      send('tools/call', { name: `s${index % servers}__echo`, arguments: { text: 'Hello' } });
    for (let index = 0; index < 64; index++) call(index);
    for (let done = 0; done < calls; done++) {
      await answer();
      if (done + 64 < calls) call(done);
      if (done % 500 === 0) busy = Math.max(busy, memoryMb(gateway));
    }
    await stop(gateway);
    return [idle, busy];
  },
  goals: [
    { column: 'idle MB', of: 'ours', atMost: 150 },
    { column: 'busy MB', of: 'ours', atMost: 150 },
  ],
};
