import { createHash } from 'node:crypto';
import type { ServerEntry } from '../config/entry/server-entry.ts';

/**
 * A hash of all parts of an entry that decide what is started or reached. For a server of a project it
 * includes the path of its file: `./server.js` is another program in another project. In a directory below
 * the project, its server has the directory of the project, and is the same.
 */
export function fingerprint({ name, target: written, scope, origin, project }: ServerEntry): string {
  const file = scope === 'project' ? origin?.file : undefined;
  const isThere = written.kind === 'stdio' && written.cwd === project;
  const target = isThere ? { ...written, cwd: undefined } : written;
  return createHash('sha256').update(canonical({ name, target, file })).digest('hex');
}

/** JSON with sorted keys, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
