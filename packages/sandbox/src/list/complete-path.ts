import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { entriesOf } from '../traverse/directory-entries.ts';
import { TimeSlice } from '../time-slice.ts';

const maxCompletions = 100;

/** Returns up to 100 existing paths that begin with `typed`; paths of directories end in a slash. */
export async function completePath(allowed: AllowedDirectories, typed: string): Promise<string[]> {
  const cut = typed.lastIndexOf('/') + 1;
  const found = allowed.directories
    .map(({ name }) => name)
    .filter((name) => typed.startsWith('/') && name.startsWith(typed) && name !== typed)
    .map((name) => `${name}/`);
  try {
    using directory = allowed.open(cut ? typed.slice(0, cut) : '.', 'directory');
    found.push(...(await entriesFrom(directory, typed, cut)));
  } catch {
    // A directory that cannot be opened has no completions.
  }
  return [...new Set(found)].sort().slice(0, maxCompletions);
}

async function entriesFrom(directory: OpenedPath, typed: string, cut: number): Promise<string[]> {
  const slice = new TimeSlice();
  const start = typed.slice(cut);
  const found: string[] = [];
  for (const entry of entriesOf(directory)) {
    if (slice.over) await slice.pause();
    if (!entry.name.startsWith(start) || entry.name.includes('\ufffd')) continue;
    // Names that begin with a dot are only completed if the user has typed the dot.
    if (entry.name.startsWith('.') && !start.startsWith('.')) continue;
    found.push(typed.slice(0, cut) + entry.name + (entry.isDirectory() ? '/' : ''));
    if (found.length > 20 * maxCompletions) break;
  }
  return found;
}
