import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

// Tests write down here which requirements they have proved; the last one reads it.
const proofs = mkdtempSync(join(tmpdir(), 'requirement-proofs-'));
process.on('exit', () => rmSync(proofs, { recursive: true, force: true }));

const last = ['test/requirements/every-requirement.test.ts', 'test/client/every-client-requirement.test.ts'];
/** Other files make V8 misread the names of objects in it. */
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
