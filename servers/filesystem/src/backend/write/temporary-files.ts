import { lstatSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import { codeOf } from '../errors.ts';

/** Names of temporary files; nothing else is ever removed. */
const temporary = /^\.mcp-[a-z0-9]+-[a-z0-9]+\.tmp$/;
const mine = new Set<string>();
let began: string | undefined;

// Windows has no such number, and a temporary directory for each user anyway.
const user = process.geteuid?.() ?? -1;
const notesPath = join(tmpdir(), `mcp-server-filesystem-${user}`);

/** A name for a temporary file, short enough to stand beside the longest one. */
export function temporaryName(): string {
  return `.mcp-${process.pid.toString(36)}-${Math.random().toString(36).slice(2)}.tmp`;
}

/** Notes that a temporary file is about to be made, so that one whose process was killed can be found again. */
export function noteTemporary(path: string): Disposable {
  began ??= begin(process.pid);
  const note = `${process.pid}-${began}-${basename(path)}`;
  mine.add(note);
  try {
    mkdirSync(notesPath, { mode: 0o700, recursive: true });
    writeFileSync(join(notes(), note), path, { flag: 'wx', mode: 0o600 });
  } catch {
    // Without the note a kill at the wrong instant leaves a temporary file behind: no reason not to write.
  }
  return {
    [Symbol.dispose]() {
      mine.delete(note);
      tryUnlink(join(notesPath, note));
    },
  };
}

/** Removes the temporary files that processes left which were killed while they wrote. */
export function removeUnfinished(boundary: Boundary): void {
  for (const note of tryList()) {
    if (mine.has(note) || isRunning(note)) continue;
    const path = tryRead(join(notesPath, note));
    if (!path || !temporary.test(basename(path)) || !removeBeneath(boundary, path)) continue;
    tryUnlink(join(notesPath, note));
  }
}

/** Whether the file was in an allowed directory, and is gone now. */
function removeBeneath(boundary: Boundary, path: string): boolean {
  try {
    const parent = boundary.openAt(dirname(path));
    tryUnlink(join(parent.base, basename(path)));
    parent.close();
    return true;
  } catch {
    return false;
  }
}

/** The directory of the notes, which has to belong to this user alone. */
function notes(): string {
  const stats = lstatSync(notesPath);
  if (!stats.isDirectory() || (user >= 0 && stats.uid !== user)) throw new Error(`Not ours: "${notesPath}"`);
  return notesPath;
}

/** Whether the process that wrote a note still runs, and not only another one that has got its number. */
function isRunning(note: string): boolean {
  const [id = '', began = ''] = note.split('-');
  if (Number(id) === process.pid) return false;
  try {
    process.kill(Number(id), 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return began === '' || [began, ''].includes(begin(Number(id)));
}

/** When a process began, in ticks since the machine did; empty where the system does not say. */
function begin(id: number): string {
  const stat = tryRead(`/proc/${id}/stat`) ?? '';
  // Its second field is a name in brackets, which may hold anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function tryList(): string[] {
  try {
    return readdirSync(notes());
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
    // Somebody else was quicker.
  }
}
