import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { leadsTo } from '../access/visited-paths.ts';
import type { Confinement } from './sandbox.ts';

/** What a command does not see: in place of a directory an empty one, of a socket `/dev/null`. */
export interface HiddenPaths {
  readonly directories: readonly string[];
  readonly sockets: readonly string[];
}

/** What a command with a network needs of `/run` to find hosts by their names. */
const resolvers = ['/run/systemd/resolve', '/run/NetworkManager', '/run/nscd'];

/**
 * `/run`, whose sockets lead to services that start programs outside of the sandbox or have a network, such
 * as those of systemd and of Docker; but not what the command works in, and needs for a network.
 */
export function hiddenPaths({ network, writable, cwd }: Confinement): HiddenPaths {
  const needed = [cwd, ...writable, ...(network ? ['/etc/resolv.conf', ...resolvers] : [])].map(leadsTo);
  const directories: string[] = [];
  const sockets: string[] = [];
  const hide = (path: string) => {
    if (needed.some((each) => isIn(path, each))) return;
    if (!needed.some((each) => isIn(each, path))) directories.push(path);
    else {
      for (const child of childrenOf(path)) {
        const at = join(path, child.name);
        if (child.isDirectory()) hide(at);
        else if (child.isSocket() && !needed.includes(at)) sockets.push(at);
      }
    }
  };
  for (const path of new Set(['/run', '/var/run'].map(leadsTo)))
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) hide(path);
  return { directories, sockets };
}

function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function childrenOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    // What this process cannot read, the command cannot either.
    return [];
  }
}
