import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { place } from './place.ts';
import { listed, registry } from './registry-server.ts';

const pack = { registryType: 'npm', identifier: 'x', version: '1.0.0', transport: { type: 'stdio' } };
const remote = { type: 'streamable-http', url: 'https://x.example/mcp' };

/** `mcp add` of one server that a registry describes. */
async function adding(server: object) {
  const { mcp, home } = place();
  const { origin } = await registry([listed({ name: 'a.b/c', ...server })]);
  const words = ['--registry', origin, '--to', 'cursor'];
  const add = (...more: string[]) => mcp('add', 'a.b/c', ...words, ...more);
  const file = join(home, '.cursor/mcp.json');
  const written = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  return { add, written, mcp, origin };
}

const inPackage = (change: object) => ({ packages: [{ ...pack, ...change }] });
const inRemote = (change: object) => ({ remotes: [{ ...remote, ...change }] });
const twoParts = { d: { default: '$' }, x: { default: '{SECRET}' } };

describe('a value of the registry', () => {
  test.each([
    ['a variable in two defaults', inRemote({ url: 'https://x.example/{d}{x}', variables: twoParts })],
    ['a variable around an answer', inRemote({ url: 'https://x.example/${v}', variables: { v: {} } })],
    [
      'a variable in parts of an argument',
      inPackage({ packageArguments: [{ type: 'named', name: '--a', value: '{d}{x}', variables: twoParts }] }),
    ],
    [
      'a variable in the name of an argument',
      inPackage({ packageArguments: [{ type: 'named', name: '--a=${SECRET}', value: 'b' }] }),
    ],
    ...['a\u001b]0;b\u0007', 'a\r\nEvil: b', 'a\u202eb', 'a\u00a0b', 'a\tb', 'a\u200bb'].flatMap(
      (value): [string, object][] => {
        const named = [{ name: 'A', value }];
        return [
          [`${JSON.stringify(value)} in a variable`, inPackage({ environmentVariables: named })],
          [`${JSON.stringify(value)} in a header`, inRemote({ headers: named })],
          [`${JSON.stringify(value)} in an argument`, inPackage({ packageArguments: named })],
          [`${JSON.stringify(value)} in an address`, inRemote({ url: `https://x.example/${value}` })],
        ];
      },
    ),
  ])('with %s is not written', async (_, server) => {
    const { add, written } = await adding(server);
    const { code, stderr } = await add(
      '--yes',
      ...(JSON.stringify(server).includes('${v}') ? ['--input', 'v=HOME'] : []),
    );
    expect(stderr).toMatch(/a value in the registry has (?:a variable of the environment|hidden characters)/);
    expect(code).toBe(1);
    expect(written()).toBeUndefined();
  });

  test.each([
    ['"packages" must be a list', { packages: 'x' }],
    ['"remotes[0]" must be an object', { remotes: ['https://x.example'] }],
    ['"packages[0].packageArguments" must be a list', inPackage({ packageArguments: '--read-only' })],
    ['"packages[0].runtimeArguments[0]" must be an object', inPackage({ runtimeArguments: ['-y'] })],
    ['"packages[0].environmentVariables" must be a list', inPackage({ environmentVariables: { A: 1 } })],
    ['"packages[0].version" must be a text', inPackage({ version: ['1'] })],
    ['"packages[0].transport" must be an object', inPackage({ transport: 'sse' })],
    ['"remotes[0].headers[0].value" must be a text', inRemote({ headers: [{ name: 'A', value: {} }] })],
    ['"evil.tgz" is no name of a package', inPackage({ identifier: 'evil.tgz' })],
    ['"1.tgz" is no version of a package', inPackage({ version: '1.tgz' })],
    ['"e.whl" is no name of a package', inPackage({ registryType: 'pypi', identifier: 'e.whl' })],
  ])('is refused: %s', async (message, server) => {
    const { add, written } = await adding(server);
    const { code, stderr } = await add('--yes');
    expect(stderr).toContain(message);
    expect(code).toBeGreaterThan(0);
    expect(written()).toBeUndefined();
  });

  test('may be null where a list is empty', async () => {
    const { add, written } = await adding({
      ...inPackage({ packageArguments: null, version: null }),
      remotes: null,
    });
    expect((await add('--yes')).code).toBe(0);
    expect(written()).toContain('"x"');
  });
});

describe('a secret that the registry asks for', () => {
  const secret = { isSecret: true, isRequired: true };
  const inHost = inRemote({
    url: 'https://{tenant}.x.example:{port}/mcp',
    variables: { tenant: secret, port: { isSecret: true, default: '80' } },
  });
  test.each([
    [
      'an argument',
      inPackage({ packageArguments: [{ type: 'positional', valueHint: 'tenant', ...secret }] }),
    ],
    [
      'a word for the launcher',
      inPackage({ runtimeArguments: [{ type: 'named', name: '--tenant', ...secret }] }),
    ],
    ['a host', inHost],
    ['a path', inRemote({ url: 'https://x.example/{tenant}', variables: { tenant: secret } })],
  ])('is written into %s, and not printed', async (_, server) => {
    const { add, written } = await adding(server);
    const words = ['--input', 'tenant=hunter2', ...(server === inHost ? ['--input', 'port=8443'] : [])];
    for (const option of ['--dry-run', '--yes']) {
      const { code, stdout, stderr } = await add(option, ...words);
      expect(code, stderr).toBe(0);
      expect(stdout + stderr).not.toMatch(/hunter2|8443/);
      expect(stdout + stderr).toContain('••••');
    }
    expect(written()).toContain('hunter2');
  });

  test('is not in an error about an address', async () => {
    const variables = { tenant: secret, s: { default: 'ftp' } };
    const { add } = await adding(inRemote({ url: '{s}://x/{tenant}', variables }));
    const { stderr, code } = await add('--yes', '--input', 'tenant=hunter2');
    expect(stderr).toContain('"{s}://x/{tenant}" with these values is no address of a server');
    expect(stderr).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});

test('words for the launcher and variables that load code deserve attention', async () => {
  const { add } = await adding(
    inPackage({
      runtimeArguments: [
        { type: 'named', name: '-p', value: 'evil' },
        { type: 'positional', value: '-y' },
      ],
      packageArguments: [{ type: 'positional', value: 'plain' }],
      environmentVariables: ['NODE_OPTIONS', 'MODE', 'npm_config_registry'].map((name) => ({
        name,
        value: 'x',
      })),
    }),
  );
  const { stderr } = await add();
  expect(stderr.split('\n').filter((line) => line.startsWith('attention'))).toEqual([
    'attention  npx itself gets -p evil: this may start other code',
    'attention  NODE_OPTIONS decides which code is loaded',
    'attention  npm_config_registry decides which code is loaded',
  ]);
});

test.each(['info', 'search'])('mcp %s --json refuses an answer that is nested too deep', async (command) => {
  const { mcp } = place();
  const { at, origin } = await registry([listed({ name: 'a.b/c' })]);
  const deep = `{"server":{"name":"a.b/c","version":"1"},"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  at('/v0.1/servers/a.b%2Fc/versions/latest', () => ({ body: deep }));
  at('/v0.1/servers', () => ({ body: `{"servers":[${deep}]}` }));
  const { stderr, stdout } = await mcp(command, 'a.b/c', '--registry', origin, '--json');
  if (command === 'search') expect(stdout).toBe('[]\n');
  else
    expect(stderr).toMatch(
      /^\{"error":\{"message":"[^"\\]*\\"http[^"]*\\" cannot be used: a server has more than 500 levels/,
    );
});

test('what runs is the last that is shown, after short texts', async () => {
  const environmentVariables = Array.from({ length: 200 }, (_, index) => ({
    name: `A${index}`,
    description: 'y'.repeat(5_000),
  }));
  const { add } = await adding({ ...inPackage({ environmentVariables }), description: 'x'.repeat(100_000) });
  const { stderr } = await add();
  expect(stderr.length).toBeLessThan(20_000);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0]);
  expect(lines.slice(-4)).toEqual(['optional', 'starts', 'writes', 'Nothing']);
  expect(stderr).toContain('optional  180 more: mcp info a.b/c\n');
});

test.each([
  [inPackage({}), ['--header', 'X: y'], '--header is for a server with a URL, and this one is a command'],
  [inRemote({}), ['--env', 'A=b'], '--env is for a server that is a command, and this one has a URL'],
])('an option that a kind does not have is refused: %#', async (server, words, message) => {
  const { add, written } = await adding(server);
  expect((await add('--yes', ...words)).stderr).toContain(message);
  expect(written()).toBeUndefined();
});

test('a registry that answers with another version is not used', async () => {
  const { mcp } = place();
  const { at, origin } = await registry([listed({ name: 'a.b/c', ...inPackage({}) })]);
  at('/v0.1/servers/a.b%2Fc/versions/1.0.1', () => ({
    json: listed({ name: 'a.b/c', ...inPackage({}), version: '6.6.6' }),
  }));
  const { stderr, code } = await mcp('add', 'a.b/c@1.0.1', '--registry', origin, '--yes');
  expect(stderr).toContain('the answer is about another version: "6.6.6"');
  expect(code).toBe(4);
});

test('mcp search advises only names that mcp info takes', async () => {
  const { mcp } = place();
  const { origin } = await registry(
    [{ name: 'a.b/c; rm -rf ~' }, { name: 'a.b/d' }].map((each) => listed(each)),
  );
  const { stdout, stderr } = await mcp('search', 'a.b', '--registry', origin);
  expect(stdout).toContain('rm -rf');
  expect(stderr).toBe('about one: mcp info a.b/d\n');
});
