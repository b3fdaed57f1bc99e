import { lstatSync, statSync, type BigIntStats } from 'node:fs';

/**
 * File systems record times in steps of up to 10 ms on Linux, so two changes of a file can have the same
 * time. If the last change was more than this number of ms before the file is read, a later change gets
 * another time.
 */
const settlesMs = 20;

/** The identities of files at one moment, by which a later change of one of the files is noticed. */
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

  /** Whether none of the files has been changed, created, replaced or deleted since this object was made. */
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
  /** When the file changed, in ms since 1970; 0 for a directory, whose identity ignores its content. */
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
