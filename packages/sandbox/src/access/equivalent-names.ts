import { readdirSync } from 'node:fs';
import { escapeName, quoted } from '@mcp/kit';
import { displayBytes } from '../display-name.ts';

const plain = /^[ -[\]-~]*$/;

/**
 * Finds the entry that a name means although no entry has exactly this name. Either the entry has the same
 * characters in another Unicode normal form, or the name is the escaped form in which clients see the entry,
 * with hidden characters and bytes that are not UTF-8 escaped. Throws if several entries fit.
 */
export function equivalentName(
  name: string,
  directory: string | Buffer,
  requestedPath: string,
): Buffer | undefined {
  if (plain.test(name)) return undefined;
  const composed = name.normalize('NFC');
  const mayBe = (text: string) =>
    !plain.test(text) &&
    (text.includes('\ufffd') || text.normalize('NFC') === composed || escapeName(text) === name);
  // Usually no entry fits, so first reads the names as text, in half the time of reading bytes.
  if (!readdirSync(directory).some(mayBe)) return undefined;
  const [found, other] = readdirSync(directory, { encoding: 'buffer' }).filter((entry) => {
    const text = entry.toString();
    return (
      text === name || (mayBe(text) && (text.normalize('NFC') === composed || displayBytes(entry) === name))
    );
  });
  if (other)
    throw new Error(
      `Ambiguous path: several entries differ from it only in Unicode normalization; give the exact name of one: ${quoted(requestedPath)}`,
    );
  return found;
}
