import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { end, probeServer, program } from './gateway-program.ts';

// Windows has named pipes in place of sockets.
test.skipIf(process.platform === 'win32')(
  'a gateway at a Unix socket is a server of a configuration, and of the command line',
  async () => {
    const directory = new TemporaryDirectory('gateway-socket');
    onTestFinished(() => directory[Symbol.dispose]());
    const env = { HOME: directory.base, XDG_STATE_HOME: directory.base, PATH: process.env['PATH'] ?? '' };
    const served = directory.put(
      'served.json',
      JSON.stringify({ mcpServers: { probe: probeServer('probe') } }),
    );
    const socket = join(directory.base, 's');
    const gateway = spawn(
      process.execPath,
      [program, '--config', served, 'serve', '--http', `unix:${socket}`],
      {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    onTestFinished(() => end(gateway));
    const [line] = (await once(createInterface(gateway.stderr), 'line')) as [string];
    expect(line).toBe(`Listening on unix://${socket}#/mcp`);
    const url = line.replace('Listening on ', '');

    for (const address of [url, `unix:${socket}`]) {
      const servers = { local: { type: 'http', url: address } };
      const file = directory.put('mcp.json', JSON.stringify({ servers }));
      const args = ['call', 'local.probe__echo', 'text=Hi'];
      const configured = await runProgram(program, ['--config', file, ...args], { env });
      expect(configured).toMatchObject({ code: 0, stdout: 'Hi\n' });
      const named = await runProgram(program, ['tools', address], { env });
      expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('probe__echo') });
    }
    gateway.kill('SIGTERM');
    expect(await once(gateway, 'exit')).toEqual([0, null]);
  },
);
