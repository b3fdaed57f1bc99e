import type { OutputReader } from '../command.ts';

interface RecordReaderOptions<Result> {
  /** Returns the index after the record that starts at `start`; -1 if it has not arrived completely. */
  readonly endOf: (bytes: Buffer, start: number) => number;
  /** Takes a record. Returns false if no more records are needed. */
  readonly add: (record: Buffer) => boolean;
  readonly result: () => Result;
}

/** Returns a reader that takes output as it arrives, and splits it into records. */
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

/** Returns the index after `count` fields, each ending with a NUL, or -1 if they have not all arrived. */
export function afterNuls(bytes: Buffer, start: number, count: number): number {
  let end = start;
  for (let field = 0; field < count; field++) {
    end = bytes.indexOf(0, end) + 1;
    if (end === 0) return -1;
  }
  return end;
}
