import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proofs } from '../requirements/requirement.ts';
import { proofOf } from './requirement.ts';
import { clientRequirements } from './requirements.ts';

// Runs after all other tests, which record the requirements they have proved: see vitest.config.ts.
const proved = new Set(proofs === undefined ? [] : readProofs(proofs));

function readProofs(directory: string): string[] {
  return readdirSync(directory).flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n'));
}

test('every requirement of a client has a test that passed, at each of its revisions, or a reason', () => {
  const missing = clientRequirements
    .filter(({ untested }) => untested === undefined)
    .flatMap(({ id, revisions }) => revisions.map((version) => proofOf(id, version)))
    .filter((proof) => !proved.has(proof));
  expect(missing, 'Not proved by the tests of this run').toEqual([]);
});

test('no requirement of a client is listed twice, and a requirement with a reason has no test', () => {
  const ids = clientRequirements.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const both = clientRequirements.filter(
    ({ id, revisions, untested }) =>
      untested !== undefined && revisions.some((version) => proved.has(proofOf(id, version))),
  );
  expect(both).toEqual([]);
});
