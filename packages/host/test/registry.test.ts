import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { redirected, Registry } from '../src/registry/registry.ts';
import { place } from './place.ts';
import { listed, registry } from './registry-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, quoted } from './workspace.ts';

const weather = {
  name: 'io.github.user/weather-mcp',
  description: 'Weather for models',
  packages: [
    {
      registryType: 'npm',
      identifier: '@user/weather',
      version: '1.0.2',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'named', name: '--units', description: 'Units', isRequired: true, choices: ['metric', 'us'] },
        { type: 'positional', valueHint: 'place', description: 'The place', default: 'a b; rm -rf ~ $(id)' },
        { type: 'named', name: '--fixed', value: 'x{city}y', variables: { city: { description: 'City' } } },
      ],
      environmentVariables: [
        { name: 'API_KEY', description: 'Key of the service', isRequired: true, isSecret: true },
        { name: 'MODE', description: 'How', isRequired: false },
      ],
    },
    {
      registryType: 'oci',
      identifier: 'ghcr.io/user/weather:1.0.2',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'API_KEY', isRequired: true, isSecret: true }],
    },
    { registryType: 'pypi', identifier: 'weather-mcp', version: '3', transport: { type: 'stdio' } },
    {
      registryType: 'mcpb',
      identifier: 'https://example.com/w.mcpb',
      fileSha256: 'abc',
      transport: { type: 'stdio' },
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{region}.example.com/mcp',
      variables: { region: { description: 'Region', isRequired: true } },
      headers: [
        { name: 'X-Key', value: 'Bearer {key}', variables: { key: { isRequired: true, isSecret: true } } },
      ],
    },
  ],
};

/** A home directory, and `mcp` with a registry of these servers. */
async function user(...servers: readonly object[]) {
  const { mcp, home, root, env } = place();
  const one = await registry(
    servers.map((each) => ('server' in each ? each : listed(each)) as ReturnType<typeof listed>),
  );
  const run = (command: string, ...words: readonly string[]) =>
    mcp(command, '--registry', one.origin, ...words);
  const written = () =>
    JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')) as {
      mcpServers: Record<string, object>;
    };
  return { ...one, run, written, home, root, env };
}

test('mcp search finds servers by words, over pages, and hides what a name has hidden', async () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ name: `io.github.u/git${index}` }));
  const evil = { name: 'io.github.u/git\u001b[2Jx\u202e', description: 'line\nbreak\u0007' };
  const { run } = await user(
    ...many,
    evil,
    { name: 'io.github.u/git-issues', description: 'For GitHub' },
    { name: 'x.y/atlas', description: 'Places and maps' },
  );
  const found = await run('search', 'github', 'git');
  expect(found.stdout.split('\n').filter(Boolean)).toHaveLength(20);
  expect(found.stderr).toContain('There are more; another word, or --limit');
  const described = await run('search', 'places', 'atlas');
  expect(described.stdout).toBe('x.y/atlas  1.0.2  Places and maps\n');
  const last = await run('search', 'git', 'for github');
  expect(last.stdout).toBe('io.github.u/git-issues  1.0.2  For GitHub\n');
  const hidden = await run('search', 'git', 'break');
  expect(hidden.stdout).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u);
  const none = await run('search', 'nothing');
  const names =
    'No server has "nothing" in its name: the registry does not search descriptions; try another word\n';
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: names });
  const several = await run('search', 'git-issues', 'for', 'places-of-any-kind');
  expect(several.stderr).toContain('No server that has one of "git-issues", "for", "places-of-any-kind"');
  const json = JSON.parse((await run('search', 'git-issues', '--json')).stdout) as unknown;
  expect(json).toEqual([listed({ name: 'io.github.u/git-issues', description: 'For GitHub' })]);
});

test('mcp info shows what a server needs, with the options that give it', async () => {
  const { run } = await user(weather, { ...weather, version: '1.0.1' });
  const { stdout, code } = await run('info', weather.name);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'name       io.github.user/weather-mcp',
    'version    1.0.2',
    'published  2026-01-02',
    'about      Weather for models',
    'versions   1.0.2, 1.0.1',
    'use        npm @user/weather@1.0.2',
    '           --input units=… (required; one of metric, us): Units',
    '           --input place=… (default a b; rm -rf ~ $(id)): The place',
    '           --input city=…: City',
    '           --env API_KEY=… (required; secret): Key of the service',
    '           --env MODE=…: How',
    'use        oci ghcr.io/user/weather:1.0.2',
    '           --env API_KEY=… (required; secret)',
    'use        pypi weather-mcp@3',
    'use        mcpb https://example.com/w.mcpb: the registry has no SHA-256 of this bundle',
    'use        streamable-http https://{region}.example.com/mcp',
    '           --input region=… (required): Region',
    '           --input key=… (required; secret)',
    '',
  ]);
  expect((await run('info', `${weather.name}@1.0.1`)).stdout).toContain('version    1.0.1');
});

describe('mcp add with a name of the registry', () => {
  test('shows what will run, and writes it only with consent', async () => {
    const { run, written, home } = await user(weather);
    const words = ['--to', 'cursor', '--input', 'units=metric', '--env', 'API_KEY=s3cret'];
    const refused = await run('add', weather.name, ...words);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain(
      `starts    npx -y @user/weather@1.0.2 --units metric 'a b; rm -rf ~ $(id)' --fixed xy\n`,
    );
    expect(refused.stderr).toContain('env       API_KEY=••••');
    expect(refused.stderr).toContain('or        --use oci: oci ghcr.io/user/weather:1.0.2');
    expect(refused.stderr).toContain('optional  --env MODE=…: How');
    expect(refused.stderr).toContain('Nothing was written; --yes writes it');
    expect(existsSync(join(home, '.cursor'))).toBe(false);
    const added = await run('add', weather.name, '--yes', ...words);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/^Added "weather" to Cursor: /);
    expect(added.stdout + added.stderr).not.toContain('s3cret');
    expect(written().mcpServers['weather']).toEqual({
      command: 'npx',
      args: ['-y', '@user/weather@1.0.2', '--units', 'metric', 'a b; rm -rf ~ $(id)', '--fixed', 'xy'],
      env: { API_KEY: 's3cret' },
    });
  });

  test('writes an image, a Python package or an address, as --use says', async () => {
    const { run, written } = await user(weather);
    const add = (...words: string[]) =>
      run('add', weather.name, '--yes', '--to', 'cursor', '--force', ...words);
    expect((await add('--use', 'oci', '--env', 'API_KEY', '--env', 'MORE=1')).code).toBe(0);
    expect(written().mcpServers['weather']).toEqual({
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'API_KEY', '-e', 'MORE', 'ghcr.io/user/weather:1.0.2'],
      env: { API_KEY: '${env:API_KEY}', MORE: '1' },
    });
    expect((await add('--use', 'pypi', '--name', 'w')).code).toBe(0);
    expect(written().mcpServers['w']).toEqual({ command: 'uvx', args: ['weather-mcp@3'] });
    const remote = await add('--use', 'remote', '--input', 'region=eu', '--input', 'key=${KEY}');
    expect(remote.code, remote.stderr).toBe(0);
    expect(written().mcpServers['weather']).toEqual({
      url: 'https://eu.example.com/mcp',
      headers: { 'X-Key': 'Bearer ${env:KEY}' },
    });
    expect(await add('--use', 'mcpb')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the registry has no SHA-256 of this bundle'),
    });
  });

  test('takes the options of its kind alone', async () => {
    const { run, written } = await user(weather);
    const remote = ['--use', 'remote', '--input', 'region=eu', '--input', 'key=k', '--yes', '--to', 'cursor'];
    expect((await run('add', weather.name, ...remote, '--cwd', '/')).stderr).toContain(
      '--cwd is for a server that is',
    );
    expect((await run('add', weather.name, ...remote, '--client-id', 'mine')).code).toBe(0);
    expect(written().mcpServers['weather']).toMatchObject({ auth: { CLIENT_ID: 'mine' } });
    const typed = await run('add', 'x', '--to', 'cursor', '--', 'y');
    expect(typed.stderr).toContain('--registry is for a server of the registry');
  });

  test('says which values are missing or wrong', async () => {
    const { run } = await user(weather);
    const missing = await run('add', weather.name, '--yes');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain(
      'The server needs values:\n  --input units=… (required; one of metric, us): Units\n  --env API_KEY=… (required; secret): Key of the service\n',
    );
    const add = (...words: string[]) => run('add', weather.name, '--yes', '--env', 'API_KEY=x', ...words);
    expect((await add('--input', 'units=miles')).stderr).toContain(
      'Invalid value of "units"; expected metric, us',
    );
    expect((await add('--input', 'unit=us')).stderr).toContain(
      'The server has no value "unit"; did you mean "units"?',
    );
  });

  test.each([
    [{ identifier: '--eval=evil' }, '"--eval=evil" is no name of a package'],
    [{ identifier: 'https://evil.example/x.tgz' }, 'is no name of a package'],
    [{ version: '1.0.0 --eval' }, '"1.0.0 --eval" is no version of a package'],
    [
      { registryBaseUrl: 'https://evil.example' },
      'it is in another registry of packages: https://evil.example',
    ],
    [{ transport: { type: 'streamable-http', url: 'http://localhost:1' } }, 'it serves streamable-http'],
    [{ packageArguments: [{ type: 'positional', value: '${HOME}' }] }, 'has a variable of the environment'],
    [{ environmentVariables: [{ name: 'A=B', value: 'x' }] }, '"A=B" is no name of a variable'],
    [{ registryType: 'toString' }, 'mcp starts no packages of "toString"'],
    [{ identifier: 5 }, '"packages[0].identifier" must be a text'],
  ])('refuses the package %j', async (change, message) => {
    const pack = { registryType: 'npm', identifier: 'x', version: '1.0.0', transport: { type: 'stdio' } };
    const { run, home } = await user({ name: 'a.b/c', packages: [{ ...pack, ...change }] });
    const { stderr, code } = await run('add', 'a.b/c', '--yes');
    expect(stderr).toContain(message);
    expect(code).toBeGreaterThan(0);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  test('refuses a server that was deleted, and names one that is deprecated', async () => {
    const packages = [{ registryType: 'npm', identifier: 'x', version: '1.0.0' }];
    const { run } = await user(
      listed({ name: 'a.b/gone', packages }, { status: 'deleted' }),
      listed({ name: 'a.b/old', packages }, { status: 'deprecated' }),
    );
    expect((await run('add', 'a.b/gone', '--yes')).stderr).toContain('its author has deleted it');
    expect((await run('add', 'a.b/old', '--yes')).stderr).toContain(
      'The registry says that a.b/old is deprecated',
    );
  });

  test.skipIf(!hasTerminals)('asks for values by their descriptions, and hides secrets', async () => {
    const { origin, written, env, root } = await user(weather);
    const words = [process.execPath, program, 'add', weather.name, '--registry', origin, '--to', 'cursor'];
    const terminal = new Terminal(
      `sh -c ${quoted(`cd ${quoted(root)}; exec ${words.map(quoted).join(' ')}`)}`,
      {
        env,
        columns: 200,
      },
    );
    await terminal.shows('units: --input units=… (required; one of metric, us): Units\r\nunits: ');
    terminal.type('us\r');
    await terminal.shows('Key of the service\r\nAPI_KEY: ');
    terminal.type('hidden\r');
    const shown = await terminal.shows('Write it? [y/N] ');
    expect(shown).not.toContain('hidden');
    terminal.type('y\r');
    expect(await terminal.ended()).toBe(0);
    expect(written().mcpServers['weather']).toMatchObject({ env: { API_KEY: 'hidden' } });
  });
});

describe('a registry that misbehaves', () => {
  const listPath = '/v0.1/servers';

  test.each([
    [{ status: 500, body: 'oops' }, 'it answers with HTTP 500'],
    [{ body: '{"servers": [' }, 'the answer is no JSON object'],
    [{ json: { servers: 'x' } }, '"servers" of the answer must be a list'],
    [{ body: ' '.repeat(9 * 1024 * 1024) }, 'the body is longer than 8388608 bytes'],
    [{ status: 302, headers: { location: 'file:///etc/passwd' } }, 'it redirects to "file:///etc/passwd"'],
    [{ status: 302, headers: { location: listPath } }, 'it redirects more than 3 times'],
  ])('is an error that names it: %#', async (reply, message) => {
    const { run, routes, origin } = await user();
    routes[listPath] = () => reply;
    const { stderr, code } = await run('search', 'x');
    expect(stderr).toContain(`The registry "${origin}" cannot be used: ${message}`);
    expect(code).toBe(4);
  });

  test('is not followed into a private network, and not without TLS', () => {
    const base = new URL('https://registry.example');
    const to = (location: string) => () => redirected(base, location, base);
    expect(to('https://other.example/a')().href).toBe('https://other.example/a');
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost', '[::1]', '[fd00::1]'])
      expect(to(`https://${host}/`), host).toThrow('an address of a private network');
    expect(to('http://other.example/')).toThrow('is not an https:// address');
  });

  test('does not hold a command for ever, nor with endless pages', async () => {
    const { routes, origin, http } = await user();
    routes[listPath] = () => ({ json: { servers: [], metadata: { nextCursor: 'again' } } });
    const { signal } = new AbortController();
    expect(await new Registry(origin, signal).search(['x'], 5)).toEqual({ servers: [], hasMore: true });
    expect(http.at(listPath)).toHaveLength(5);
    const release = Promise.withResolvers<object>();
    onTestFinished(() => release.resolve({}));
    routes[listPath] = () => release.promise;
    await expect(new Registry(origin, signal, 50).search(['x'], 5)).rejects.toThrow('no answer');
  });

  test('has a version no more, or answers about another server', async () => {
    const { run, routes, at } = await user({ ...weather, version: '2.0.0' }, { name: 'a.b/c' });
    expect((await run('info', `${weather.name}@1.9.0`)).stderr).toContain('it has 2.0.0');
    expect((await run('info', 'a.b/d')).stderr).toContain('The registry has no server "a.b/d"');
    at('/v0.1/servers/a.b%2Fc/versions/latest', () => ({ json: listed(weather) }));
    expect((await run('add', 'a.b/c', '--yes')).stderr).toContain('the answer is about another server');
    expect(Object.keys(routes)).toContain('/v0.1/servers/a.b%2Fc/versions/latest');
  });

  test.each([
    ['ftp://registry.example', 'Invalid registry: "ftp://registry.example"'],
    ['http://registry.example', 'Invalid registry: "http://registry.example"'],
    ['https://u:p@registry.example', 'Invalid registry: "registry.example"'],
    ['x', 'Invalid registry: "x"; expected an https:// address'],
  ])('cannot be at %s', async (address, message) => {
    const { mcp } = place();
    expect(await mcp('search', 'x', '--registry', address)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  });
});
