import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { CappedList } from '../capped-list.ts';
import { endingsOf } from './file-types.ts';
import { Glob, type GlobState } from './glob.ts';
import { alwaysIgnored, IgnoreRules } from './ignore-rules.ts';
import type { Visitor, WalkedEntry } from './walk.ts';

export interface PathFilterOptions {
  /** A glob that paths must match. Default: all paths. */
  pattern?: string | undefined;
  /** Only files of a type such as `ts`. Default: all entries. Throws for an unknown type. */
  type?: string | undefined;
  /** Globs of paths to exclude; an excluded directory is left out with its content. */
  exclude?: readonly string[] | undefined;
  /** Include `.git`, `node_modules` and paths that .gitignore files exclude. Default: false. */
  all?: boolean | undefined;
  /** Include paths that .gitignore files exclude, but not `.git` and `node_modules`. Default: false. */
  gitignored?: boolean | undefined;
  /**
   * What to do with `.git` and `node_modules`, unless the pattern names them. `skip`: leave them out.
   * `count`: leave them out, and count the matches inside. `whole`: include such a directory if the pattern
   * matches it; leave out the others, and count the matches inside. Default: `skip`.
   */
  repositories?: 'skip' | 'whole' | 'count' | undefined;
}

interface FilterState {
  readonly included: GlobState | undefined;
  readonly excluded: readonly GlobState[];
  readonly ignored: IgnoreRules | undefined;
  /**
   * The name of the skipped directory (such as `node_modules`) that contains the entry. Matches in such a
   * directory are only counted.
   */
  readonly skipped?: string | undefined;
}

/** A file or directory that could not be read. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
}

/** Decides which paths of a tree match: those that fit the pattern and are neither excluded nor ignored. */
export class PathFilter implements Visitor<FilterState> {
  readonly initial: FilterState;
  readonly unreadablePaths = new CappedList<UnreadablePath>();
  readonly #included: Glob | undefined;
  readonly #excluded: readonly Glob[];
  readonly #skipped: ReadonlySet<string>;
  readonly #repositories: 'skip' | 'whole' | 'count';
  readonly #endings: readonly string[] | undefined;

  constructor(allowed: AllowedDirectories, start: OpenedPath, options: PathFilterOptions) {
    const { pattern, exclude = [], all = false, gitignored = false, repositories = 'skip' } = options;
    this.#endings = options.type === undefined ? undefined : endingsOf(options.type);
    this.#included = pattern === undefined ? undefined : new Glob(pattern);
    this.#excluded = exclude.map((each) => new Glob(each.replace(/\/+$/, '')));
    this.#skipped = new Set(all ? [] : [...alwaysIgnored].filter((name) => !pattern?.includes(name)));
    this.#repositories = repositories;
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
    if (state.ignored?.ignores(path, name, true)) return undefined;
    const isSkipped = this.#isSkipped(name, state);
    if (isSkipped && this.#repositories === 'skip') return undefined;
    const included = state.included && this.#included?.step(state.included, `${name}/`);
    if (included?.dead) return undefined;
    const excluded = this.#excluded.map((glob, index) => glob.step(state.excluded[index]!, name));
    if (excluded.some(({ accepting }) => accepting)) return undefined;
    return {
      included,
      excluded: excluded.map((reached, index) => this.#excluded[index]!.step(reached, '/')),
      ignored: state.ignored,
      skipped: state.skipped ?? (isSkipped ? name : undefined),
    };
  }

  unreadable(path: string, reason: string): void {
    this.unreadablePaths.push({ path, reason });
  }

  /** Whether an entry matches and is not in a skipped directory. */
  matches(entry: WalkedEntry<FilterState>): boolean {
    return this.skippedIn(entry) === undefined && this.matchesPattern(entry);
  }

  /** Whether an entry matches, even if it is in a skipped directory. */
  matchesPattern({ name, path, kind, state }: WalkedEntry<FilterState>): boolean {
    return (
      this.#hasEnding(name, kind) &&
      (!state.included || this.#included!.step(state.included, name).accepting) &&
      !this.#excluded.some((glob, index) => glob.step(state.excluded[index]!, name).accepting) &&
      !state.ignored?.ignores(path, name, kind === 'directory')
    );
  }

  /** If the entry is a skipped directory or lies in one, the name of that directory. */
  skippedIn({ name, kind, state }: WalkedEntry<FilterState>): string | undefined {
    return state.skipped ?? (kind === 'directory' && this.#isSkipped(name, state) ? name : undefined);
  }

  #hasEnding(name: string, kind: WalkedEntry<unknown>['kind']): boolean {
    return !this.#endings || (kind === 'file' && this.#endings.some((each) => name.endsWith(each)));
  }

  #isSkipped(name: string, { included }: FilterState): boolean {
    if (!this.#skipped.has(name)) return false;
    return (
      this.#repositories !== 'whole' || (included && this.#included?.step(included, name).accepting) !== true
    );
  }
}
