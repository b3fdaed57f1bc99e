import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import type { Opened } from '../access/path-opener.ts';
import { GitIgnore } from './gitignore.ts';

/** Left out unless asked for: nobody's own work, and most of what a tree holds. */
export const alwaysIgnored: ReadonlySet<string> = new Set(['.git', 'node_modules']);

interface Level {
  readonly rules: GitIgnore;
  /** Where the path from its directory begins in a path from the top. */
  readonly start: number;
  readonly above: Level | undefined;
}

/** What the .gitignore files of a tree leave out, as one directory in it and all beneath see it. */
export class Ignored {
  readonly #level: Level | undefined;
  /** From the topmost directory whose rules matter to where paths begin; empty or with a slash at its end. */
  readonly #lead: string;

  private constructor(level: Level | undefined, lead: string) {
    this.#level = level;
    this.#lead = lead;
  }

  /** The rules of the directories above, up to the top of the repository or of what is allowed. */
  static above(boundary: Boundary, start: Opened): Ignored {
    const above: Opened[] = [];
    try {
      let at = start;
      while (!has(at, '.git') && !boundary.directories.some(({ real }) => real === at.path)) {
        at = boundary.openAt(dirname(at.path));
        above.push(at);
      }
    } catch {
      // What cannot be opened has no rules that could be read.
    }
    const top = above.at(-1);
    const lead = top ? `${relative(top.path, start.path).replaceAll(sep, '/')}/` : '';
    let ignored = new Ignored(undefined, lead);
    for (const directory of above.reverse()) {
      const path = relative(top!.path, directory.path).replaceAll(sep, '/');
      ignored = ignored.#with(directory, path === '' ? 0 : path.length + 1);
      directory.close();
    }
    return ignored;
  }

  /** These and the rules of a directory at a path from where the walk began. */
  within(directory: Opened, path: string): Ignored {
    return this.#with(directory, this.#lead.length + (path === '' ? 0 : path.length + 1));
  }

  /** Whether something is left out; what is in a directory that is, is not asked for. */
  has(path: string, name: string, isDirectory: boolean): boolean {
    if (!this.#level) return false;
    const whole = this.#lead + path;
    for (let level: Level | undefined = this.#level; level; level = level.above) {
      const verdict = level.rules.verdict(whole.slice(level.start), name, isDirectory);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }

  #with(directory: Opened, start: number): Ignored {
    if (!has(directory, '.gitignore')) return this;
    const rules = readRules(directory);
    return rules ? new Ignored({ rules, start, above: this.#level }, this.#lead) : this;
  }
}

function has(directory: Opened, name: string): boolean {
  return lstatSync(`${directory.base}/${name}`, { throwIfNoEntry: false }) !== undefined;
}

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** More of a .gitignore is not read. */
const longest = 1024 * 1024;

function readRules(directory: Opened): GitIgnore | undefined {
  try {
    const fd = openSync(`${directory.base}/.gitignore`, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) return undefined;
      const bytes = Buffer.alloc(Math.min(stats.size, longest));
      return new GitIgnore(bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
