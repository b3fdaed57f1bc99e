import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * File systems that are on another machine or implemented by a program (FUSE). Access to them may block for
 * ever.
 */
const networkTypes = /^(?:nfs|cifs|smb|ceph|afs|gluster|lustre|fuse\.|fuse$)/;

/** Milliseconds for which the list of mounts is cached. */
const maxAgeMs = 5_000;

let cached = { at: -Infinity, points: [] as readonly string[] };

/** Returns the mount points of file systems that may block; none on systems other than Linux. */
export function networkMounts(): readonly string[] {
  const now = performance.now();
  if (now - cached.at > maxAgeMs) cached = { at: now, points: readNetworkMounts() };
  return cached.points;
}

/** Whether a path is `directory` or inside it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function readNetworkMounts(): string[] {
  return mountInfo()
    .split('\n')
    .flatMap((line) => {
      const [mount = '', source = ''] = line.split(' - ');
      const [type = ''] = source.split(' ');
      const point = mount.split(' ')[4];
      return point !== undefined && networkTypes.test(type) ? [unescaped(point)] : [];
    });
}

function mountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** Decodes the octal escapes of mountinfo. */
function unescaped(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const plain = bytes.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return Buffer.from(plain, 'latin1').toString();
}
