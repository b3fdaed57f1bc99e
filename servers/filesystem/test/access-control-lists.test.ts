import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { Workspace } from './workspace.ts';

/** Reads and writes the extended attributes of access control lists, for which Node has no API. */
const script = `
import os, struct, sys
name, path, *entries = sys.argv[1:]
if entries:
    packed = b''.join(struct.pack('<HHI', *map(int, entry.split(':'))) for entry in entries)
    os.setxattr(path, name, struct.pack('<I', 2) + packed)
data = os.getxattr(path, name) if name in os.listxattr(path) else b''
print(' '.join('%d:%d:%d' % struct.unpack('<HHI', data[at:at + 8]) for at in range(4, len(data), 8)))
`;
const acl = (name: 'access' | 'default', path: string, ...entries: string[]) =>
  execFileSync('python3', ['-c', script, `system.posix_acl_${name}`, path, ...entries], {
    encoding: 'utf8',
  }).trim();

const anyone = 0xffff_ffff;
/** `u::rw-, u:5:r--, g::---, m::r--, o::---` */
const onlyUser5 = [`1:6:${anyone}`, '2:4:5', `4:0:${anyone}`, `16:4:${anyone}`, `32:0:${anyone}`];

function needsAcls(context: TestContext, workspace: Workspace) {
  try {
    acl('access', workspace.put('probe'), ...onlyUser5);
    execFileSync('cp', ['--version'], { stdio: 'ignore' });
  } catch {
    context.skip('Access control lists require Python, GNU cp and support of the file system');
  }
}

test('replacing and editing a file keep its access control list', async (context) => {
  using workspace = new Workspace({ 'a.txt': 'one' });
  needsAcls(context, workspace);
  const file = join(workspace.root, 'a.txt');
  acl('access', file, ...onlyUser5);
  const sandbox = workspace.open();
  await sandbox.write('a.txt', 'two');
  expect(acl('access', file)).toBe(onlyUser5.join(' '));
  await sandbox.edit('a.txt', [{ oldText: 'two', newText: 'three' }]);
  expect(acl('access', file)).toBe(onlyUser5.join(' '));
});

test('the default access control list of a directory grants no access to a rewritten file', async (context) => {
  using workspace = new Workspace({ 'a.txt': 'one' });
  needsAcls(context, workspace);
  acl(
    'default',
    workspace.root,
    `1:7:${anyone}`,
    '2:7:5',
    `4:0:${anyone}`,
    `16:7:${anyone}`,
    `32:0:${anyone}`,
  );
  execFileSync('chmod', ['640', join(workspace.root, 'a.txt')]);
  await workspace.open().write('a.txt', 'two');
  expect(acl('access', join(workspace.root, 'a.txt'))).toBe('');
});

/**
 * `u::rw-, u:5:rw-, g::---, m::rw-, o::---`: the mode shows the mask, 660, though the group has no access.
 */
const notTheGroup = [`1:6:${anyone}`, '2:6:5', `4:0:${anyone}`, `16:6:${anyone}`, `32:0:${anyone}`];
const notCopied = 'Overwritten in place, not atomically: its access control list cannot be copied';

/** A client of a server for which the command `cp` is a shell script. */
async function withCopyCommand(context: TestContext, script: string) {
  const workspace = new Workspace({ 'a.txt': 'one', 'b.txt': 'one', 'plain.txt': 'one' });
  needsAcls(context, workspace);
  for (const name of ['a.txt', 'b.txt']) acl('access', join(workspace.root, name), ...notTheGroup);
  chmodSync(workspace.put('../bin/cp', `#!/bin/sh\necho >> ${workspace.base}/calls\n${script}\n`), 0o755);
  const { PATH } = process.env;
  process.env['PATH'] = `${join(workspace.base, 'bin')}:${PATH}`;
  const client = await workspace.connect();
  return {
    list: (name: string) => acl('access', join(workspace.root, name)),
    calls: () => readFileSync(join(workspace.base, 'calls'), 'utf8').length,
    say: async (tool: string, args: object) => (await workspace.say(client, tool, { ...args })).join('\n'),
    async [Symbol.asyncDispose]() {
      process.env['PATH'] = PATH;
      await client.close();
      workspace[Symbol.dispose]();
    },
  };
}

const change = (oldText: string, newText: string) => ({ edits: [{ oldText, newText }] });

test.for([
  { how: 'has no --attributes-only', script: 'exit 1' },
  { how: 'does not exist', script: 'exit 127' },
])('where cp $how, a change gives the group no rights of the mask', async ({ script }, context) => {
  await using server = await withCopyCommand(context, script);
  const { say, list } = server;
  expect(await say('write_file', { path: 'a.txt', content: 'two' })).toBe(
    `Replaced a.txt (3 bytes)\n${notCopied}`,
  );
  expect(await say('edit_file', { path: 'a.txt', ...change('two', 'three') })).toContain(notCopied);
  expect(list('a.txt')).toBe(notTheGroup.join(' '));
  expect(await say('edit_file', { glob: '*.txt', ...change('one', 'two') })).toContain(`b.txt: ${notCopied}`);
  expect(list('b.txt')).toBe(notTheGroup.join(' '));
});

test('a file whose group has the rights of all others is replaced where cp fails', async (context) => {
  await using server = await withCopyCommand(context, 'exit 1');
  expect(await server.say('write_file', { path: 'plain.txt', content: 'two' })).toBe(
    'Replaced plain.txt (3 bytes)',
  );
});

test('a cp that does not respond is waited for once, and gives the group no rights of the mask', async (context) => {
  await using server = await withCopyCommand(context, 'exec sleep 5');
  const { say, list, calls } = server;
  for (const name of ['a.txt', 'b.txt']) {
    expect(await say('edit_file', { path: name, ...change('one', 'two') })).toContain(notCopied);
    expect(list(name)).toBe(notTheGroup.join(' '));
  }
  expect(calls()).toBe(1);
});
