import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { leadsTo } from '../access/visited-paths.ts';
import type { Confinement } from './sandbox.ts';

/** Paths that a command must not see. A directory appears empty, and a socket appears as `/dev/null`. */
export interface HiddenPaths {
  readonly directories: readonly string[];
  readonly sockets: readonly string[];
}

/** The parts of `/run` with which a command that has a network resolves host names. */
const resolvers = ['/run/systemd/resolve', '/run/NetworkManager', '/run/nscd'];

/**
 * Returns the parts of `/run` to hide, because its sockets lead to services, such as Docker, outside of the
 * sandbox. The command's directories and, with a network, the files that resolve names are not hidden.
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
    // A directory that this process cannot read is unreadable for the command, too.
    return [];
  }
}
