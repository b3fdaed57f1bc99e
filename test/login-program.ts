import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { Client, type ClientOptions, serverAt } from '@mcp/protocol/client';
import { TemporaryDirectory } from '@mcp/test-kit';
import { onTestFinished } from 'vitest';
import { login } from '../packages/login/test/browser.ts';

// Programs with `--login`, our client, and a user who types the passphrase.

export { passphrase } from '../packages/login/test/protected-notes.ts';

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export function directory(): TemporaryDirectory {
  const made = new TemporaryDirectory('mcp-login');
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

export interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  /** The lines of stderr so far. */
  readonly lines: string[];
  readonly home: string;
}

export async function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  files: TemporaryDirectory,
): Promise<Started> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: files.base, ...env },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr! });
  const listening = Promise.withResolvers<string>();
  reader.on('line', (line) => {
    lines.push(line);
    const [, url] = /^Listening on (.*)$/.exec(line) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  reader.on('close', () => listening.reject(new Error(lines.join('\n'))));
  return { url: await listening.promise, child, lines, home: files.base };
}

export function connect(url: string, options: ClientOptions = {}): Promise<Client> {
  const redirect = loopbackRedirect({
    open: async (page) => {
      await (await fetch(await login(page))).text();
    },
  });
  const grant = { type: 'authorization_code', clientName: 'Editor', ...redirect } as const;
  return Client.connect(serverAt(url, { authorize: withOAuth({ grant }) }), options);
}
