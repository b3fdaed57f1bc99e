import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { requirements } from './requirements.ts';

/** The directory where tests record the proved requirements, for `every-requirement.test.ts`. */
export const proofs = process.env['REQUIREMENT_PROOFS'];

const file = join(proofs ?? '', crypto.randomUUID());

/**
 * Tests one or several requirements, at each revision that has them. `body` gets the revision;
 * the requirement counts as tested there only when it has passed.
 */
export function requirement(
  ids: string | readonly string[],
  situation: string,
  body: (version: string) => void | Promise<void>,
): void {
  const asked = [ids].flat().map((id) => {
    const known = requirements.find((one) => one.id === id);
    if (!known) throw new Error(`No requirement is called "${id}"`);
    return known;
  });
  const versions = [...new Set(asked.flatMap(({ revisions }) => revisions))].toSorted();
  for (const version of versions) {
    const here = asked.filter(({ revisions }) => revisions.includes(version));
    test(`${here.map(({ id }) => id).join(', ')}: ${situation} (${version})`, async () => {
      await body(version);
      if (proofs) appendFileSync(file, here.map(({ id }) => `${id} ${version}\n`).join(''));
    });
  }
}
