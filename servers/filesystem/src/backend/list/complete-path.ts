import type { Boundary } from '../access/allowed-directories.ts';
import type { Opened } from '../access/path-opener.ts';
import { entriesOf } from '../traverse/directory-entries.ts';
import { TimeSlice } from '../time-slice.ts';

const most = 100;

/** Paths that begin as somebody has begun to type, directories with a slash; nothing where there are none. */
export async function completePath(boundary: Boundary, typed: string): Promise<string[]> {
  const cut = typed.lastIndexOf('/') + 1;
  const found = boundary.directories
    .map(({ name }) => name)
    .filter((name) => typed.startsWith('/') && name.startsWith(typed) && name !== typed)
    .map((name) => `${name}/`);
  try {
    const directory = boundary.open(cut ? typed.slice(0, cut) : '.', 'directory');
    try {
      found.push(...(await begun(directory, typed, cut)));
    } finally {
      directory.close();
    }
  } catch {
    // What cannot be opened has nothing to offer.
  }
  return [...new Set(found)].sort().slice(0, most);
}

async function begun(directory: Opened, typed: string, cut: number): Promise<string[]> {
  const slice = new TimeSlice();
  const start = typed.slice(cut);
  const found: string[] = [];
  for (const entry of entriesOf(directory)) {
    if (slice.over) await slice.pause();
    if (!entry.name.startsWith(start) || entry.name.includes('\ufffd')) continue;
    // Hidden files are offered to who begins with the dot.
    if (entry.name.startsWith('.') && !start.startsWith('.')) continue;
    found.push(typed.slice(0, cut) + entry.name + (entry.isDirectory() ? '/' : ''));
    if (found.length > 20 * most) break;
  }
  return found;
}
