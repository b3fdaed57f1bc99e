import { lstatSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { codeOf } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';

/**
 * Matches the name of a registry entry, which is a file in `registryPath` with the path of a temporary file.
 * Captures the name of the temporary file; files with other names are never deleted.
 */
const entryName = /^\d+-\d*-(\.mcp-[a-z0-9]+-[a-z0-9]+\.tmp)$/;
/** The names of the registry entries that belong to temporary files of this process. */
const ownEntries = new Set<string>();
let processStartTime: string | undefined;

// Windows has no user ids. There, -1 is enough for all users, because each has a temporary directory.
const user = process.geteuid?.() ?? -1;
const registryPath = join(tmpdir(), `mcp-server-filesystem-${user}`);

/** A unique name for a temporary file. */
export function temporaryName(): string {
  return `.mcp-${process.pid.toString(36)}-${Math.random().toString(36).slice(2)}.tmp`;
}

/**
 * The name of a temporary file beside an entry. Until disposal it is listed in the registry, so that a later
 * process can delete the file if this process is killed.
 */
export class TemporaryFile implements Disposable {
  readonly #beside: EntryLocation;
  readonly #name = temporaryName();
  readonly #entry: string;

  constructor(beside: EntryLocation) {
    processStartTime ??= startTimeOf(process.pid);
    this.#beside = beside;
    this.#entry = `${process.pid}-${processStartTime}-${this.#name}`;
    ownEntries.add(this.#entry);
    try {
      const path = join(beside.parent.path, this.#name);
      writeFileSync(join(registryDirectory(), this.#entry), path, { flag: 'wx', mode: 0o600 });
    } catch {
      // Without an entry in the registry, no later process knows of the temporary file. So the file stays
      // behind if this process is killed.
    }
  }

  get path(): string {
    return pathOf({ parent: this.#beside.parent, name: this.#name });
  }

  [Symbol.dispose](): void {
    ownEntries.delete(this.#entry);
    tryUnlink(join(registryPath, this.#entry));
  }
}

/** Deletes the temporary files of processes that were killed while they wrote. */
export function deleteStaleTemporaries(allowed: AllowedDirectories): void {
  for (const entry of tryList()) {
    if (ownEntries.has(entry) || isRunning(entry)) continue;
    const path = tryRead(join(registryPath, entry));
    if (path === undefined || !isOver(allowed, entry, path)) continue;
    tryUnlink(join(registryPath, entry));
  }
}

/** Deletes the temporary file of a registry entry; returns whether the registry entry can be deleted, too. */
function isOver(allowed: AllowedDirectories, entry: string, path: string): boolean {
  const [, name] = entryName.exec(entry) ?? [];
  // If the path is incomplete, the process was killed while writing it, before it created the temporary file.
  if (name !== undefined && basename(path) !== name) return true;
  return name !== undefined && deleteInside(allowed, path);
}

/** Deletes a temporary file inside an allowed directory; returns whether it is gone. */
function deleteInside(allowed: AllowedDirectories, path: string): boolean {
  try {
    using file = allowed.entryAt(path);
    tryUnlink(pathOf(file));
    return true;
  } catch {
    return false;
  }
}

/** The directory for this user's registry and locks, created if missing. Throws if another user owns it. */
export function registryDirectory(): string {
  mkdirSync(registryPath, { mode: 0o700, recursive: true });
  const stats = lstatSync(registryPath);
  if (!stats.isDirectory() || (user >= 0 && stats.uid !== user))
    throw new Error(`The directory for locks belongs to another user; delete it: "${registryPath}"`);
  return registryPath;
}

/** Whether a registry entry's process still runs. A later one with its id has another start time. */
function isRunning(entry: string): boolean {
  const [id = '', startTime = ''] = entry.split('-');
  if (Number(id) === process.pid) return false;
  try {
    process.kill(Number(id), 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return startTime === '' || [startTime, ''].includes(startTimeOf(Number(id)));
}

/** Returns the start time of a process, in clock ticks since boot; empty if the system has no `/proc`. */
function startTimeOf(id: number): string {
  const stat = tryRead(`/proc/${id}/stat`) ?? '';
  // The second field of `stat` is the command name in parentheses, which may contain any character.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function tryList(): string[] {
  try {
    return readdirSync(registryDirectory());
  } catch {
    return [];
  }
}

function tryRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function tryUnlink(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process has already deleted the file.
  }
}
