import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { Client, HttpChannel } from '@mcp/protocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, submit } from '../../packages/login/test/browser.ts';
import { matches } from '../../packages/host/test/session-pattern.ts';
import { codeBlocks } from './pages.ts';
import { Workspace } from './workspace.ts';

// The commands of the page, with another port, and a tunnel that is a function.

const publicOrigin = 'https://mcp.example.com';
const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const blocks = codeBlocks('guides/web-hosts.md');
const sessions = blocks.filter(({ language }) => language === 'console');
const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code.trim());

describe('the commands of guides/web-hosts.md', () => {
  beforeAll(async () => {
    for (const { code } of sessions)
      for (const part of code.split(/^\$ /m).slice(1)) {
        const [command = '', ...shown] = part.trimEnd().split('\n');
        const printed = await workspace.run(command);
        expect(matches(printed.trimEnd(), shown.join('\n')), `${command}\n${printed}`).toBe(true);
      }
  });

  test('a host logs in, and gets the tools that only read', async () => {
    await using gateway = await Gateway.start(commands[0]!);
    await using client = await gateway.connect();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toContain('notes__read_text_file');
    expect(names).not.toContain('notes__write_file');
    const answer = await client.callTool('notes__read_text_file', { path: 'shopping.txt' });
    expect(answer.content).toMatchObject([{ text: expect.stringContaining('Milk and bread') }]);
    expect(gateway.lines).toContainEqual(
      expect.stringMatching(/^notes: not served without --allow: .*"write_file"/),
    );
    expect(gateway.lines).toContainEqual(expect.stringMatching(/^Access granted to "Claude"/));
  });

  test('a tool that writes is allowed by its name', async () => {
    const file = join(workspace.directory, 'notes/new.txt');
    await using gateway = await Gateway.start(commands[1]!);
    await using client = await gateway.connect();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toContain('notes__write_file');
    expect(names).not.toContain('notes__edit_file');
    expect(existsSync(file)).toBe(false);
    await client.callTool('notes__write_file', { path: 'new.txt', content: 'Eggs' });
    expect(readFileSync(file, 'utf8')).toBe('Eggs');
  });
});

/** A command of the page that serves, at a free port, behind a tunnel. */
class Gateway implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #origin: string;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.#origin = origin;
  }

  static async start(command: string): Promise<Gateway> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    expect(command).toContain('--http 8080 ');
    const child = workspace.spawn(`exec ${command.replace('8080', String(port))}`);
    const gateway = new Gateway(child, `http://127.0.0.1:${port}`);
    const listening = Promise.withResolvers<void>();
    const reader = createInterface({ input: child.stderr });
    reader.on('line', (line) => {
      gateway.lines.push(line);
      if (line.startsWith('Listening on ')) listening.resolve();
    });
    reader.on('close', () => listening.reject(new Error(gateway.lines.join('\n'))));
    await listening.promise;
    return gateway;
  }

  /** A client on the web, whose user types the passphrase of the page. */
  connect(): Promise<Client> {
    const password = readFileSync(join(workspace.directory, 'passphrase'), 'utf8').trim();
    const through = (url: string | URL) => String(url).replace(publicOrigin, this.#origin);
    const tunnel = (request: Request) =>
      request.url.startsWith(publicOrigin)
        ? fetch(new Request(through(request.url), request))
        : fetch(request);
    const redirect = loopbackRedirect({
      open: async (page) => {
        const decided = await submit(await openPage(through(page)), {
          password,
          headers: { origin: publicOrigin },
        });
        await (await fetch(decided.response.headers.get('location')!)).text();
      },
    });
    const grant = { type: 'authorization_code', clientName: 'Claude', ...redirect } as const;
    const authorize = withOAuth({ grant });
    return Client.connect(new HttpChannel(`${publicOrigin}/mcp`, { authorize, fetch: tunnel }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill();
    await exited;
  }
}
