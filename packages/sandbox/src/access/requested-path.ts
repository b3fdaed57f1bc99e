import { resolve, sep } from 'node:path';
import { quoted } from '@mcp/kit';
import type { AllowedDirectory } from './allowed-directory.ts';
import { NotFound, OutsideDirectories } from '../errors.ts';
import { windowsNameProblem } from './windows-reserved-names.ts';

/** A requested path resolved lexically: the allowed directory that contains it, and the path from there. */
export interface RequestedPath {
  readonly text: string;
  readonly directory: AllowedDirectory;
  /** The path from `directory`; ends in a separator if the request ends in `/`, `.` or `..`. */
  readonly remainder: string;
}

/**
 * Parses a requested path, without expanding `~`. Resolves `..` lexically, so that no symlink in the path
 * redirects it.
 */
export function parseRequestedPath(
  requestedPath: string,
  directories: readonly AllowedDirectory[],
): RequestedPath {
  refuseUnusable(requestedPath);
  const [first] = directories;
  if (!first)
    throw new NotFound(
      `No directory is allowed; name one when the server starts, or as a root of the client: ${quoted(requestedPath)}`,
    );

  const path = resolve(first.name, requestedPath);
  const onlyDirectory = endsLikeDirectory(requestedPath);
  let directory: AllowedDirectory | undefined;
  let remainder = '';
  for (const candidate of directories) {
    const rest = candidate.remainder(path);
    if (rest === undefined || (directory && rest.length >= remainder.length)) continue;
    directory = candidate;
    remainder = rest;
  }
  if (!directory) throw new OutsideDirectories(requestedPath);
  return {
    text: requestedPath,
    directory,
    remainder: onlyDirectory && remainder ? remainder + sep : remainder,
  };
}

function refuseUnusable(requestedPath: string): void {
  if (requestedPath.includes('\0'))
    throw new Error(`A path cannot contain a NUL character: ${quoted(requestedPath)}`);
  if (!requestedPath.isWellFormed())
    throw new Error(`A path cannot contain a lone surrogate: ${quoted(requestedPath)}`);
  if (requestedPath[0] === '~' && (requestedPath.length === 1 || requestedPath[1] === '/')) {
    throw new Error(
      `"~" is not expanded; use an absolute path, or "./~" for an entry of that name: ${quoted(requestedPath)}`,
    );
  }
  if (/^file:\/\//i.test(requestedPath))
    throw new Error(`Expected a path, not a URI: ${quoted(requestedPath)}`);
  const problem = sep === '\\' ? windowsNameProblem(requestedPath) : undefined;
  if (problem) throw new Error(`${problem}: ${quoted(requestedPath)}`);
  if (requestedPath.trim() === '')
    throw new Error(`A path cannot be empty or blank: ${quoted(requestedPath)}`);
}

function endsLikeDirectory(requestedPath: string): boolean {
  const last = requestedPath.slice(
    Math.max(requestedPath.lastIndexOf('/'), requestedPath.lastIndexOf(sep)) + 1,
  );
  return last === '' || last === '.' || last === '..';
}
