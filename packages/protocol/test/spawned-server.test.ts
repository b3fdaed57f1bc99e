import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { type ServerCommand, spawnServer } from '@mcp/protocol/stdio';
import { afterAll, expect, test } from 'vitest';

const node = (code: string): ServerCommand => ({ command: process.execPath, args: ['-e', code] });

const notExecutable = mkdtempSync(join(tmpdir(), 'not-executable-'));
writeFileSync(join(notExecutable, 'document'), '', { mode: 0o644 });
afterAll(() => rmSync(notExecutable, { recursive: true }));

test.each<[string, ServerCommand, string]>([
  [
    'that does not exist',
    { command: 'no-such' },
    'cannot be started: Cannot start "no-such": there is no such command',
  ],
  [
    'that is not executable, or behind a directory of PATH that is not readable',
    { command: 'document', env: { PATH: notExecutable } },
    'cannot be started: Cannot start "document": there is no such command, or no permission to execute it',
  ],
  [
    'in a directory that does not exist',
    { ...node(''), cwd: '/no/such' },
    `Cannot start "${process.execPath}": there is no such command, or no directory "/no/such"`,
  ],
  ['that fails', node('process.exit(3)'), `"${process.execPath}" ended: exit code 3`],
  ['that is killed', node('process.kill(process.pid, "SIGKILL")'), `"${process.execPath}" ended: SIGKILL`],
  [
    'that closes its stdout',
    { command: 'sh', args: ['-c', 'exec sleep 30 >&-'] },
    'The connection has ended',
  ],
])('the error names the cause for a server %s', async (_what, command, message) => {
  const server = spawnServer(command);
  await expect(Client.connect(server.channel)).rejects.toThrow(message);
  server.child.kill();
});

test('a request fails with the exit code when the server process ends before its answer', async () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}';
  const server = spawnServer(
    node(`process.stdin.once('data', () => {
      console.log('${answer}');
      process.stdin.once('data', () => process.exit(7));
    })`),
  );
  const client = await Client.connect(server.channel);
  await expect(client.callTool('any')).rejects.toThrow('ended: exit code 7');
  expect(await server.exited).toEqual({ code: 7, signal: null });
});
