import { fileURLToPath } from 'node:url';
import { memoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { HostWorkspace } from '../../trials/host/host-workspace.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

interface ToolList {
  readonly result: { readonly tools: readonly { readonly name: string }[] };
}

const echo = fileURLToPath(new URL('../../servers/echo.mjs', import.meta.url));

export const gatewayServers: Growth = {
  name: 'servers',
  about:
    'Servers behind one `mcp serve`: until all tools are listed, a later list, a call, and the memory of the gateway alone.',
  unit: 'servers',
  sizes: [1, 10, 50],
  large: [100],
  columns: ['all listed ms', 'later list ms', 'call ms', 'MB'],
  async measure(size) {
    using workspace = new HostWorkspace(() =>
      Object.fromEntries(
        Array.from({ length: size }, (_, index) => [
          `s${index}`,
          { command: process.execPath, args: [echo] },
        ]),
      ),
    );
    const started = performance.now();
    const gateway = new Conversation(workspace.command('ours', '--config', workspace.config, 'serve'), []);
    const listed = async () => {
      const { result } = JSON.parse(await gateway.request('tools/list')) as ToolList;
      return result.tools;
    };
    const changed = () => gateway.notified('tools/list_changed');
    for (let next = changed(); (await listed()).length < size; next = changed()) await next;
    const all = performance.now() - started;
    const tools = await listed();
    const later = await middle(10, listed);
    const call = await middle(50, (run) => gateway.call(tools[run % size]!.name, { text: 'Hello' }));
    const memory = memoryMb(gateway.process);
    await stop(gateway.process);
    return [all, later, call, memory];
  },
};
