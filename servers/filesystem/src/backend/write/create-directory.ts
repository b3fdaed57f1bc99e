import { mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { codeOf, failure, NotFound } from '../errors.ts';

export interface MadeDirectory {
  /** The real path. */
  readonly path: string;
  /** How many directories had to be made; none when it was there. */
  readonly made: number;
}

/** Makes a directory and those above it that are missing, each one beneath its parent once that is open. */
export function makeDirectory(boundary: Boundary, asked: string): MadeDirectory {
  const path = boundary.locate(asked.replace(/[/]+$/, '') || asked, { parents: true });
  const { start, names } = missingFrom(boundary, path, asked);
  let parent = start;
  let made = 0;
  try {
    for (const name of names) {
      made += make(join(parent.base, name), asked);
      const next = boundary.openAt(join(parent.path, name));
      parent.close();
      parent = next;
    }
    return { path: parent.path, made };
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP')
      throw new Error(`Already exists, but is no directory: ${quoted(asked)}`, { cause: error });
    throw failure(error, asked, 'directory');
  } finally {
    parent.close();
  }
}

/** The nearest directory that is there, and the names from there to the path. */
function missingFrom(boundary: Boundary, path: string, asked: string) {
  for (let at = path; ; at = join(at, '..')) {
    try {
      return { start: boundary.openAt(at), names: relative(at, path).split(sep).filter(Boolean) };
    } catch (error) {
      if (codeOf(error) === 'ENOTDIR')
        throw new Error(`Already exists, but is no directory: ${quoted(asked)}`, { cause: error });
      if (codeOf(error) !== 'ENOENT' && !(error instanceof NotFound))
        throw failure(error, asked, 'directory');
      if (boundary.directories.some(({ real }) => real === at)) throw error;
    }
  }
}

function make(path: string, asked: string): 0 | 1 {
  try {
    mkdirSync(path);
    return 1;
  } catch (error) {
    // Somebody else was quicker; whether it is a directory shows when it is opened.
    if (codeOf(error) === 'EEXIST') return 0;
    throw failure(error, asked, 'directory');
  }
}
