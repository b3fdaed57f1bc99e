import type { OutputReader } from '../command.ts';

interface RecordReaderOptions<Result> {
  /** The index after the record that starts at `start`; -1 if the rest of it has not arrived. */
  readonly endOf: (bytes: Buffer, start: number) => number;
  /** Takes a record. Returns false if no more are needed. */
  readonly add: (record: Buffer) => boolean;
  readonly result: () => Result;
}

/** Reads output record by record as it arrives. */
export function recordReader<Result>({
  endOf,
  add,
  result,
}: RecordReaderOptions<Result>): OutputReader<Result> {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let start = 0;
      for (let end = endOf(bytes, start); end !== -1; end = endOf(bytes, start)) {
        if (!add(bytes.subarray(start, end))) return false;
        start = end;
      }
      rest = bytes.subarray(start);
      return true;
    },
    result,
  };
}

/** The index after `count` fields, each of which ends with a NUL; -1 if they have not all arrived. */
export function afterNuls(bytes: Buffer, start: number, count: number): number {
  let end = start;
  for (let field = 0; field < count; field++) {
    end = bytes.indexOf(0, end) + 1;
    if (end === 0) return -1;
  }
  return end;
}
