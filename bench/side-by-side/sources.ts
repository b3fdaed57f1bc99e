import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, type Library } from './libraries.ts';

/** The sources of a program, by path in its folder. */
export function sourcesOf(library: Library): Map<string, string> {
  const cwd = folderOf(library);
  const paths = globSync('{*.ts,src/**/*.ts}', {
    cwd,
    exclude: (path) => /node_modules|-env\.d\.ts$/.test(path),
  });
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
}

/** The lines of a program that are neither blank nor comments. */
export function linesOf(library: Library): number {
  const lines = [...sourcesOf(library).values()].join('\n').split('\n');
  return lines.filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length;
}
