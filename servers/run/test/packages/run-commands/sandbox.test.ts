import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callTool, type Commands, linesOf, sh, Workspace } from '../../workspace.ts';

/** The directory that has a program; undefined if it is not installed, or cannot make namespaces here. */
function placeOf(program: string, ...args: readonly string[]): string | undefined {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return pathOf(program);
  } catch {
    return undefined;
  }
}

const sandboxes = [
  ['bubblewrap', 'bwrap', placeOf('bwrap', '--ro-bind', '/', '/', '--unshare-pid', 'true')],
  [
    'unshare',
    'unshare',
    placeOf('unshare', '--user', '--map-root-user', '--mount', '--pid', '--fork', 'true'),
  ],
] as const;

const needed = 'cat echo env find ip ln ls mkdir mkfifo mount node setsid sh sleep sort tail touch'.split(
  ' ',
);
const paths = needed.map((name) => [name, pathOf(name)] as const);

/** The path of a program; empty if it is a word of the shell, or not installed. */
function pathOf(name: string): string {
  const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return stdout.startsWith('/') ? stdout.trim() : '';
}

/** A directory with one sandbox and what the commands of these tests need, but no other sandbox. */
function systemWith(workspace: Workspace, name: string, place: string): string {
  const directory = join(workspace.base, 'bin');
  mkdirSync(directory);
  for (const [each, path] of [[name, place] as const, ...paths])
    if (path !== '') symlinkSync(path, join(directory, each));
  return directory;
}

describe.each(sandboxes)('in %s', (name, program, place) => {
  const confined = test.skipIf(place === undefined);

  async function inSandbox<T>(
    commands: Commands,
    use: (workspace: Workspace, call: (tool: string) => Promise<string[]>) => Promise<T>,
    others: object = {},
  ): Promise<T> {
    using workspace = new Workspace();
    mkdirSync(join(workspace.project, 'inner'));
    workspace.configure(commands, { sandbox: 'required', ...others });
    const { PATH } = process.env;
    process.env['PATH'] = systemWith(workspace, program, place!);
    try {
      await using client = await workspace.connect({ structured: true });
      return await use(workspace, async (tool) => {
        const { structuredContent } = await client.callTool(tool);
        const { sandbox, last } = structuredContent as { sandbox: string; last: readonly { text: string }[] };
        expect(sandbox).toBe(name);
        return last.map(({ text }) => text);
      });
    } finally {
      process.env['PATH'] = PATH;
    }
  }

  confined('a command writes the writable directories and its temporary one, and nothing else', () =>
    inSandbox(
      {
        write: sh(
          'touch made ../project/too "$TMPDIR/temporary" && echo written; for f in ../outside ../operator/commands.json /etc/pwned "$HOME/pwned" /tmp/pwned; do touch "$f" 2>/dev/null && echo "PWNED $f"; done; echo done',
        ),
      },
      async (workspace, call) => {
        expect(await call('write')).toEqual(['written', 'done']);
        expect(existsSync(join(workspace.project, 'made'))).toBe(true);
        expect(existsSync(join(workspace.base, 'outside'))).toBe(false);
      },
    ),
  );

  confined('a command has no right to take its walls down', () =>
    inSandbox(
      {
        break: sh(
          'mount -o remount,bind,rw / 2>/dev/null && echo PWNED; unshare --user --map-root-user --mount mount -o remount,bind,rw / 2>/dev/null && echo PWNED; echo done',
        ),
      },
      async (_, call) => expect(await call('break')).toEqual(['done']),
    ),
  );

  confined('a command has no disks, no terminals of others, and does not change settings of the system', () =>
    inSandbox(
      {
        devices: sh('cd /dev && ls && ls pts; echo x > null; echo x > shm/x && echo shared'),
        settings: sh(
          'f=/proc/sys/kernel/core_pattern; cat $f > $f && echo PWNED; : > /proc/sysrq-trigger && echo PWNED; echo done',
        ),
      },
      async (_, call) => {
        const devices = (await call('devices')).filter((each) => !['console', 'core'].includes(each));
        const links = ['fd', 'ptmx', 'pts', 'shm', 'stderr', 'stdin', 'stdout'];
        expect(devices.slice(0, -2).toSorted()).toEqual(
          [...links, 'full', 'null', 'random', 'tty', 'urandom', 'zero'].toSorted(),
        );
        expect(devices.slice(-2)).toEqual(['ptmx', 'shared']);
        expect(await call('settings')).not.toContain('PWNED');
      },
    ),
  );

  confined('a command reaches no service in /run, with a network either', () =>
    inSandbox(
      Object.fromEntries(
        [false, true].map((network) => [
          `network-${network}`,
          sh(
            'find /run -mindepth 1 -maxdepth 1 -type s; find /run/dbus /run/user -mindepth 1 2>/dev/null; echo done',
            {
              network,
            },
          ),
        ]),
      ),
      async (_, call) => {
        expect(await call('network-false')).toEqual(['done']);
        expect(await call('network-true')).toEqual(['done']);
      },
    ),
  );

  confined('a command has a network only where it is allowed', async () => {
    const listener = createServer((socket) => socket.end('reached\n')).listen(0, '127.0.0.1');
    const { promise, resolve } = Promise.withResolvers<void>();
    listener.once('listening', resolve);
    await promise;
    const { port } = listener.address() as { port: number };
    const script = `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d).trim())).on('error', (e) => console.log(e.code))`;
    const connect = {
      description: '-',
      argv: ['node', '-e', script.replaceAll('{', '{{').replaceAll('}', '}}')],
    };
    await inSandbox({ without: connect, with: { ...connect, network: true } }, async (_, call) => {
      expect((await call('without'))[0]).toMatch(/^E[A-Z]+$/);
      expect(await call('with')).toEqual(['reached']);
    });
    listener.close();
  });

  confined('no process is left, also when one has left its session and cleared its environment', () =>
    inSandbox(
      {
        starts: sh(
          `env -i $(command -v setsid) $(command -v sh) -c "PATH=$PATH; trap '' TERM; exec 9>fifo; echo up >&9; while :; do sleep 1; done" & while [ ! -e up ]; do sleep 0.05; done; echo done`,
        ),
      },
      async (workspace, call) => {
        const fifo = workspace.fifo('fifo');
        void fifo.opened.then(() => workspace.put('up', ''));
        expect(await call('starts')).toEqual(['done']);
        await fifo.gone;
      },
    ),
  );

  confined('a writable directory that is replaced by a link makes nothing else writable', () =>
    inSandbox(
      { write: sh('touch inner/made 2>/dev/null && echo PWNED; echo done') },
      async (workspace, call) => {
        mkdirSync(join(workspace.base, 'elsewhere'));
        rmSync(join(workspace.project, 'inner'), { recursive: true });
        symlinkSync(join(workspace.base, 'elsewhere'), join(workspace.project, 'inner'));
        expect(await call('write')).toEqual(['done']);
        expect(existsSync(join(workspace.base, 'elsewhere/made'))).toBe(false);
      },
      { writable: ['../project', '../project/inner'] },
    ),
  );

  confined('exit codes pass, and a signal is 128 and its number', () =>
    inSandbox({ fails: sh('exit 7'), dies: sh('kill -9 $$') }, async (workspace) => {
      await using client = await workspace.connect();
      expect((await callTool(client, 'fails')).text).toMatch(/^Failed: exit code 7 after/);
      expect((await callTool(client, 'dies')).text).toMatch(
        /^Failed: exit code 137 \(128 \+ SIGKILL\) after/,
      );
    }),
  );
});

test('without a sandbox, "required" refuses to run, and "preferred" runs and says so', async () => {
  using workspace = new Workspace({ say: sh('echo said') }, { sandbox: 'required' });
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  try {
    const reason = 'bwrap is not installed; unshare is not installed';
    const platform = process.platform === 'linux' ? reason : `there is no sandbox for ${process.platform}`;
    {
      await using client = await workspace.connect();
      expect(await callTool(client, 'say')).toEqual({
        text: `Nothing was run, because the configuration requires a sandbox and none works here: ${platform}`,
        isError: true,
      });
    }
    workspace.configure({ say: sh('echo said') }, { sandbox: 'preferred' });
    await using client = await workspace.connect();
    expect(linesOf(await callTool(client, 'say'))).toEqual([`Not sandboxed: ${platform}`, 'said']);
  } finally {
    process.env['PATH'] = PATH;
  }
});
