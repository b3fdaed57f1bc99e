import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The end of a temporary file's name: host, process id, start time of the process, and a random part. */
const ending = /\.([0-9a-f]{8})-(\d{1,10})-(\d*)-[0-9a-f]{8}\.tmp(?:-(?:journal|wal|shm))?$/;

let host: string | undefined;

/**
 * Identifies this host and container. A process elsewhere cannot be looked up here, so it counts as still
 * running, and its temporary files are not deleted.
 */
function ownHost(): string {
  if (host !== undefined) return host;
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Namespaces of process ids exist only on Linux.
  }
  host = createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
  return host;
}

/** Returns a name for an export's temporary file that identifies the writing process. */
export function temporaryName(name: string): string {
  return `.${name}.${ownHost()}-${process.pid}-${startTimeOf(process.pid)}-${randomUUID().slice(0, 8)}.tmp`;
}

/** Deletes the temporary files of exports whose process was killed. */
export async function deleteAbandoned(directory: string): Promise<void> {
  // A directory that cannot be listed may still be writable, so the error is ignored.
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.startsWith('.') || !isAbandoned(name)) continue;
    const path = join(directory, name);
    if ((await lstat(path).catch(() => undefined))?.isFile()) await rm(path, { force: true }).catch(() => {});
  }
}

function isAbandoned(name: string): boolean {
  const [, at, pid, startTime] = ending.exec(name) ?? [];
  if (at !== ownHost() || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // The process id exists, but a new process may have got the same id. So the start times are compared.
  return startTime !== '' && startTime !== startTimeOf(Number(pid));
}

/** The start of a process, in clock ticks since boot; empty if the system does not tell. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name in parentheses may contain any character, so the fields are split after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
