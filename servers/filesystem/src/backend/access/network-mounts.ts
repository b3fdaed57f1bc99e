import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** File systems whose files are elsewhere, and which may wait for ever for somebody there. */
const remote = /^(?:nfs|cifs|smb|ceph|afs|gluster|lustre|fuse\.|fuse$)/;

/** How long what was read of the mounts is good for. */
const goodMs = 5_000;

let read = { at: -Infinity, points: [] as readonly string[] };

/** Where file systems are mounted that may not answer. Linux only: elsewhere nothing says so. */
export function remoteMounts(): readonly string[] {
  const now = performance.now();
  if (now - read.at > goodMs) read = { at: now, points: remotePoints() };
  return read.points;
}

/** Whether one path is the other or beneath it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function remotePoints(): string[] {
  return mountInfo()
    .split('\n')
    .flatMap((line) => {
      const [mount = '', source = ''] = line.split(' - ');
      const [type = ''] = source.split(' ');
      const point = mount.split(' ')[4];
      return point !== undefined && remote.test(type) ? [unescaped(point)] : [];
    });
}

function mountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** Blanks and the like are written in octal. */
function unescaped(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const plain = bytes.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return Buffer.from(plain, 'latin1').toString();
}
