import { lstatSync, renameSync, type Stats } from 'node:fs';

/**
 * Remembers the file of a socket at which this process has begun to listen. The returned function calls
 * `close`, in which Node deletes the file at the path, whatever it is: the file of another process, which has
 * taken its place, is moved away meanwhile.
 */
export function leaving(socketPath: string): (close: () => void) => void {
  const own = fileAt(socketPath);
  return (close) => {
    if (!isAnother(own, fileAt(socketPath))) return close();
    const aside = `${socketPath}.${crypto.randomUUID()}`;
    if (!moved(socketPath, aside)) return close();
    try {
      close();
    } finally {
      moved(aside, socketPath);
    }
  };
}

function fileAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isAnother(own: Stats | undefined, found: Stats | undefined): boolean {
  return found !== undefined && (found.ino !== own?.ino || found.dev !== own.dev);
}

/** Renames a file; returns false if this process may not, and then Node cannot delete it either. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
