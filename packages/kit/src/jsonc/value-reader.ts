import { closestNames, isObject, quoted } from '../index.ts';
import type { Document } from './document.ts';

/** The keys and indexes that lead to a value in a document. */
export type Path = readonly (string | number)[];

export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** Reads the values of a parsed document. Collects all faults, and does not stop at the first one. */
export class ValueReader {
  readonly faults: Fault[] = [];

  fault(path: Path, message: string): void {
    this.faults.push({ path, message });
  }

  /**
   * Returns the value if it is an object, otherwise undefined. Reports each of its keys that is not in
   * `keys`.
   */
  object(
    value: unknown,
    path: Path,
    keys: readonly string[],
  ): { readonly [key: string]: unknown } | undefined {
    if (!isObject(value)) return this.#wrong(value, path, 'an object');
    for (const key of Object.keys(value).filter((each) => !keys.includes(each))) {
      this.fault([...path, key], `Unknown key; ${suggestion(key, keys)}`);
    }
    return value;
  }

  /** Returns the members of an object whose keys are not fixed. */
  entries(value: unknown, path: Path): readonly (readonly [string, unknown])[] {
    if (value === undefined) return [];
    if (isObject(value)) return Object.entries(value);
    this.#wrong(value, path, 'an object');
    return [];
  }

  text(value: unknown, path: Path): string | undefined {
    if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
    return this.#wrong(value, path, 'a string that is not empty');
  }

  texts(value: unknown, path: Path): string[] {
    return this.list(value, path).flatMap((each, index) => this.text(each, [...path, index]) ?? []);
  }

  list(value: unknown, path: Path): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#wrong(value, path, 'an array');
    return [];
  }

  flag(value: unknown, path: Path): boolean | undefined {
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#wrong(value, path, 'true or false');
  }

  /** Returns an integer from `min` to `max`; undefined if the value is absent or has a fault. */
  integer(value: unknown, path: Path, min: number, max: number): number | undefined {
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    return this.#wrong(value, path, `a whole number from ${min} to ${max}`);
  }

  choice<Name extends string>(value: unknown, path: Path, names: readonly Name[]): Name | undefined {
    if (value === undefined) return undefined;
    const found = names.find((each) => each === value);
    return found ?? this.#wrong(value, path, `one of ${names.join(', ')}`);
  }

  /** Returns a regular expression, by default with the flag `u`; undefined if absent or faulty. */
  pattern(value: unknown, path: Path, flags = 'u'): RegExp | undefined {
    if (value === undefined) return undefined;
    const source = this.text(value, path);
    if (source === undefined) return undefined;
    try {
      return new RegExp(source, flags);
    } catch (error) {
      this.fault(path, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #wrong(value: unknown, path: Path, expected: string): undefined {
    const found = value === undefined ? 'it is missing' : `not ${quoted(JSON.stringify(value), 80)}`;
    this.fault(
      path,
      value === undefined ? `Missing: expected ${expected}` : `Expected ${expected}, ${found}`,
    );
  }
}

/** Returns a text that suggests the nearest of the names or, if none is near, lists all. */
export function suggestion(name: string, names: readonly string[]): string {
  const [nearest] = closestNames(name, names, 1);
  if (nearest !== undefined) return `did you mean ${quoted(nearest)}?`;
  return names.length === 0 ? 'there are none' : `expected ${names.join(', ')}`;
}

/** The faults of a file by their lines, one on each: `queries.json:12: queries.late.sql: Missing: …`. */
export function faultLines(file: string, document: Document, faults: readonly Fault[]): string {
  return faults
    .map(({ path, message }) => ({ line: document.lineOf(path), path, message }))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, path, message }) => `${file}:${line}: ${keyText(path)}${message}`)
    .join('\n');
}

/** A path as the beginning of a message, such as `commands.test.argv[1]: `; empty for the document itself. */
export function keyText(path: Path): string {
  const text = path.map((each) => (typeof each === 'number' ? `[${each}]` : `.${each}`)).join('');
  return text === '' ? '' : `${text.slice(1)}: `;
}
