import { readFileSync } from 'node:fs';
import { hiddenPaths } from './hidden-paths.ts';
import type { Confinement, Sandbox } from './sandbox.ts';

const namespaces = '--user --map-root-user --mount --pid --fork --kill-child --mount-proc --ipc'.split(' ');

/** The devices that a command can use, in addition to terminals that it creates itself. */
const devices = 'full null random tty urandom zero';
/** Parts of `/proc` through which root could change the system, or start a program outside of the sandbox. */
const settings = 'acpi asound bus driver fs irq mtrr scsi sys sysrq-trigger';

/** Returns the sandbox that uses `unshare` of util-linux, with a script for the mounts. */
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
 * Returns a shell script that makes all mounts except the writable directories read-only, and then starts the
 * command in a user namespace of its own, in which it cannot change the mounts.
 */
function script(program: string, search: string, confinement: Confinement): string {
  const { writable, cwd } = confinement;
  const hidden = hiddenPaths(confinement);
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const isWritable = (path: string) => writable.some((each) => path === each || path.startsWith(`${each}/`));
  const remounts = mounts().filter(({ path }) => !isWritable(path) && !/^\/(?:proc|dev)(?:\/|$)/.test(path));
  return [
    'set -e',
    // The script does not use the command's PATH, because the agent may have written a program such as
    // `mount` into one of its directories.
    `path=$PATH; PATH=${quoted(search)}`,
    ...writable.map((each) => `mount --rbind ${quoted(each)} ${quoted(each)}`),
    ...remounts.map(
      ({ path, flags }) => `mount -o ${['remount', 'bind', 'ro', ...flags].join()} ${quoted(path)}`,
    ),
    ...protectedSettings,
    ...hidden.directories.map((each) => `mount -t tmpfs tmpfs ${quoted(each)}`),
    ...hidden.sockets.map((each) => `mount --bind /dev/null ${quoted(each)}`),
    ...ownDevices,
    ...(confinement.network ? [] : ['ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :']),
    `cd ${quoted(cwd)}`,
    'set +e; PATH=$path',
    `${quoted(program)} --user --map-user=${uid} --map-group=${gid} -- "$@"`,
    // If `unshare` were the script's last command, the shell would replace itself by it, and the program
    // would be the process 1 of the namespace, which gets no signals that it does not handle.
    'exit "$?"',
  ].join('\n');
}

const protectedSettings = [
  `for each in ${settings}; do`,
  '[ ! -e "/proc/$each" ] || { mount --bind "/proc/$each" "/proc/$each" && mount -o remount,bind,ro "/proc/$each"; }',
  'done',
];

/**
 * Builds a minimal `/dev` in `/dev/shm`, and mounts it over `/dev`, which has the user's terminals and disks
 * that root may write.
 */
const ownDevices = [
  'new=/dev/shm',
  'mount -t tmpfs -o mode=755 tmpfs "$new"',
  `for each in ${devices}; do`,
  '[ ! -e "/dev/$each" ] || { : > "$new/$each" && mount --bind "/dev/$each" "$new/$each"; }',
  'done',
  'ln -s /proc/self/fd "$new/fd"',
  'for each in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${each%:*}" "$new/${each#*:}"; done',
  'mkdir -p "$new/shm" "$new/pts"',
  'mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$new/pts" 2>/dev/null || :',
  'ln -s pts/ptmx "$new/ptmx"',
  'mount --rbind "$new" /dev',
  'mount -o remount,bind,ro /dev',
  'mount -t tmpfs -o mode=1777 tmpfs /dev/shm',
];

interface Mount {
  readonly path: string;
  /** The flags that the read-only remount must repeat, because a user namespace may not remove them. */
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

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
