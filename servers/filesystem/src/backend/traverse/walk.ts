import { join } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import { displayName } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { entriesOf } from './directory-entries.ts';
import { failure } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';

export interface Walked<State> {
  readonly name: string;
  /** From where the walk began, with `/` between names. */
  readonly path: string;
  readonly kind: Kind;
  readonly depth: number;
  /** What it is in, open until the walk goes on. */
  readonly directory: Opened;
  /** What the visitor attached to the directory this is in. */
  readonly state: State;
}

export interface Visitor<State> {
  readonly initial: State;
  /** What to attach to a directory and all within, or nothing to leave it out. */
  enter(directory: Walked<State>): State | undefined;
  /** A directory is open now: what to attach to it may depend on what is in it. */
  opened?(directory: Opened, path: string, state: State): State;
  /** A directory could not be read; the walk goes on without it. */
  unreadable(path: string, reason: string): void;
}

interface Pending<State> {
  readonly real: string;
  readonly path: string;
  readonly depth: number;
  readonly state: State;
}

/**
 * Everything beneath a directory, each directory once. Links are reported and never followed: a directory is
 * entered only when it is found, once open, exactly where it was seen. Takes no breath; the caller does.
 */
export function* walk<State>(
  boundary: Boundary,
  start: Opened,
  visitor: Visitor<State>,
): Generator<Walked<State>> {
  const pending: Pending<State>[] = [{ real: start.path, path: '', depth: 0, state: visitor.initial }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { real, path, depth } = next;
    const directory = openOrReport(boundary, next, visitor);
    if (!directory) continue;
    try {
      const state = visitor.opened ? visitor.opened(directory, path, next.state) : next.state;
      for (const found of entriesOf(directory)) {
        const { name } = found;
        const within = path ? `${path}/${name}` : name;
        const walked = { name, path: within, kind: kindOf(found), depth, directory, state };
        yield walked;
        if (walked.kind !== 'directory') continue;
        const entered = visitor.enter(walked);
        if (entered === undefined) continue;
        pending.push({ real: join(real, name), path: walked.path, depth: depth + 1, state: entered });
      }
    } catch (error) {
      report(next, visitor, error);
    } finally {
      directory.close();
    }
  }
}

function openOrReport<State>(boundary: Boundary, { real, path }: Pending<State>, visitor: Visitor<State>) {
  try {
    return boundary.openAt(real);
  } catch (error) {
    report({ path }, visitor, error);
    return undefined;
  }
}

function report<State>({ path }: { path: string }, visitor: Visitor<State>, error: unknown): void {
  visitor.unreadable(displayName(path), failure(error, path || '.', 'directory').message);
}
