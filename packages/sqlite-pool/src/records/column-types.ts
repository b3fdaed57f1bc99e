import { numberText } from '@mcp/kit';
import { isSameDecimal } from './is-same-decimal.ts';

export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' | '';

type Kind = 'integer' | 'longInteger' | 'real' | 'text' | 'blob';
type Seen = { [K in Kind]: number };

const integer = /^(?:0|-?[1-9]\d{0,18})$/;
const real = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** 15 digits and a decimal point: two different decimals of this length are never the same double. */
const exactLength = 16;

/** Infers a type for each column from all its values, so that every value can be stored without loss. */
export class ColumnTypes {
  /** Whether values have types of their own, as in JSON. If not, numbers are recognized in texts. */
  readonly #typed: boolean;
  readonly #columns: Seen[] = [];
  rows = 0;

  constructor({ typed }: { readonly typed: boolean }) {
    this.#typed = typed;
  }

  add(row: readonly unknown[]): void {
    this.rows++;
    for (let index = 0; index < row.length; index++) {
      const value = row[index];
      if (value === null || value === undefined) continue;
      const seen = (this.#columns[index] ??= { integer: 0, longInteger: 0, real: 0, text: 0, blob: 0 });
      seen[!this.#typed && typeof value === 'string' ? kindOfText(value) : kindOfJson(value)]++;
    }
  }

  nullsOf(index: number): number {
    const seen = this.#columns[index];
    return this.rows - (seen ? Object.values(seen).reduce((sum, count) => sum + count, 0) : 0);
  }

  /** Returns the type to declare; empty if values are mixed, so that each keeps its own type. */
  typeOf(index: number): ColumnType {
    const seen = this.#columns[index];
    if (!seen) return 'TEXT';
    const numbers = seen.integer + seen.longInteger + seen.real;
    const isMixed = [numbers, seen.text, seen.blob].filter((count) => count > 0).length > 1;
    if (isMixed) return this.#typed ? '' : 'TEXT';
    if (seen.text > 0) return 'TEXT';
    if (seen.blob > 0) return 'BLOB';
    if (seen.real === 0) return 'INTEGER';
    // REAL cannot store integers beyond 2^53 exactly.
    if (seen.longInteger > 0) return this.#typed ? '' : 'TEXT';
    return 'REAL';
  }
}

/**
 * A number with a leading zero, such as a postal code, is a text, as is one that loses digits when stored.
 */
export function kindOfText(text: string): Kind {
  if (integer.test(text)) {
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) !== value) return 'text';
    return Number.isSafeInteger(Number(text)) ? 'integer' : 'longInteger';
  }
  if (!real.test(text) || /^-?[1-9]\d*$/.test(text)) return 'text';
  if (text.length <= exactLength && !/e/i.test(text)) return 'real';
  // `String` writes the shortest decimal of the double. If the text differs, REAL would lose digits.
  return isSameDecimal(text, String(Number(text))) ? 'real' : 'text';
}

function kindOfJson(value: unknown): Kind {
  if (typeof value === 'boolean') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real';
  if (typeof value !== 'object' || value === null) return 'text';
  const number = numberText(value);
  if (number !== undefined) return kindOfText(number);
  if ('$int' in value) return 'longInteger';
  if ('$real' in value) return 'real';
  return '$blob' in value ? 'blob' : 'text';
}
