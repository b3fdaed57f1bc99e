import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

// A temporary directory. The tests record in it which requirements they have proved, and the tests in `last`
// read these records.
const proofs = mkdtempSync(join(tmpdir(), 'requirement-proofs-'));
process.on('exit', () => rmSync(proofs, { recursive: true, force: true }));

const last = ['test/requirements/every-requirement.test.ts', 'test/client/every-client-requirement.test.ts'];
/** This test runs in a process of its own: a bug of V8, which other tests trigger, makes it misread names. */
const alone = ['test/hostile/member-texts.test.ts'];
const test = { ...shared.test, env: { REQUIREMENT_PROOFS: proofs } };

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: { ...test, name: 'tests', exclude: [...last, ...alone], sequence: { groupOrder: 1 } },
      },
      {
        ...shared,
        test: { ...test, name: 'alone', include: alone, isolate: true, sequence: { groupOrder: 1 } },
      },
      { ...shared, test: { ...test, name: 'last', include: last, sequence: { groupOrder: 2 } } },
    ],
  },
});
