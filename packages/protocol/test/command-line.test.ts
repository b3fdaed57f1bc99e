import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureProgram } from './fixtures/fixture-program.ts';
import { call, latest, modernMeta } from './hostile/messages.ts';

const program = fixtureProgram('serve-program.ts');

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function end(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

test.each([
  [['--lod'], 'Unknown option: "--lod"; did you mean "--loud"?'],
  [['-r'], 'Unknown option: "-r"'],
  [['--loud=yes'], 'The option "--loud" takes no value; got "yes"'],
  [['--directory'], 'The option "--directory" needs a value: --directory=<path>'],
  [['--directory', '--loud'], 'The option "--directory" needs a value: --directory=<path>'],
  [['--http', 'nowhere'], 'Invalid --http: "nowhere"; expected [host:]port or unix:path'],
  [
    ['--http', '0.0.0.0:0'],
    'Refusing to listen on "0.0.0.0" without a token; pass a token, or listen on 127.0.0.1',
  ],
])('%j exits with 2 and says why', async (args, message) => {
  expect(await end(start(...args))).toEqual({
    code: 2,
    stdout: '',
    stderr: `clumsy: ${message}\nRun with --help for usage\n`,
  });
});

test('a short option is the same as its long option', async () => {
  const { code, stderr } = await end(start('-d', 'a', '--directory=b', '--loud', 'word'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '[["word"],["a","b"],true]\n' });
});

/** Runs a program with a manifest, as JavaScript source; its server cannot be made. */
function startWith(manifest: string, ...args: string[]): ChildProcess {
  const code = `
    import { runProgram } from '@mcp/protocol/command-line';
    runProgram({ manifest: ${manifest}, usage: '', server: () => { throw new Error('No kitchen'); } });
  `;
  const node = ['--conditions=@mcp/source', '--input-type=module', '--eval', code, '--', ...args];
  return spawn(process.execPath, node, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] });
}

test.each([
  [`{ name: '@me/recipes', version: '1.0.0', description: 'Cooks', bin: 'dist/main.js' }`, 'recipes'],
  [`{ name: '@me/recipes', version: '1.0.0', bin: { cook: 'dist/main.js', bake: 'dist/bake.js' } }`, 'cook'],
  [`{ name: '@me/recipes', version: '1.0.0' }`, 'recipes'],
  [`{ name: 'recipes', version: '1.0.0', bin: {} }`, 'recipes'],
  [`{ name: 'recipes', version: '1.0.0', bin: null }`, 'recipes'],
  [`{ version: '1.0.0', bin: 'dist/main.js' }`, 'server'],
  [`{ version: '1.0.0' }`, 'server'],
])('the program of the manifest %s has the name %s', async (manifest, name) => {
  expect((await end(startWith(manifest))).stderr).toBe(`${name}: No kitchen\nRun with --help for usage\n`);
});

test('a program without a package has the name of its file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-program-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'cook.here.mjs');
  cpSync(fixtureProgram('serve-unnamed.ts'), file);
  const run = (...args: string[]) =>
    end(spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));
  const { code, stdout } = await run('--help');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: cook.here \[options\]\n/) as string,
  });
  expect(await run('--version')).toMatchObject({ code: 0, stdout: '1.2.3\n' });
  expect((await run('--otel')).stderr).toBe(
    'cook.here: --otel needs the package @opentelemetry/sdk-node, installed with this program: npm install ' +
      '@opentelemetry/sdk-node\nRun with --help for usage\n',
  );
});

test.each(['undefined', 'null', '{}', `{ name: 'recipes' }`, `{ version: 1 }`])(
  'the manifest %s is refused with what to write',
  async (manifest) => {
    const { code, stdout, stderr } = await end(startWith(manifest));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'Error: `runProgram` needs a `manifest` with a `version`: the parsed package.json, or for example ' +
        "{ name: 'example', version: '1.0.0' }",
    );
  },
);

test.each([
  ['>=99', true],
  [`>=${process.versions.node.split('.')[0]}.99`, true],
  ['>=20.19', false],
  [`>=${process.versions.node}`, false],
])('a package that needs Node %s: it is refused with a message: %s', async (range, isRefused) => {
  const manifest = JSON.stringify({
    version: '1.0.0',
    description: 'Cooks',
    bin: { recipes: 'dist/main.js' },
    engines: { node: range },
  });
  const child = startWith(manifest);
  const { code: exitCode, stderr } = await end(child);
  const { node } = process.versions;
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: isRefused
      ? `recipes needs Node ${range.slice(2)} or newer, but runs on ${node}: update Node, or configure the host to start a newer one\n`
      : 'recipes: No kitchen\nRun with --help for usage\n',
  });
});

test('--help lists every option', async () => {
  const { code, stdout } = await end(start('--help'));
  expect(code).toBe(0);
  for (const option of ['-d, --directory path', '--http [host:]port', '--allow-host name', '--version']) {
    expect(stdout).toContain(`  ${option}`);
  }
});

test('the error names a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, stderr } = await end(start('--http', String(port)));
  taken.close();
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `clumsy: Cannot listen on 127.0.0.1:${port}: the port is already in use\nRun with --help for usage\n`,
  });
});

test('over HTTP an unhandled rejection is a warning, and an allowed host is served', async () => {
  const child = start('--http', '0', '--allow-host', 'host.docker.internal');
  const [line] = (await once(child.stderr!, 'data')) as [Buffer];
  const url = /http:\S+/.exec(line.toString())![0];
  const ended = end(child);
  const post = (message: { method?: unknown; params?: unknown }, name?: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': latest,
        'mcp-method': String(message.method),
        ...(name !== undefined && { 'mcp-name': name }),
      },
      body: JSON.stringify(message),
    });
  expect((await post(call(1, 'forget_a_rejection', {}, modernMeta()), 'forget_a_rejection')).status).toBe(
    200,
  );
  expect((await post(call(2, 'echo', { text: 'still here' }, modernMeta()), 'echo')).status).toBe(200);
  const { request } = await import('node:http');
  const hosted = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers: { host: 'host.docker.internal:80' } }, ({ statusCode }) =>
      resolve(statusCode),
    );
    sent.once('error', reject).end();
  });
  expect(hosted).toBe(405);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({
    stderr: expect.stringContaining('Unhandled rejection: Error: A forgotten rejection') as string,
  });
});
