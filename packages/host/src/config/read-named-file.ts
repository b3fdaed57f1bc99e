import { readFileSync, statSync } from 'node:fs';

/** The text of a file that a configuration names. A device such as `/dev/zero` or a terminal has no end: throws. */
export function readNamedFile(path: string): string {
  if (statSync(path).isCharacterDevice()) throw new Error('it is a device');
  return readFileSync(path, 'utf8');
}
