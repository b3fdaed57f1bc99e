import { readdirSync } from 'node:fs';
import { escapeName } from '@mcp/kit';
import { displayBytes } from '../display-name.ts';

const plain = /^[ -[\]-~]*$/;

/**
 * Returns the entries that a name may mean if no entry has exactly this name: those with the same characters
 * in another Unicode normal form, and those whose escaped form, as answers show it, is this name. Names with
 * hidden characters or bytes that are not UTF-8 have an escaped form.
 */
export function equivalentNames(name: string, directory: string | Buffer): Buffer[] {
  if (plain.test(name)) return [];
  const composed = name.normalize('NFC');
  const mayBe = (text: string) =>
    !plain.test(text) &&
    (text.includes('\ufffd') || text.normalize('NFC') === composed || escapeName(text) === name);
  // Usually no entry matches, and reading the names as text takes half as long as reading them as bytes.
  if (!readdirSync(directory).some(mayBe)) return [];
  return readdirSync(directory, { encoding: 'buffer' }).filter((entry) => {
    const text = entry.toString();
    return (
      text === name || (mayBe(text) && (text.normalize('NFC') === composed || displayBytes(entry) === name))
    );
  });
}
