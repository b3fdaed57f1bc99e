import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Performed } from '../job.ts';

/** A text that must be printed, or what the page calls it and a pattern for it. */
type Expected = string | readonly [name: string, pattern: RegExp];

/** A check that all of the texts were printed. */
export const prints =
  (...expected: readonly Expected[]) =>
  ({ printed }: Performed) =>
    assertPrinted(printed, expected);

export function assertPrinted(text: string, expected: readonly Expected[]): void {
  const missing = expected.flatMap((each) => {
    const [name, isPrinted] =
      typeof each === 'string' ? [each, text.includes(each)] : [each[0], each[1].test(text)];
    return isPrinted ? [] : [name];
  });
  assert.ok(missing.length === 0, `not printed: ${missing.join(', ')}`);
}

/** How often the server `everything` was asked to call a tool. */
export const callsIn = ({ received }: Performed) => received.split('"tools/call"').length - 1;

/** The file whose path matches a glob; undefined if there is none. */
export function fileIn({ project }: Performed, glob: string): Buffer | undefined {
  const [found] = globSync(glob, { cwd: project });
  return found !== undefined && existsSync(join(project, found))
    ? readFileSync(join(project, found))
    : undefined;
}
