import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { readSmallFile } from '../read-small-file.ts';

/**
 * A file in the git directory that exists while a server writes to the repository. If the server is killed,
 * the next server reads there which lock files are left over, and which operation was interrupted.
 */
export interface WriteRecord {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same id. */
  readonly owner: ProcessIdentity;
  /** When the server began to write, in milliseconds since 1970. */
  readonly started: number;
  /**
   * The running operation; present if a later start of the server must undo the operation, or report it to
   * the user. The value is not validated.
   */
  readonly operation?: unknown;
  /** Whether the operation has ended, but the server could not undo it. */
  readonly over?: boolean;
}

/** Identifies a process: its machine and container, the boot of the system, and the start of the process. */
type ProcessIdentity = readonly [space: string, boot: string, start: string];

const pattern = /^mcp-server-git-\d+(-over)?\.json$/;
const maxBytes = 16 * 1024 * 1024;

function pathOf(gitDir: string, { pid, over }: Pick<WriteRecord, 'pid' | 'over'>): string {
  return join(gitDir, `mcp-server-git-${pid}${over ? '-over' : ''}.json`);
}

/** Writes the `WriteRecord` of this process into the git directory. A failure to write is ignored. */
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
    // With the flag `wx`, writing fails if the path exists, so that no symlink is followed.
    writeFileSync(path, JSON.stringify(content), { flag: 'wx' });
  } catch {
    // If the record cannot be written, git cannot write either, and its error says why.
  }
}

export function removeRecord(
  gitDir: string,
  record: Pick<WriteRecord, 'pid' | 'over'> = { pid: process.pid },
): void {
  try {
    rmSync(pathOf(gitDir, record), { force: true });
  } catch {
    // If the record stays, a later server reads it again, which is harmless.
  }
}

/** Returns the records of servers that have ended, and of operations that could not be undone. */
export function abandonedRecords(gitDir: string): WriteRecord[] {
  return readdirSync(gitDir)
    .filter((name) => pattern.test(name))
    .flatMap((name) => recordIn(join(gitDir, name)) ?? [])
    .filter((record) => record.over === true || !runs(record));
}

/** Parses a record; undefined if it is not valid, because another program may have written the file. */
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

/** When a process started, in clock ticks since the boot of the system. Throws if the system is not Linux. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/**
 * Whether the server that wrote a record still runs; true if unknown: on another machine or in another
 * container.
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
