import { join } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import type { Kind } from '../file-kind.ts';

/** One of two compared directories, with its entries by their relative paths. */
export interface Side {
  readonly start: OpenedPath;
  readonly entries: Map<string, { readonly kind: Kind; readonly size: number; readonly link?: string }>;
}

/** Runs `use` with the descriptors of the files at a relative path in both directories. */
export async function withBothFiles<Result>(
  allowed: AllowedDirectories,
  [one, other]: readonly [Side, Side],
  path: string,
  use: (fd: number, otherFd: number) => Promise<Result>,
): Promise<Result> {
  using first = allowed.openFileAt(join(one.start.path, path));
  using second = allowed.openFileAt(join(other.start.path, path));
  return await use(first.readable(), second.readable());
}
