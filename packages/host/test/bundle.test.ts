import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { place } from './place.ts';
import { listed, registry } from './registry-server.ts';
import { smallServer } from './small-server.ts';
import { zip, type Zipped } from './zip.ts';

const manifest = {
  manifest_version: '0.3',
  name: 'bundled',
  server: {
    type: 'node',
    entry_point: 'server/main.cjs',
    mcp_config: {
      command: process.execPath,
      args: [
        '${__dirname}/server/main.cjs',
        '${user_config.dirs}',
        '--mode=${user_config.mode}',
        '${user_config.more}',
      ],
      env: { TOKEN: '${user_config.token}', TOOLS: 'bundled_tool' },
    },
  },
  user_config: {
    dirs: { type: 'directory', title: 'Directories', multiple: true, required: true },
    mode: { type: 'string', default: 'plain' },
    more: { type: 'string', multiple: true, default: ['${HOME}/a', 'b'] },
    token: { type: 'string', title: 'Token', description: 'The token', sensitive: true, required: true },
  },
};

function serverText(): string {
  using directory = new TemporaryDirectory('bundle-server');
  return readFileSync(smallServer(directory).args[0]!, 'utf8');
}

const files: readonly Zipped[] = [
  { path: 'manifest.json', text: JSON.stringify(manifest) },
  { path: 'server/', text: '' },
  { path: 'server/main.cjs', text: serverText() },
  { path: 'server/.bin/tool', text: '#!/bin/sh\n', mode: 0o100755 },
];

/** A user, and a registry with one server, whose bundle is this archive. */
async function bundled(archive: Buffer, sha256 = createHash('sha256').update(archive).digest('hex')) {
  const { mcp, home, root, env } = place();
  const packages: object[] = [
    { registryType: 'mcpb', identifier: '', fileSha256: sha256, transport: { type: 'stdio' } },
  ];
  const one = await registry([listed({ name: 'a.b/bundled-mcp', packages })]);
  Object.assign(packages[0]!, { identifier: `${one.origin}/redirected.mcpb` });
  one.at('/redirected.mcpb', () => ({ status: 302, headers: { location: '/file.mcpb' } }));
  one.at('/file.mcpb', () => ({ body: Readable.from([archive]) }));
  const add = (...words: string[]) =>
    mcp('add', 'a.b/bundled-mcp', '--registry', one.origin, '--input', 'token=s3cret', ...words);
  const bundles = join(env.XDG_STATE_HOME, 'mcp/bundles');
  return { mcp, add, home, root, bundles };
}

test('a bundle is verified, shown, unpacked and started', async () => {
  const { mcp, add, bundles, root, home } = await bundled(zip(files));
  const missing = await add('--yes');
  expect(missing.stderr).toContain('--input dirs=… (required): Directories');
  const refused = await add('--input', 'dirs=one', '--input', `dirs=${root}`);
  expect(refused.code).toBe(7);
  const [, place = ''] = /^starts +\S+ (\S+)\/server\/main\.cjs /m.exec(refused.stderr) ?? [];
  expect(refused.stderr).toContain(`/server/main.cjs ${root}/one ${root} --mode=plain ${home}/a b\n`);
  expect(refused.stderr).not.toContain('--use');
  expect(refused.stderr).toContain('env       TOKEN=••••');
  expect(existsSync(bundles)).toBe(false);
  const added = await add('--input', 'dirs=one', '--yes');
  expect(added.code, added.stderr).toBe(0);
  expect(readdirSync(bundles).map((name) => join(bundles, name))).toEqual([place]);
  expect(statSync(join(place, 'server/.bin/tool')).mode & 0o777).toBe(0o700);
  expect(statSync(join(place, 'server/main.cjs')).mode & 0o777).toBe(0o600);
  expect((await mcp('tools', 'bundled')).stdout).toContain('bundled_tool');
  expect((await add('--input', 'dirs=two', '--yes', '--force')).code).toBe(0);
});

const evil = (change: Partial<Zipped>) => zip([...files, { path: 'x', text: 'x', ...change }]);
const changed = (mcpConfig: object, options: object = {}) =>
  zip([
    {
      path: 'manifest.json',
      text: JSON.stringify({
        ...manifest,
        user_config: { ...manifest.user_config, ...options },
        server: { mcp_config: { ...manifest.server.mcp_config, ...mcpConfig } },
      }),
    },
  ]);

test.each([
  ['another digest', zip(files), 'its SHA-256 is', 'f'.repeat(64)],
  ['no archive', Buffer.from('hello'.repeat(20)), 'it is no ZIP archive'],
  ['a damaged file', evil({ size: 100 }), 'the archive is damaged'],
  ['a file that inflates to more', evil({ text: 'x'.repeat(9_000), size: 10 }), 'the archive is damaged'],
  ['a path that leads out', evil({ path: '../../evil' }), 'is not valid on each system'],
  ['an absolute path', evil({ path: '/etc/evil' }), 'has a name that is empty'],
  ['a link', evil({ mode: 0o120777 }), '"x" is no plain file'],
  ['a file twice', evil({ path: 'manifest.json' }), 'it has the file "manifest.json" twice'],
  ['much too large files', evil({ size: 600 * 1024 * 1024 }), 'its files have more than'],
  ['no manifest', zip([{ path: 'a', text: '' }]), 'it has no manifest.json'],
  ['a wrong manifest', zip([{ path: 'manifest.json', text: '{"server": 1}' }]), '"server" must be an object'],
  ...['${AWS_SECRET}', '$AWS_SECRET', '{env:AWS_SECRET}', '$${user_config.mode}'].map(
    (text): [string, Buffer, string] => [
      `the variable ${text} of the environment`,
      changed({ args: [text] }),
      'its manifest has a variable of the environment',
    ],
  ),
  [
    'a variable in a default',
    changed({}, { mode: { type: 'string', default: '${AWS_SECRET}' } }),
    'its manifest has a variable of the environment',
  ],
  ['hidden characters', changed({ env: { A: 'b\nc' } }), 'its manifest has hidden characters'],
  ['arguments that are no list', changed({ args: 'rm -rf' }), '"server.mcp_config.args" must be a list'],
])('a bundle with %s is refused, and nothing is written', async (_, archive, message, digest?: string) => {
  const { add, bundles, home } = await bundled(archive, digest);
  const { stderr, code } = await add('--input', 'dirs=/', '--yes');
  expect(stderr).toContain(message);
  expect(code).toBe(1);
  expect(existsSync(bundles)).toBe(false);
  expect(existsSync(join(home, '.config'))).toBe(false);
});
