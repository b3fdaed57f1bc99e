import { type BigIntStats, fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { numberText } from '@mcp/kit';
import { Refused } from '../errors.ts';
import { kindOfText } from '../records/column-types.ts';
import { CsvRecords } from '../records/csv-records.ts';
import { JsonRecords } from '../records/json-records.ts';
import { readText } from '../records/read-text.ts';
import type { Records } from '../records/records.ts';
import { boundValue } from '../sql/bind-parameters.ts';
import type { WriteEvents } from './writing/write-events.ts';

export type ImportFormat = 'csv' | 'tsv' | 'json';

type OnProgress = WriteEvents['progress'];

/** A column into which the fields of a file are stored. */
export interface StoredColumn {
  readonly type: string;
  /**
   * Whether the table had this column before the import. If so, values are bound as text, and the column's
   * affinity converts them.
   */
  readonly declared: boolean;
}

/** Progress is reported after this number of rows. */
const progressRows = 5_000;

/** A file of records that is read once or twice. It must not change until it has been read. */
export class SourceFile {
  readonly records: Records;
  readonly isTyped: boolean;
  readonly #file: number;
  readonly #path: string;
  readonly #before: BigIntStats;

  constructor(
    file: number,
    { file: path, format }: { readonly file: string; readonly format: ImportFormat },
  ) {
    this.#file = file;
    this.#path = path;
    this.#before = fstatSync(file, { bigint: true });
    this.isTyped = format === 'json';
    this.records = this.isTyped ? new JsonRecords() : new CsvRecords(format === 'tsv' ? '\t' : undefined);
  }

  /** Yields all rows of the file. `passes` is how often the file was already read, for the progress. */
  *rows(onProgress: OnProgress | undefined, passes: number): Generator<readonly unknown[]> {
    const size = Number(this.#before.size);
    let rows = 0;
    let bytes = 0;
    const chunks = readText(this.#file, (read) => {
      if (read > size) this.assertUnchanged();
      bytes = read;
    });
    for (const row of this.records.read(chunks)) {
      if (++rows % progressRows === 0) onProgress?.({ rows, done: passes * size + bytes, total: 2 * size });
      yield row;
    }
  }

  assertUnchanged(): void {
    const { size, mtimeNs, ctimeNs } = fstatSync(this.#file, { bigint: true });
    const before = this.#before;
    if (size === before.size && mtimeNs === before.mtimeNs && ctimeNs === before.ctimeNs) return;
    throw new Refused(
      `The file changed while it was read: "${basename(this.#path)}"`,
      'Nothing was imported; try again',
    );
  }
}

/** Converts the value of a field to the value that is bound for a column. */
export function cellOf(value: unknown, { type, declared }: StoredColumn): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') {
    if (declared) return value;
    if (type === 'INTEGER') return BigInt(value);
    return type === 'REAL' ? Number(value) : value;
  }
  const number = numberText(value);
  if (number !== undefined) return exactNumber(number);
  const isNested = typeof value === 'object' && !Object.keys(value).some((key) => key.startsWith('$'));
  return isNested ? JSON.stringify(value) : boundValue(value, 'value');
}

function exactNumber(text: string): unknown {
  const kind = kindOfText(text);
  if (kind === 'text') return text;
  return kind === 'real' ? Number(text) : BigInt(text);
}
