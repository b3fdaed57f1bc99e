import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '../session.ts';

export const official = 'official';
export const j0hanz = 'j0hanz';

/** Creates the files of a task. */
export function put(world: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  mkdirSync(world, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(world, path)), { recursive: true });
    writeFileSync(join(world, path), content);
  }
}

export function textAt(world: string, path: string): string {
  return readFileSync(join(world, path), 'utf8');
}

/** The contents of the files that match a glob, by path. */
export function textsIn(world: string, glob: string): Record<string, string> {
  const paths = globSync(glob, { cwd: world, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(world.length + 1))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, textAt(world, path)]));
}

/** Numbers from 1, as text of the same width. */
export function numbers(count: number, width = 2): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1).padStart(width, '0'));
}

/** What the official server needs to find files: absolute paths. */
export async function officialFind(session: Session, path: string, pattern: string): Promise<string[]> {
  return (await session.call('search_files', { path, pattern })).split('\n');
}

export async function j0hanzFind(session: Session, args: object): Promise<string[]> {
  return (await session.call('find_files', args)).split('\n').filter(Boolean);
}

/** Changes files with the official server as its tools suggest: reads all, then writes each whole. */
export async function officialRewrite(
  session: Session,
  world: string,
  paths: readonly string[],
  change: (text: string) => string,
): Promise<void> {
  await session.call('read_multiple_files', { paths });
  for (const path of paths)
    await session.call('write_file', { path, content: change(textAt(world, path.slice(world.length + 1))) });
}
