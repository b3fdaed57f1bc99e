import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A JSON file that only its user may read, replaced as a whole. */
export class JsonFile<T> {
  readonly path: string;
  readonly #empty: T;
  readonly #isValid: (value: unknown) => value is T;
  readonly #warn: (message: string) => void;

  /** `isValid` checks what was read; `warn` hears of a file that cannot be used. */
  constructor(
    path: string,
    empty: T,
    isValid: (value: unknown) => value is T,
    warn: (message: string) => void,
  ) {
    this.path = path;
    this.#empty = empty;
    this.#isValid = isValid;
    this.#warn = warn;
  }

  /** Reads the file. A missing one is empty; a damaged one is set aside, with a warning. */
  read(): T {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#warn(`Cannot read "${this.path}": ${String(error)}`);
      return this.#empty;
    }
    const value = parse(text);
    if (this.#isValid(value)) return value;
    const aside = `${this.path}.damaged`;
    this.#warn(`"${this.path}" is damaged; it was moved to "${aside}"`);
    try {
      renameSync(this.path, aside);
    } catch {
      // It cannot be moved, and is replaced by the next write.
    }
    return this.#empty;
  }

  /** Replaces the file; throws where the directory cannot be written. */
  write(value: T): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
      renameSync(temporary, this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
