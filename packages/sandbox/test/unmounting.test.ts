import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test, vi } from 'vitest';
import { outcome } from './helper.ts';
import { Workspace } from './workspace.ts';

// They wait until a drive is idle.
vi.setConfig({ testTimeout: 120_000 });

const mounts = canMount();
const cannotMount = 'Mounting requires root and unshare';
const gone = 'The allowed directory was deleted or replaced: ';

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs code in a process that has a drive of its own and a sandbox of a directory on it, in which
 * `a.txt` was written.
 */
async function onDrive(directory: string, code: string): Promise<unknown> {
  using workspace = new Workspace({ 'drive/under-the-drive.txt': '' });
  return await outcome(
    `
    const { execFileSync } = await import('node:child_process');
    const { Sandbox } = await import(source + 'sandbox.ts');
    const drive = ${JSON.stringify(join(workspace.root, 'drive'))};
    const root = drive + ${JSON.stringify(directory)};
    const run = (command, ...args) => execFileSync(command, args, { stdio: 'pipe' });
    // Nothing notifies when the sandbox closes its last descriptor on the drive: /proc is polled.
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50));
    const attempt = async (work) => {
      try { return await work(); } catch (error) { return error.message.replaceAll(drive, ''); }
    };
    const read = () => attempt(async () => (await sandbox.readText('a.txt')).text);
    const targetOf = (fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } };
    const isHeld = () => fs.readdirSync('/proc/self/fd').some((fd) => targetOf(fd).startsWith(drive));
    const idle = async () => { while (isHeld()) await soon(); };
    run('mount', '-t', 'tmpfs', 'none', drive);
    fs.mkdirSync(root, { recursive: true });
    const sandbox = Sandbox.open({ directories: [root] });
    await sandbox.write('a.txt', 'a');
    const answers = [];
    ${code}
    console.log(JSON.stringify(answers));
    process.exit();`,
    { through: ['unshare', '--mount'] },
  );
}

test.concurrent.for(['', '/photos'])(
  'an idle drive with the allowed directory "%s" can be unmounted while a file on it is watched',
  async (directory, { expect, skip }) => {
    skip(!mounts, cannotMount);
    const answers = await onDrive(
      directory,
      `
      await sandbox.watch('a.txt', () => {});
      await sandbox.search('.', 'a');
      await idle();
      run('umount', drive);
      answers.push(await read(), await attempt(() => sandbox.write('a.txt', 'x')), fs.readdirSync(drive));`,
    );
    const error = `${gone}"${directory}"`;
    expect(answers).toEqual([error, error, ['under-the-drive.txt']]);
  },
);

test.concurrent('a drive that was idle is used again, and unmounted later', async ({ expect, skip }) => {
  skip(!mounts, cannotMount);
  const answers = await onDrive(
    '/photos',
    `
    answers.push(isHeld());
    await idle();
    await sandbox.write('a.txt', 'b');
    answers.push(await read(), isHeld());
    await idle();
    run('umount', drive);`,
  );
  expect(answers).toEqual([true, 'b', true]);
});

test.concurrent('on an idle drive a directory that was replaced is refused until it returns', async ({
  expect,
  skip,
}) => {
  skip(!mounts, cannotMount);
  const answers = await onDrive(
    '/photos',
    `
    for (const replacement of ['directory', 'link']) {
      fs.mkdirSync(drive + '/other');
      fs.writeFileSync(drive + '/other/a.txt', 'other');
      await soon();
      await idle();
      fs.renameSync(root, root + '.aside');
      if (replacement === 'link') fs.symlinkSync(drive + '/other', root);
      else fs.renameSync(drive + '/other', root);
      answers.push(await read());
      fs.rmSync(root, { recursive: true });
      fs.rmSync(drive + '/other', { recursive: true, force: true });
      fs.renameSync(root + '.aside', root);
      answers.push(await read());
    }`,
  );
  expect(answers).toEqual([`${gone}"/photos"`, 'a', `${gone}"/photos"`, 'a']);
});

test.concurrent('on an idle drive a deleted directory works again when it is recreated', async ({
  expect,
  skip,
}) => {
  skip(!mounts, cannotMount);
  const answers = await onDrive(
    '/photos',
    `
    await idle();
    fs.rmSync(root, { recursive: true });
    answers.push(await read());
    await soon();
    fs.mkdirSync(root);
    fs.writeFileSync(root + '/a.txt', 'again');
    answers.push(await read());`,
  );
  expect(answers).toEqual([`${gone}"/photos"`, 'again']);
});
