import { readFileSync } from 'node:fs';
import { hiddenDirectories } from './hidden-directories.ts';
import type { Confinement, Sandbox } from './sandbox.ts';

const namespaces = '--user --map-root-user --mount --pid --fork --kill-child --mount-proc --ipc'.split(' ');

/** `unshare` of util-linux, with the mounts that bubblewrap makes by itself. */
export function unshare(program: string, search: string): Sandbox {
  return {
    name: 'unshare',
    wrap: (argv, confinement) => [
      program,
      ...namespaces,
      ...(confinement.network ? [] : ['--net']),
      '--',
      '/bin/sh',
      '-c',
      script(program, search, confinement),
      'sh',
      ...argv,
    ],
  };
}

/**
 * Makes all mounts read-only but those of the writable directories. The command then gets a user namespace of
 * its own, in which it has no right to change them.
 */
function script(program: string, search: string, confinement: Confinement): string {
  const { writable, cwd } = confinement;
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const isWritable = (path: string) => writable.some((each) => path === each || path.startsWith(`${each}/`));
  const remounts = mounts().filter(({ path }) => !isWritable(path) && !/^\/(?:proc|dev)(?:\/|$)/.test(path));
  return [
    'set -e',
    // The PATH of the command may have directories that the agent can write.
    `path=$PATH; PATH=${quoted(search)}`,
    ...writable.map((each) => `mount --rbind ${quoted(each)} ${quoted(each)}`),
    ...remounts.map(
      ({ path, flags }) => `mount -o ${['remount', 'bind', 'ro', ...flags].join()} ${quoted(path)}`,
    ),
    'mount -o remount,bind,ro /dev',
    'mount -t tmpfs tmpfs /dev/shm 2>/dev/null || :',
    ...hiddenDirectories(confinement).map((each) => `mount -t tmpfs tmpfs ${quoted(each)}`),
    ...(confinement.network ? [] : ['ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :']),
    `cd ${quoted(cwd)}`,
    'set +e; PATH=$path',
    `${quoted(program)} --user --map-user=${uid} --map-group=${gid} -- "$@"`,
    // Were the program the last command, the shell would replace itself with it.
    'exit "$?"',
  ].join('\n');
}

interface Mount {
  readonly path: string;
  /** The flags that a user namespace may not take away. */
  readonly flags: readonly string[];
}

function mounts(): Mount[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, , , , path = '', options = ''] = line.split(' ');
    const flags = options.split(',');
    return {
      path: path.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
      flags: flags.filter((each) => /^(?:nosuid|nodev|noexec|noatime|nodiratime|relatime)$/.test(each)),
    };
  });
}

/** A word for a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
