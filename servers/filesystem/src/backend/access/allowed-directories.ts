import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import type { Door, Opened } from './path-opener.ts';
import { quoted } from '../display-name.ts';
import { codeOf, failure, NotFound, notUtf8, OutsideDirectories, type Noun } from '../errors.ts';
import { silent, type RemoteFiles } from './network-files.ts';
import { sameName } from './equivalent-names.ts';
import { trace } from './resolve-path.ts';
import { wantedPath, type WantedPath } from './requested-path.ts';

/** Where something is, or is about to be: a name in a directory that is open. */
export interface Place {
  readonly parent: Opened;
  readonly name: string;
  /** The real path. */
  readonly path: string;
}

/** A place, and what stands there: a link is a link, wherever it leads. */
export interface Standing extends Place {
  readonly stats: Stats | undefined;
}

/** The allowed directories together. Everything the server touches was opened here. */
export class Boundary {
  readonly directories: readonly AllowedDirectory[];
  readonly #door: Door;
  /** What can be neither moved nor deleted. */
  readonly #staying: readonly AllowedDirectory[];
  readonly #remote: RemoteFiles | undefined;

  constructor(
    directories: readonly AllowedDirectory[],
    door: Door,
    staying: readonly AllowedDirectory[] = [],
    remote?: RemoteFiles,
  ) {
    this.directories = directories;
    this.#door = door;
    this.#remote = remote;
    this.#staying = [...directories, ...staying];
  }

  /** Opens what a path leads to, links included, as long as that is inside. */
  open(asked: string, noun: Noun = 'file', reading = false): Opened {
    return this.#open(wantedPath(asked, this.directories), noun, reading);
  }

  /** The path that one is by its letters, links not followed. */
  wanted(asked: string): string {
    const { directory, remainder } = wantedPath(asked, this.directories);
    return join(directory.real, remainder);
  }

  /** Opens the directory at a real path and nowhere else: no link is followed on the way. */
  openAt(real: string): Opened {
    const directory = this.#holding(real);
    if (!directory) throw new OutsideDirectories(real);
    if (this.#remote?.isSilent(real)) throw silent(real);
    return this.#door.look(directory.reach(directory.below(real)!), {
      directory: true,
      admit: (path) => {
        if (path !== real || !directory.stands()) throw new NotFound(`No such directory: ${quoted(real)}`);
      },
    });
  }

  /** Opens the regular file of this name in an open directory, and nothing that a link leads to. */
  openFileIn(directory: Opened, name: string): Opened {
    const path = join(directory.path, name);
    const opened = this.#door.look(join(directory.base, name), {
      admit: (real) => {
        if (real !== path) throw new NotFound(`No such file: ${quoted(path)}`);
      },
    });
    if (opened.stats.isFile()) return opened;
    opened.close();
    throw new NotFound(`No such file: ${quoted(path)}`);
  }

  /** Opens the directory that holds, or is to hold, what has this real path. */
  placeAt(path: string): Place {
    return { parent: this.openAt(dirname(path)), name: basename(path), path };
  }

  /**
   * Opens the directory that a path's last name is in, and looks at what stands there under that name. Links on
   * the way are followed; one at the end is what is meant.
   */
  standing(asked: string): Standing {
    const wanted = wantedPath(asked, this.directories);
    const onlyDirectory = wanted.remainder.endsWith(sep);
    const remainder = onlyDirectory ? wanted.remainder.slice(0, -1) : wanted.remainder;
    if (!remainder) throw new Error(`Is an allowed directory itself: ${quoted(asked)}`);
    const cut = remainder.lastIndexOf(sep);
    const parent = this.#openParent(wanted, remainder.slice(0, Math.max(cut, 0)));
    try {
      if (!parent.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(dirname(asked))}`);
      const name = spelled(parent, remainder.slice(cut + 1), asked);
      const stats = lstatSync(join(parent.base, name), { throwIfNoEntry: false });
      if (onlyDirectory && stats?.isDirectory() === false)
        throw new Error(`Not a directory: ${quoted(asked)}`);
      return { parent, name, path: join(parent.path, name), stats };
    } catch (error) {
      parent.close();
      throw failure(error, asked);
    }
  }

  /** Throws where something that is about to go away is an allowed directory, or holds one. */
  refuseAllowed(path: string, asked: string): void {
    const held = this.#staying.find(({ real }) => real === path || real.startsWith(path + sep));
    if (!held) return;
    const what = held.real === path ? 'Is' : 'Holds';
    throw new Error(`${what} an allowed directory, which stays where it is: ${quoted(asked)}`);
  }

  /** The real path something has, or would have, though its parents may be missing too. */
  locate(asked: string, { parents = false } = {}): string {
    const wanted = wantedPath(asked, this.directories);
    try {
      const opened = this.#look(wanted, wanted.directory.reach(wanted.remainder));
      opened.close();
      return opened.path;
    } catch (error) {
      if (error instanceof OutsideDirectories) throw error;
    }
    const { path, missing } = this.#trace(wanted, 'file');
    if (missing.includes('..') || (missing.length > 1 && !parents))
      throw new NotFound(`No such directory: ${quoted(dirname(asked))}`);
    if (missing.length && wanted.remainder.endsWith(sep))
      throw new Error(`Not the name of a file: ${quoted(asked)}`);
    return missing.length ? join(path.toString(), ...missing) : path.toString();
  }

  close(): void {
    for (const directory of this.directories) directory.close();
  }

  #open(wanted: WantedPath, noun: Noun, reading = false): Opened {
    try {
      return this.#look(wanted, wanted.directory.reach(wanted.remainder), reading);
    } catch (error) {
      if (error instanceof OutsideDirectories) throw error;
      return this.#openOtherwise(wanted, noun);
    }
  }

  #openParent(wanted: WantedPath, remainder: string): Opened {
    try {
      return this.#open({ ...wanted, remainder, asked: dirname(wanted.asked) }, 'directory');
    } catch (error) {
      throw error instanceof OutsideDirectories ? new OutsideDirectories(wanted.asked) : error;
    }
  }

  #look(wanted: WantedPath, path: string | Buffer, reading = false): Opened {
    return this.#door.look(path, {
      reading,
      admit: (real) => {
        const directory = this.#holding(real);
        if (!wanted.directory.stands()) throw wanted.directory.gone();
        if (directory !== wanted.directory && directory?.stands() === false) throw directory.gone();
        if (!directory) throw new OutsideDirectories(wanted.asked);
      },
    });
  }

  #openOtherwise(wanted: WantedPath, noun: Noun): Opened {
    const { path, missing } = this.#trace(wanted, noun);
    if (missing.length) throw new NotFound(`No such ${noun}: ${quoted(wanted.asked)}`);
    try {
      return this.#look(wanted, path);
    } catch (error) {
      // What was traced a moment ago may lead elsewhere by now: then nothing may be told about it.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
        throw new OutsideDirectories(wanted.asked);
      throw failure(error, wanted.asked, noun);
    }
  }

  #trace(wanted: WantedPath, noun: Noun) {
    if (!wanted.directory.stands() && !wanted.directory.restore()) throw wanted.directory.gone();
    try {
      return trace(wanted, this.directories);
    } catch (error) {
      throw failure(error, wanted.asked, noun);
    }
  }

  #holding(real: string): AllowedDirectory | undefined {
    return this.directories.find((directory) => directory.holds(real));
  }
}

/** The name as the directory has it, where it is only spelled differently. */
function spelled(directory: Opened, name: string, asked: string): string {
  if (lstatSync(join(directory.base, name), { throwIfNoEntry: false })) return name;
  const others = sameName(name, directory.base);
  if (others.length > 1) throw new Error(`More than one name is spelled like this: ${quoted(asked)}`);
  const [other] = others;
  if (!other) return name;
  const text = other.toString();
  if (!Buffer.from(text).equals(other)) throw new Error(`${notUtf8}: ${quoted(asked)}`);
  return text;
}
