import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import { CappedList } from '../capped-list.ts';
import { Glob, type GlobState } from './glob.ts';
import { alwaysIgnored, IgnoreRules } from './ignore-rules.ts';
import type { Visitor, WalkedEntry } from './walk.ts';

export interface PathFilterOptions {
  /** A glob that paths must match. Default: all paths. */
  pattern?: string | undefined;
  /** Globs of paths to exclude, directories with their content. */
  exclude?: readonly string[] | undefined;
  /** Include `.git`, `node_modules` and what .gitignore files exclude. Default: false. */
  all?: boolean | undefined;
  /** Include what .gitignore files exclude. Default: false. */
  gitignored?: boolean | undefined;
}

interface FilterState {
  readonly included: GlobState | undefined;
  readonly excluded: readonly GlobState[];
  readonly ignored: IgnoreRules | undefined;
}

/** A file or directory that could not be read. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
}

/** Which paths of a tree match: those of a pattern, less what is excluded or ignored. */
export class PathFilter implements Visitor<FilterState> {
  readonly initial: FilterState;
  readonly unreadablePaths = new CappedList<UnreadablePath>();
  readonly #included: Glob | undefined;
  readonly #excluded: readonly Glob[];
  readonly #skipped: ReadonlySet<string>;

  constructor(
    allowed: AllowedDirectories,
    start: OpenedPath,
    { pattern, exclude = [], all = false, gitignored = false }: PathFilterOptions,
  ) {
    this.#included = pattern === undefined ? undefined : new Glob(pattern);
    this.#excluded = exclude.map((each) => new Glob(each.replace(/\/+$/, '')));
    this.#skipped = new Set(all ? [] : [...alwaysIgnored].filter((name) => !pattern?.includes(name)));
    this.initial = {
      included: this.#included?.start,
      excluded: this.#excluded.map((glob) => glob.start),
      ignored: all || gitignored ? undefined : IgnoreRules.fromAncestors(allowed, start),
    };
  }

  opened(directory: OpenedPath, path: string, state: FilterState): FilterState {
    const ignored = state.ignored?.enter(directory, path);
    return ignored === state.ignored ? state : { ...state, ignored };
  }

  enter({ name, path, state }: WalkedEntry<FilterState>): FilterState | undefined {
    if (this.#skipped.has(name) || state.ignored?.ignores(path, name, true)) return undefined;
    const included = state.included && this.#included?.step(state.included, `${name}/`);
    if (included?.dead) return undefined;
    const excluded = this.#excluded.map((glob, index) => glob.step(state.excluded[index]!, name));
    if (excluded.some(({ accepting }) => accepting)) return undefined;
    return {
      included,
      excluded: excluded.map((reached, index) => this.#excluded[index]!.step(reached, '/')),
      ignored: state.ignored,
    };
  }

  unreadable(path: string, reason: string): void {
    this.unreadablePaths.push({ path, reason });
  }

  /** Whether an entry matches. */
  matches({ name, path, kind, state }: WalkedEntry<FilterState>): boolean {
    const isDirectory = kind === 'directory';
    return (
      (!state.included || this.#included!.step(state.included, name).accepting) &&
      !(isDirectory && this.#skipped.has(name)) &&
      !this.#excluded.some((glob, index) => glob.step(state.excluded[index]!, name).accepting) &&
      !state.ignored?.ignores(path, name, isDirectory)
    );
  }
}
