import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client, serverAt } from '@mcp/protocol/client';
import { describe, expect, inject, test } from 'vitest';
import { PageProgram } from './frameworks/page-program.ts';

describe.runIf(inject('frameworks')).each(['express', 'fastify', 'hono'])('frameworks/%s.md', (name) => {
  test('calls, streams, cancels, refuses other hosts, and ends', async () => {
    await using program = PageProgram.start(`frameworks/${name}.md`);
    const port = await portOf(program);
    const url = `http://127.0.0.1:${port}/mcp`;

    for (const revision of ['2025-11-25', '2026-07-28']) {
      await using client = await Client.connect(serverAt(url), { revision });
      const events: string[] = [];
      const result = client
        .callTool('count', { to: 3 }, { onProgress: (done) => void events.push(`progress ${done}`) })
        .then(({ content }) => events.push(JSON.stringify(content)));
      await result;
      expect(events).toEqual([
        'progress 1',
        'progress 2',
        'progress 3',
        expect.stringContaining('Counted to 3'),
      ]);

      const begun = Promise.withResolvers<void>();
      const abort = new AbortController();
      const long = client.callTool(
        'count',
        { to: 100_000 },
        { signal: abort.signal, onProgress: () => begun.resolve() },
      );
      // The progress arrives while the call runs, so no part of the framework holds the stream back.
      await begun.promise;
      abort.abort();
      await expect(long).rejects.toThrow();
    }
    await program.printed(/count: cancelled.*\n(?:.*\n)*?.*count: cancelled/);
    expect(await statusFor(port, 'mcp.example.com')).not.toBe(403);
    expect(await statusFor(port, 'other.example.com')).toBe(403);
    expect(await program.end()).not.toBeNull();
  });
});

describe.runIf(inject('frameworks'))('a router that removes its path from the URL', () => {
  test('frameworks/express.md: the handler answers at the whole path', async () => {
    await using program = PageProgram.start('frameworks/express.md', (code) =>
      code
        .replace("path: '/mcp'", "path: '/api/mcp'")
        .replace("app.all('/mcp', ", "app.use('/api', express.Router().use('/mcp', ")
        .replace('handler.node);', 'handler.node));'),
    );
    const url = `http://127.0.0.1:${await portOf(program)}/api/mcp`;
    for (const revision of ['2025-11-25', '2026-07-28']) {
      await using client = await Client.connect(serverAt(url), { revision });
      expect((await client.callTool('count', { to: 1 })).content).toMatchObject([{ text: 'Counted to 1' }]);
    }
  });
});

describe.runIf(inject('frameworks'))('a body that a framework has parsed', () => {
  test('frameworks/express.md: behind express.json(), the handler takes it', async () => {
    const parser = 'app.use(express.json());\n';
    const route = "app.all('/mcp', handler.node);\n";
    await using program = PageProgram.start('frameworks/express.md', (code) => {
      expect(code).toContain(route + parser);
      return code.replace(route + parser, parser + route);
    });
    const url = `http://127.0.0.1:${await portOf(program)}/mcp`;
    await using client = await Client.connect(serverAt(url));
    expect((await client.callTool('count', { to: 1 })).content).toMatchObject([{ text: 'Counted to 1' }]);
  });

  test('frameworks/fastify.md: with the parsers of Fastify, the answer says what is wrong', async () => {
    await using program = PageProgram.start('frameworks/fastify.md', (code) =>
      code.replaceAll(/^ {2}scope\.(?:remove|add).*\n/gm, ''),
    );
    const url = `http://127.0.0.1:${await portOf(program)}/mcp`;
    await expect(Client.connect(serverAt(url))).rejects.toThrow('has been read before');
  });
});

async function portOf(program: PageProgram): Promise<number> {
  const [line] = await program.printed(/listening.*(?:\n.*)?port: ?\d+|listening http:\S+/);
  return Number(/(\d+)$/.exec(line)![1]);
}

/** The status of a request with a name of a host. */
async function statusFor(port: number, host: string): Promise<number | undefined> {
  const asked = request({
    port,
    host: '127.0.0.1',
    path: '/mcp',
    method: 'GET',
    headers: { host },
    agent: false,
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
