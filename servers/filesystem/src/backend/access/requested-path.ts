import { resolve, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import { quoted } from '../display-name.ts';
import { NotFound, OutsideDirectories } from '../errors.ts';
import { otherwiseOnWindows } from './windows-reserved-names.ts';

/** Where a path leads by its letters alone: beneath which allowed directory, and what remains from there. */
export interface WantedPath {
  readonly asked: string;
  readonly directory: AllowedDirectory;
  /** Ends in a separator where only a directory will do. */
  readonly remainder: string;
}

/**
 * Decides what a path means, once. It is taken literally: nothing is trimmed, unquoted or expanded. `..` goes by
 * the letters, so that a link on the way cannot turn it elsewhere.
 */
export function wantedPath(asked: string, directories: readonly AllowedDirectory[]): WantedPath {
  refuseUnusable(asked);
  const [first] = directories;
  if (!first)
    throw new NotFound(
      `No directory is allowed, neither by the operator nor as a root of the client: ${quoted(asked)}`,
    );

  const path = resolve(first.name, asked);
  const onlyDirectory = endsLikeDirectory(asked);
  let directory: AllowedDirectory | undefined;
  let remainder = '';
  for (const candidate of directories) {
    const rest = candidate.remainder(path);
    if (rest === undefined || (directory && rest.length >= remainder.length)) continue;
    directory = candidate;
    remainder = rest;
  }
  if (!directory) throw new OutsideDirectories(asked);
  return { asked, directory, remainder: onlyDirectory && remainder ? remainder + sep : remainder };
}

function refuseUnusable(asked: string): void {
  if (asked.includes('\0')) throw new Error(`A path cannot contain a NUL character: ${quoted(asked)}`);
  if (!asked.isWellFormed()) throw new Error(`A path cannot contain half a character: ${quoted(asked)}`);
  if (asked[0] === '~' && (asked.length === 1 || asked[1] === '/')) {
    throw new Error(`"~" is not expanded; use "./~" for a directory of that name: ${quoted(asked)}`);
  }
  if (/^file:\/\//i.test(asked)) throw new Error(`Expected a path, not a URI: ${quoted(asked)}`);
  const otherwise = sep === '\\' ? otherwiseOnWindows(asked) : undefined;
  if (otherwise) throw new Error(`${otherwise}: ${quoted(asked)}`);
  if (asked.trim() === '') throw new Error(`A path cannot be empty or blank: ${quoted(asked)}`);
}

function endsLikeDirectory(asked: string): boolean {
  const last = asked.slice(Math.max(asked.lastIndexOf('/'), asked.lastIndexOf(sep)) + 1);
  return last === '' || last === '.' || last === '..';
}
