import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, serverAt } from '@mcp/protocol/client';
import { atPort, expectSessions, start, startOf } from './commands.ts';
import { expectCount, expectCounter, expectHosts } from './expect-counter.ts';
import { Project } from './project.ts';

interface ServerCheck {
  readonly page: string;
  readonly project: Project;
  readonly env?: NodeJS.ProcessEnv;
  /** What else the server at `origin` does. */
  readonly expect?: (origin: string) => Promise<void>;
  /** How the program ends after SIGTERM. Default: 0. */
  readonly ends?: number | 'SIGTERM';
}

/** Runs the server of a page whose program needs no more than its packages. */
export async function checkServer(page: string, unpacked: string): Promise<void> {
  using project = new Project(page, unpacked);
  await expectServer({ page, project });
}

export async function checkNext(unpacked: string): Promise<void> {
  const page = 'frameworks/next.md';
  using project = new Project(page, unpacked);
  // As create-next-app writes it.
  project.put('tsconfig.json', '{ "compilerOptions": { "strict": true } }');
  const path = '/.well-known/oauth-protected-resource/mcp';
  project.put(`app${path}/route.ts`, "export { GET } from '../../../mcp/route';\n");
  const expect = async (origin: string) => {
    assert.match(await (await fetch(`${origin}${path}`)).text(), /the endpoint is at/);
    await expectUncompressed(`${origin}/mcp`);
  };
  await expectServer({ page, project, expect, env: { NEXT_TELEMETRY_DISABLED: '1' }, ends: 143 });
}

export async function checkNest(unpacked: string): Promise<void> {
  const page = 'frameworks/nest.md';
  using project = new Project(page, unpacked);
  project.put('package.json', '{}');
  project.put('tsconfig.json', JSON.stringify({ compilerOptions: nestOptions }));
  await expectServer({ page, project, ends: 'SIGTERM' });
  // Behind the parsers of Nest, the handler takes what they have parsed.
  const option = ', { bodyParser: false }';
  const compiled = readFileSync(join(project.directory, 'dist/main.js'), 'utf8');
  assert.ok(compiled.includes(option));
  project.put('dist/main.js', compiled.replace(option, ''));
  const { program, port } = await start(project, startOf(page).slice(-1));
  await using _ = program;
  await program.during(async () => {
    await using client = await Client.connect(serverAt(`http://127.0.0.1:${port}/mcp`));
    await expectCount(client);
  });
}

/** The options of TypeScript in an application that Nest's command has made, which is CommonJS. */
const nestOptions = {
  module: 'nodenext',
  isolatedModules: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  target: 'ES2023',
  outDir: './dist',
  skipLibCheck: true,
  strictNullChecks: true,
  noImplicitAny: true,
  strictBindCallApply: true,
};

/** Starts a server by the commands of its page, calls it as the page does, and ends it. */
async function expectServer({ page, project, env, expect, ends }: ServerCheck): Promise<void> {
  const { program, port } = await start(project, startOf(page), env);
  await using _ = program;
  const origin = `http://127.0.0.1:${port}`;
  await program.during(async () => {
    await expectCounter(`${origin}/mcp`);
    await program.printed(/count: cancelled[^]*count: cancelled/);
    await expectHosts(`${origin}/mcp`);
    await expectSessions(page, project, atPort(port));
    await expect?.(origin);
  });
  await program.end(ends);
}

/** Expects that a stream is not compressed for a client that accepts that: it would be held back. */
async function expectUncompressed(url: string): Promise<void> {
  const name = 'count';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Accept-Encoding': 'gzip',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: { to: 2 },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          progressToken: 1,
        },
      },
    }),
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(response.headers.get('content-encoding'), null);
  assert.match(await response.text(), /Counted to 2/);
}
