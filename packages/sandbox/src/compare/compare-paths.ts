import { quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { kindOf } from '../file-kind.ts';
import { compareDirectories, type DirectoryDifferences } from './compare-directories.ts';
import { haveSameContent } from './same-content.ts';
import { textDiff } from './text-diff.ts';

export interface CompareOptions {
  /** The number of characters after which the diff is cut. Default: 32 Ki for files, 0 for directories. */
  maxDiff?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries compared. */
  progress?: ((compared: number) => void) | undefined;
}

export interface FileDifferences {
  readonly isSame: boolean;
  readonly sizes: readonly [number, number];
  /** The unified diff from the first file to the second; missing if equal, not text, or more than 1 MiB. */
  readonly diff?: string;
}

export type Comparison =
  | { readonly kind: 'file'; readonly files: FileDifferences }
  | { readonly kind: 'directory'; readonly directories: DirectoryDifferences };

export interface Compared {
  readonly opened: OpenedPath;
  readonly requestedPath: string;
}

const maxTextBytes = 1024 * 1024;

/** Compares two files, or two directories with their content. */
export async function comparePaths(
  allowed: AllowedDirectories,
  one: Compared,
  other: Compared,
  options: CompareOptions = {},
): Promise<Comparison> {
  const [kind, otherKind] = [kindOf(one.opened.stats), kindOf(other.opened.stats)];
  if (kind !== otherKind || (kind !== 'file' && kind !== 'directory')) {
    const each = `${quoted(one.requestedPath)} is a ${kind}, ${quoted(other.requestedPath)} a ${otherKind}`;
    throw new Error(`Only two files or two directories can be compared: ${each}`);
  }
  if (kind === 'directory')
    return { kind, directories: await compareDirectories(allowed, one.opened, other.opened, options) };
  return { kind, files: await compareFiles(one, other, options) };
}

async function compareFiles(one: Compared, other: Compared, { maxDiff, signal }: CompareOptions) {
  const sizes = [one.opened.stats.size, other.opened.stats.size] as const;
  const fds = [one.opened.readable(), other.opened.readable()] as const;
  if (sizes[0] === sizes[1] && (await haveSameContent(...fds, signal))) return { isSame: true, sizes };
  const diff = await textDiff(
    { fd: fds[0], path: one.requestedPath },
    { fd: fds[1], path: other.requestedPath },
    { maxBytes: maxTextBytes, maxDiff },
  );
  return { isSame: false, sizes, ...(diff && { diff }) };
}
