import { readdirSync, readlinkSync } from 'node:fs';

/** Returns the paths, equal to `path` or below it, for which this process has an open descriptor. */
export function openDescriptors(path: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(path));
}
