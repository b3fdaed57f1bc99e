import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { Client, HttpChannel } from '@mcp/protocol/client';
import type { HttpListener } from '@mcp/protocol/http';
import { afterAll, describe, expect, test } from 'vitest';
import { login } from '../../packages/login/test/browser.ts';
import { passphrase } from '../../packages/login/test/protected-notes.ts';
import { HttpServer } from '../../packages/test-kit/src/http-server.ts';
import { audience, Issuer } from '../../packages/verifiers/test/issuer.ts';
import { serverProgram } from '../../test/server-program.ts';
import { PageCode } from './page-code.ts';
import { codeBlocks, docs } from './pages.ts';

const run = promisify(execFile);
const code = new PageCode();
afterAll(() => code[Symbol.dispose]());

type Module = { readonly listener: HttpListener };
/** Lists what a client without a token is told. */
const list = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
    body: '{}',
  });

test('guides/authorization.md: only a client with a valid token can call', async () => {
  await using issuer = await Issuer.start();
  process.env['ISSUER'] = issuer.issuer;
  const { listener } = await code.load<Module>('guides/authorization.md', 'listener');
  try {
    const refused = await list(listener.url);
    expect(refused.status).toBe(401);
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toContain('/.well-known/oauth-protected-resource');
    const { pathname } = new URL(metadata);
    expect(await (await fetch(new URL(pathname, listener.url))).json()).toMatchObject({
      resource: 'https://mcp.example.com/mcp',
      authorization_servers: [issuer.issuer],
    });

    const connect = (token: string) =>
      Client.connect(new HttpChannel(listener.url, { headers: { Authorization: `Bearer ${token}` } }));
    await using client = await connect(await issuer.token());
    expect((await client.callTool('hello')).content).toEqual([{ type: 'text', text: 'Hello ada' }]);
    await expect(connect(await issuer.token({ aud: 'https://other.example' }))).rejects.toThrow('token');
  } finally {
    delete process.env['ISSUER'];
    await listener.close();
  }
});

test('guides/authorization.md: a user lets a client in with the passphrase', async () => {
  const probe = await HttpServer.start();
  await probe[Symbol.asyncDispose]();
  const { port } = new URL(probe.origin);
  const before = { ...process.env };
  const given = {
    PORT: port,
    PUBLIC_URL: `${probe.origin}/mcp`,
    PASSPHRASE: passphrase,
    HOME: code.directory,
  };
  Object.assign(process.env, given);
  try {
    const { personal } = await code.load<{ personal: HttpListener }>('guides/authorization.md', 'personal');
    const redirect = loopbackRedirect({
      open: async (page) => void (await fetch(await login(page))),
    });
    const grant = { type: 'authorization_code', clientName: 'Editor', ...redirect } as const;
    try {
      const channel = new HttpChannel(personal.url, { authorize: withOAuth({ grant }) });
      await using client = await Client.connect(channel);
      expect((await client.callTool('hello')).content).toEqual([{ type: 'text', text: 'Hello from Editor' }]);
    } finally {
      await personal.close();
    }
  } finally {
    for (const name of Object.keys(given)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

describe('guides/replicas.md', () => {
  const form = { action: 'accept', content: { size: 'large' } } as const;

  /** Orders through two replicas, each of which gets every other request. */
  async function order(replicas: readonly Module[]): Promise<unknown> {
    let count = 0;
    const served: string[] = [];
    const [first, second] = replicas.map(({ listener }) => listener.url);
    const alternate = (request: Request) => {
      const target = count++ % 2 === 0 ? first! : second!;
      served.push(target);
      return fetch(new Request(target, request));
    };
    await using client = await Client.connect(new HttpChannel(first!, { fetch: alternate }), {
      elicit: async () => form,
    });
    const { content } = await client.callTool('order_tea', { tea: 'Assam' });
    // The question left one replica, and the answer arrived at the other.
    expect(new Set(served.slice(-2)).size).toBe(2);
    return content[0];
  }

  /** Keys of one digit each, such as `1,2`, as the page writes them. */
  const written = (keys: string) => keys.replaceAll(/\d/g, (digit) => digit.repeat(64));

  async function withReplicas(keys: readonly string[], work: (replicas: readonly Module[]) => Promise<void>) {
    const replicas: Module[] = [];
    try {
      for (const key of keys) {
        process.env['STATE_KEYS'] = written(key);
        replicas.push(await code.load<Module>('guides/replicas.md', 'listener'));
      }
      await work(replicas);
    } finally {
      delete process.env['STATE_KEYS'];
      for (const { listener } of replicas) await listener.close();
    }
  }

  test('a question that one replica asked is answered at another', async () => {
    await withReplicas(['1', '1'], async (replicas) => {
      expect(await order(replicas)).toMatchObject({ text: 'Ordered a large packet of Assam for 4 €' });
    });
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'replicas share the sessions of %s',
    async (revision) => {
      await withReplicas(['1', '1,2', '2,1'], async (replicas) => {
        let count = 0;
        const served = new Set<number>();
        const inTurn = (request: Request) => {
          const turn = count++ % replicas.length;
          served.add(turn);
          return fetch(new Request(replicas[turn]!.listener.url, request));
        };
        const { url } = replicas[0]!.listener;
        await using client = await Client.connect(new HttpChannel(url, { fetch: inTurn }), { revision });
        for (let request = 0; request < 6; request++)
          expect(await client.listTools()).toMatchObject([{ name: 'order_tea' }]);
        expect(served.size).toBe(3);
      });
    },
  );

  test('the steps of a new key drop nothing', async () => {
    for (const step of [
      ['1', '1,2'],
      ['1,2', '2,1'],
      ['2,1', '2'],
    ])
      await withReplicas(step, async (replicas) => {
        for (const both of [replicas, replicas.toReversed()])
          expect(await order(both)).toMatchObject({ text: 'Ordered a large packet of Assam for 4 €' });
      });
  });

  test('replicas with other keys refuse the state', async () => {
    await withReplicas(['1', '2'], async (replicas) => {
      await expect(order(replicas)).rejects.toThrow('requestState');
    });
  });
});

test('http.md: the server that verifies tokens takes those that it verifies', async () => {
  Object.assign(process.env, { PORT: '0', EXAMPLE_TOKEN: 'an-example' });
  const { listener } = await code.load<Module>('http.md', 'listener');
  try {
    const url = listener.url.replace('0.0.0.0', '127.0.0.1');
    expect((await list(url)).status).toBe(401);
    const headers = { Authorization: 'Bearer an-example' };
    await using client = await Client.connect(new HttpChannel(url, { headers }));
    expect(client.serverInfo?.name).toBe('example');
  } finally {
    await listener.close();
  }
});

test('http.md: the server that asks about tokens knows the team of their owners', async () => {
  const teams: { readonly [token: string]: string } = { one: 'blue' };
  await using http = await HttpServer.start({
    '/introspect': ({ body }) => {
      const team = teams[new URLSearchParams(body).get('token') ?? ''];
      return { json: { active: true, sub: 'ada', aud: audience, team } };
    },
  });
  process.env['ISSUER'] = http.origin;
  const { endpoint } = await code.load<{ endpoint: HttpListener }>('http.md', 'endpoint');
  try {
    const connect = (token: string) =>
      Client.connect(new HttpChannel(endpoint.url, { headers: { Authorization: `Bearer ${token}` } }));
    await using client = await connect('one');
    expect((await client.callTool('team')).content).toEqual([{ type: 'text', text: 'blue' }]);
    await expect(connect('two')).rejects.toThrow('token');
  } finally {
    delete process.env['ISSUER'];
    await endpoint.close();
  }
});

describe('the commands of http.md', () => {
  let server: ChildProcess | undefined;
  afterAll(() => server?.kill());

  test('a server of the command line prints its address, and answers curl', async () => {
    const [start, curl] = codeBlocks('http.md').filter(({ language }) => language === 'sh');
    expect(start?.code).toBe('npx @mcp/server-filesystem /some/directory --http 8080\n');
    server = spawn(process.execPath, [serverProgram('filesystem'), docs, '--http', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [line] = (await once(createInterface(server.stderr!), 'line')) as [string];
    const [url = ''] = /http:\S+/.exec(line) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { stdout } = await run('sh', ['-c', curl!.code.replace('http://127.0.0.1:8080/mcp', url)]);
    expect(stdout).toContain('"name":"read_text_file"');
  });
});
