import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { proofs } from '../requirements/requirement.ts';
import { clientRequirements } from './requirements.ts';

const file = join(proofs ?? '', crypto.randomUUID());

/** The name of a proof about a client, which differs from that about a server with the same id. */
export const proofOf = (id: string, version: string): string => `client ${id} ${version}`;

/**
 * Tests one or several requirements of clients, at each revision that has them. Only when `body` has passed
 * does the requirement count as tested there.
 */
export function requirement(
  ids: string | readonly string[],
  situation: string,
  body: (version: string) => void | Promise<void>,
): void {
  const required = [ids].flat().map((id) => {
    const known = clientRequirements.find((one) => one.id === id);
    if (!known) throw new Error(`No requirement of a client is called "${id}"`);
    return known;
  });
  const versions = [...new Set(required.flatMap(({ revisions }) => revisions))].toSorted();
  for (const version of versions) {
    const here = required.filter(({ revisions }) => revisions.includes(version));
    test(`${here.map(({ id }) => id).join(', ')}: ${situation} (${version})`, async () => {
      await body(version);
      if (proofs) appendFileSync(file, here.map(({ id }) => `${proofOf(id, version)}\n`).join(''));
    });
  }
}
