import { readdirSync } from 'node:fs';
import { displayBytes, displayName } from '../display-name.ts';

const plain = /^[ -[\]-~]*$/;

/**
 * The entries of a directory that a name may mean although none has exactly that name:
 * the same characters in another Unicode normal form, or an entry whose escaped display form is this name
 * (hidden characters, bytes not UTF-8).
 */
export function equivalentNames(name: string, directory: string | Buffer): Buffer[] {
  if (plain.test(name)) return [];
  const composed = name.normalize('NFC');
  const mayBe = (text: string) =>
    !plain.test(text) &&
    (text.includes('\ufffd') || text.normalize('NFC') === composed || displayName(text) === name);
  // Usually none matches, and reading names as text takes half the time of reading bytes.
  if (!readdirSync(directory).some(mayBe)) return [];
  return readdirSync(directory, { encoding: 'buffer' }).filter((entry) => {
    const text = entry.toString();
    return (
      text === name || (mayBe(text) && (text.normalize('NFC') === composed || displayBytes(entry) === name))
    );
  });
}
