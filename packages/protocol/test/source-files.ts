import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The TypeScript files below a directory. */
export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(directory, name));
}
