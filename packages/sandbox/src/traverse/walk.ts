import { join } from 'node:path';
import { escapeName } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { entriesOf, entry, UndecodableNames, type AnsweredPath } from './directory-entries.ts';
import { toPathError } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';

export interface WalkedEntry<State> {
  readonly name: string;
  /** The path from the start of the walk, with `/` as separator. */
  readonly path: string;
  readonly kind: Kind;
  /** The exact bytes of a name that may not be UTF-8; undefined if the name is UTF-8. */
  readonly exact: Buffer | undefined;
  readonly depth: number;
  /** The directory that contains this entry; it stays open until the walk continues. */
  readonly directory: OpenedPath;
  /** The state that the visitor returned for `directory`. */
  readonly state: State;
}

export interface Visitor<State> {
  readonly initial: State;
  /** Called for each directory found; returns the state for its entries, or undefined to skip it. */
  enter(directory: WalkedEntry<State>): State | undefined;
  /**
   * Called after a directory was opened. The returned state replaces the state from `enter` for the entries
   * in it.
   */
  opened?(directory: OpenedPath, path: string, state: State): State;
  /** Called for a directory that cannot be read, with a path for clients. Then the walk continues. */
  unreadable(path: string, reason: string): void;
}

interface Pending<State> {
  readonly real: string;
  readonly path: string;
  readonly depth: number;
  readonly state: State;
}

/**
 * Yields all entries inside a directory, depth first. Never follows symlinks: after a directory was opened,
 * its real path must be the one at which it was found. Synchronous, so the caller must pause for the event
 * loop.
 */
export function* walk<State>(
  allowed: AllowedDirectories,
  start: OpenedPath,
  visitor: Visitor<State>,
): Generator<WalkedEntry<State>> {
  const prefix = allowed.answerPrefix(start.path);
  const names = new UndecodableNames();
  const pending: Pending<State>[] = [{ real: start.path, path: '', depth: 0, state: visitor.initial }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { real, path, depth } = next;
    const directory = openOrReport(allowed, prefix, next, visitor);
    if (!directory) continue;
    try {
      const state = visitor.opened ? visitor.opened(directory, path, next.state) : next.state;
      for (const found of entriesOf(directory)) {
        const { name } = found;
        const entryPath = path ? `${path}/${name}` : name;
        const kind = kindOf(found);
        const exact = names.take(directory, name, kind);
        const walked = { name, path: entryPath, kind, exact, depth, directory, state };
        yield walked;
        const entered = kind === 'directory' ? visitor.enter(walked) : undefined;
        if (entered === undefined) continue;
        pending.push({ real: join(real, name), path: entryPath, depth: depth + 1, state: entered });
      }
    } catch (error) {
      report(prefix + next.path, visitor, error);
    } finally {
      directory.close();
    }
  }
}

function openOrReport<State>(
  allowed: AllowedDirectories,
  prefix: string,
  { real, path }: Pending<State>,
  visitor: Visitor<State>,
) {
  try {
    return allowed.openAt(real);
  } catch (error) {
    report(prefix + path, visitor, error);
    return undefined;
  }
}

function report<State>(path: string, visitor: Visitor<State>, error: unknown): void {
  visitor.unreadable(escapeName(path), toPathError(error, path || '.', 'directory').message);
}

/** Returns the path of an entry of a walk, with `prefix` before it. */
export function answeredPath(
  prefix: string,
  { name, path, kind, exact }: Pick<WalkedEntry<unknown>, 'name' | 'path' | 'kind' | 'exact'>,
): AnsweredPath {
  const parent = prefix + path.slice(0, -name.length);
  const found = entry(name, kind, exact);
  return { path: parent + found.name, shown: escapeName(parent) + found.shown };
}
