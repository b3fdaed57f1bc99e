import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { GitIgnore } from './gitignore.ts';

/** Directories that searches and trees skip by default. */
export const alwaysIgnored: ReadonlySet<string> = new Set(['.git', 'node_modules']);

interface Level {
  readonly rules: GitIgnore;
  /**
   * Paths are relative to the topmost directory. At this offset starts the part that is relative to this
   * level's directory.
   */
  readonly start: number;
  readonly above: Level | undefined;
}

/** The .gitignore rules that apply to one directory of a tree and to its content. */
export class IgnoreRules {
  readonly #level: Level | undefined;
  /** The path from the topmost directory with rules to the walk's start; empty or with a final slash. */
  readonly #lead: string;

  private constructor(level: Level | undefined, lead: string) {
    this.#level = level;
    this.#lead = lead;
  }

  /** Reads the rules of all directories above, up to the top of the repository or allowed directory. */
  static fromAncestors(allowed: AllowedDirectories, start: OpenedPath): IgnoreRules {
    const above: OpenedPath[] = [];
    try {
      let at = start;
      while (!hasEntry(at, '.git') && !allowed.directories.some(({ real }) => real === at.path)) {
        at = allowed.openAt(dirname(at.path));
        above.push(at);
      }
    } catch {
      // The rules of an ancestor that cannot be opened do not apply.
    }
    const top = above.at(-1);
    const lead = top ? `${relative(top.path, start.path).replaceAll(sep, '/')}/` : '';
    let ignored = new IgnoreRules(undefined, lead);
    for (const directory of above.reverse()) {
      const path = relative(top!.path, directory.path).replaceAll(sep, '/');
      ignored = ignored.#with(directory, path === '' ? 0 : path.length + 1);
      directory.close();
    }
    return ignored;
  }

  /** Adds the rules of a subdirectory, to which `path` leads from the start of the walk. */
  enter(directory: OpenedPath, path: string): IgnoreRules {
    return this.#with(directory, this.#lead.length + (path === '' ? 0 : path.length + 1));
  }

  /** Whether a path is ignored. Not called for the content of ignored directories. */
  ignores(path: string, name: string, isDirectory: boolean): boolean {
    if (!this.#level) return false;
    const whole = this.#lead + path;
    for (let level: Level | undefined = this.#level; level; level = level.above) {
      const isIgnored = level.rules.ignores(whole.slice(level.start), name, isDirectory);
      if (isIgnored !== undefined) return isIgnored;
    }
    return false;
  }

  #with(directory: OpenedPath, start: number): IgnoreRules {
    if (!hasEntry(directory, '.gitignore')) return this;
    const rules = readRules(directory);
    return rules ? new IgnoreRules({ rules, start, above: this.#level }, this.#lead) : this;
  }
}

function hasEntry(directory: OpenedPath, name: string): boolean {
  return lstatSync(`${directory.base}/${name}`, { throwIfNoEntry: false }) !== undefined;
}

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** The number of bytes that are read of a .gitignore file; the rest of the file is not used. */
const maxBytes = 1024 * 1024;

function readRules(directory: OpenedPath): GitIgnore | undefined {
  try {
    const fd = openSync(`${directory.base}/.gitignore`, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) return undefined;
      const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
      return new GitIgnore(bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
