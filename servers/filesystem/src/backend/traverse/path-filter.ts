import type { Boundary } from '../access/allowed-directories.ts';
import type { Opened } from '../access/path-opener.ts';
import { Glob, type GlobState } from './glob.ts';
import { alwaysIgnored, Ignored } from './ignore-rules.ts';
import type { Visitor, Walked } from './walk.ts';

export interface SelectionOptions {
  /** What paths must look like; everything unless said. */
  pattern?: string | undefined;
  /** Patterns of what to leave out, directories with all they hold. */
  exclude?: readonly string[] | undefined;
  /** Take `.git`, `node_modules` and what .gitignore files name too. */
  all?: boolean | undefined;
}

interface Reached {
  readonly wanted: GlobState | undefined;
  readonly unwanted: readonly GlobState[];
  readonly ignored: Ignored | undefined;
}

/** Directories that could not be looked into, and why; the first hundred. */
export type Unreadable = { readonly path: string; readonly reason: string }[];

/** What of a tree is meant: by a pattern, less what is excluded and what is ignored. */
export class Selection implements Visitor<Reached> {
  readonly initial: Reached;
  readonly unreadablePaths: Unreadable = [];
  readonly #wanted: Glob | undefined;
  readonly #unwanted: readonly Glob[];
  readonly #skipped: ReadonlySet<string>;

  constructor(boundary: Boundary, start: Opened, { pattern, exclude = [], all = false }: SelectionOptions) {
    this.#wanted = pattern === undefined ? undefined : new Glob(pattern);
    this.#unwanted = exclude.map((each) => new Glob(each.replace(/\/+$/, '')));
    this.#skipped = new Set(all ? [] : [...alwaysIgnored].filter((name) => !pattern?.includes(name)));
    this.initial = {
      wanted: this.#wanted?.start,
      unwanted: this.#unwanted.map((glob) => glob.start),
      ignored: all ? undefined : Ignored.above(boundary, start),
    };
  }

  opened(directory: Opened, path: string, state: Reached): Reached {
    const ignored = state.ignored?.within(directory, path);
    return ignored === state.ignored ? state : { ...state, ignored };
  }

  enter({ name, path, state }: Walked<Reached>): Reached | undefined {
    if (this.#skipped.has(name) || state.ignored?.has(path, name, true)) return undefined;
    const wanted = state.wanted && this.#wanted?.step(state.wanted, `${name}/`);
    if (wanted?.dead) return undefined;
    const unwanted = this.#unwanted.map((glob, index) => glob.step(state.unwanted[index]!, name));
    if (unwanted.some(({ accepting }) => accepting)) return undefined;
    return {
      wanted,
      unwanted: unwanted.map((reached, index) => this.#unwanted[index]!.step(reached, '/')),
      ignored: state.ignored,
    };
  }

  unreadable(path: string, reason: string): void {
    if (this.unreadablePaths.length < 100) this.unreadablePaths.push({ path, reason });
  }

  /** Whether something the walk has come by is meant. */
  chooses({ name, path, kind, state }: Walked<Reached>): boolean {
    const isDirectory = kind === 'directory';
    return (
      (!state.wanted || this.#wanted!.step(state.wanted, name).accepting) &&
      !(isDirectory && this.#skipped.has(name)) &&
      !this.#unwanted.some((glob, index) => glob.step(state.unwanted[index]!, name).accepting) &&
      !state.ignored?.has(path, name, isDirectory)
    );
  }
}
