import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proofs } from './requirement.ts';
import { requirements } from './requirements.ts';

// Runs after all other tests, which record the proved requirements: see vitest.config.ts.
const proved = new Set(proofs === undefined ? [] : readProofs(proofs));

function readProofs(directory: string): string[] {
  return readdirSync(directory).flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n'));
}

test('every requirement has a test that passed, at each of its revisions, or a reason', () => {
  const missing = requirements
    .filter(({ untested }) => untested === undefined)
    .flatMap(({ id, revisions }) => revisions.map((version) => `${id} ${version}`))
    .filter((proof) => !proved.has(proof));
  expect(missing, 'Not proved by the tests of this run').toEqual([]);
});

test('a requirement with a reason has no test', () => {
  const both = requirements.filter(
    ({ id, revisions, untested }) =>
      untested !== undefined && revisions.some((version) => proved.has(`${id} ${version}`)),
  );
  expect(both).toEqual([]);
});

test('no requirement is listed twice', () => {
  const ids = requirements.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});
