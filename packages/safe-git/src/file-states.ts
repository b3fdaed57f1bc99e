import { lstatSync, statSync, type BigIntStats } from 'node:fs';

/**
 * Time that must lie between the last change of a file and a look at it, so that a later change gives the
 * file other times: file systems count in steps, of up to 10 ms on Linux.
 */
const settlesMs = 20;

/** The identities of files at one moment: by them a later look finds out whether one has changed since. */
export class FileStates {
  readonly #paths: readonly string[];
  readonly #text: string;
  readonly #isSettled: boolean;

  /** `readMs` is when the first of the files may have been read, in ms since 1970. */
  constructor(paths: readonly string[], readMs: number) {
    const states = paths.map((path) => stateOf(path));
    const newestMs = Math.max(0, ...states.map(({ changedMs }) => changedMs));
    this.#paths = paths;
    this.#text = states.map(({ identity }) => identity).join(' ');
    this.#isSettled = newestMs < readMs - settlesMs;
  }

  /** Whether none of the files has been changed, created, replaced or deleted since. */
  get areSame(): boolean {
    return this.#isSettled && this.#text === identities(this.#paths);
  }

  covers(path: string): boolean {
    return this.#paths.includes(path);
  }
}

/** A string that changes when one of the files is changed, created, replaced or deleted. */
export function identities(paths: readonly string[]): string {
  return paths.map((path) => stateOf(path).identity).join(' ');
}

interface FileState {
  readonly identity: string;
  /** In ms since 1970; 0 for a directory, whose identity does not depend on its content. */
  readonly changedMs: number;
}

function stateOf(path: string): FileState {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!stats) return { identity: '-', changedMs: 0 };
  if (stats.isDirectory()) return { identity: `${stats.dev}:${stats.ino}:${stats.uid}`, changedMs: 0 };
  const target = stats.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false, bigint: true }) : undefined;
  const changedMs = Math.max(Number(stats.ctimeMs), Number(target?.ctimeMs ?? 0));
  return {
    identity: [stats, target]
      .flatMap((each) => each ?? [])
      .map(times)
      .join('>'),
    changedMs,
  };
}

function times({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
