import { readdirSync, readlinkSync } from 'node:fs';

/** Returns the paths of this process's open descriptors that are equal to `path` or below it. */
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
