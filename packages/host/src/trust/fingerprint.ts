import { createHash } from 'node:crypto';
import type { ServerEntry } from '../config/entry/server-entry.ts';

/**
 * A hash of all parts of an entry that decide what is started or reached. For a server of a project it
 * includes the path of its file: `./server.js` is another program in another project.
 */
export function fingerprint({ name, target, scope, origin }: ServerEntry): string {
  const file = scope === 'project' ? origin?.file : undefined;
  return createHash('sha256').update(canonical({ name, target, file })).digest('hex');
}

/** JSON with sorted keys, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
