import { expect, test } from 'vitest';
import { connectProgram } from '../../program.ts';
import { sh, Workspace } from '../../workspace.ts';

const script = "trap '' TERM; exec 9>fifo; echo up >&9; while :; do sleep 1; done";
const escaped = `setsid sh -c "${script}"`;

async function started(
  workspace: Workspace,
): Promise<Awaited<ReturnType<typeof connectProgram>> & { gone: Promise<unknown> }> {
  const fifo = workspace.fifo('fifo');
  const connected = await connectProgram([workspace.file]);
  void connected.client.callTool('hangs').catch(() => {});
  await fifo.opened;
  return { ...connected, gone: fifo.gone };
}

test.skipIf(process.platform === 'win32').each([
  ['is killed', script, 'kill'],
  ['is killed, and the process has left its session', escaped, 'kill'],
  ['loses its client', script, 'close'],
  ['loses its client, and the process has left its session', escaped, 'close'],
])('no process is left when the server %s', async (_, program, end) => {
  using workspace = new Workspace({ hangs: sh(program) });
  const { client, server, gone } = await started(workspace);
  if (end === 'kill') server.child.kill('SIGKILL');
  else await client.close();
  await gone;
  await server.exited;
  await expect(client.ping()).rejects.toThrow();
});
