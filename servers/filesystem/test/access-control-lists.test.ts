import { execFileSync } from 'node:child_process';
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

test('F106: replacing and editing a file keep its access control list', async (context) => {
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

test('F106: the default access control list of a directory grants no access to a rewritten file', async (context) => {
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
