import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { readSmallFile } from '../read-small-file.ts';

/**
 * A record in the git directory while a server writes to a repository. If that server is killed, the next
 * server learns from the record which lock files it left, and which operation was interrupted.
 */
export interface WriteRecord {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same id. */
  readonly owner: ProcessIdentity;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** The operation that runs, if it can be undone or must be reported; not validated. */
  readonly operation?: unknown;
  /** Whether the operation has ended, and the server could not undo it. */
  readonly over?: boolean;
}

/** Identifies a process by its machine and container, the start of the system, and its own start. */
type ProcessIdentity = readonly [space: string, boot: string, start: string];

const pattern = /^mcp-server-git-\d+(-over)?\.json$/;
const maxBytes = 16 * 1024 * 1024;

function pathOf(gitDir: string, { pid, over }: Pick<WriteRecord, 'pid' | 'over'>): string {
  return join(gitDir, `mcp-server-git-${pid}${over ? '-over' : ''}.json`);
}

/** Writes the `WriteRecord` of this process into the git directory; ignores a failure to write it. */
export function writeRecord(
  gitDir: string,
  record: Pick<WriteRecord, 'started' | 'operation' | 'over'>,
): void {
  const content: WriteRecord = {
    pid: process.pid,
    owner: (ownIdentity ??= identityOf(process.pid)),
    ...record,
  };
  const path = pathOf(gitDir, content);
  try {
    rmSync(path, { force: true });
    // The flag makes this fail if the file exists, so that no symlink is followed.
    writeFileSync(path, JSON.stringify(content), { flag: 'wx' });
  } catch {
    // Git will fail to write too, and its error will say why.
  }
}

export function removeRecord(
  gitDir: string,
  record: Pick<WriteRecord, 'pid' | 'over'> = { pid: process.pid },
): void {
  try {
    rmSync(pathOf(gitDir, record), { force: true });
  } catch {
    // The record is read again later; none of the lock files and changes that it describes are left then.
  }
}

/** The records of servers that have ended, and of operations that have ended and could not be undone. */
export function abandonedRecords(gitDir: string): WriteRecord[] {
  return readdirSync(gitDir)
    .filter((name) => pattern.test(name))
    .flatMap((name) => recordIn(join(gitDir, name)) ?? [])
    .filter((record) => record.over === true || !runs(record));
}

/** Parses the file of a record, which may be hostile; undefined if it is not a valid record. */
function recordIn(path: string): WriteRecord | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    const record = JSON.parse(readSmallFile(path, maxBytes)?.toString('utf8') ?? '') as Partial<WriteRecord>;
    const { pid, owner, started } = record;
    if (!Number.isSafeInteger(pid) || typeof started !== 'number') return undefined;
    return Array.isArray(owner) && owner.length === 3 ? (record as WriteRecord) : undefined;
  } catch {
    return undefined;
  }
}

let ownIdentity: ProcessIdentity | undefined;

function identityOf(pid: number): ProcessIdentity {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return [`${hostname()} ${readlinkSync('/proc/self/ns/pid')}`, boot, startOf(pid)];
  } catch {
    return [hostname(), '', ''];
  }
}

/** The start of a process, in ticks since the start of the system; Linux only. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/**
 * Whether the server that has written a record still runs. True if it is on another machine or in another
 * container, where this cannot be determined.
 */
function runs({ pid, owner: [space, boot, start] }: WriteRecord): boolean {
  const [ownSpace, ownBoot] = (ownIdentity ??= identityOf(process.pid));
  if (space !== ownSpace) return true;
  if (boot !== ownBoot) return false;
  if (pid === process.pid) return start === ownIdentity[2];
  try {
    if (start !== '') return startOf(pid) === start;
    kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
