import { readdirSync } from 'node:fs';
import { displayBytes, displayName } from '../display-name.ts';

const plain = /^[ -[\]-~]*$/;

/**
 * The entries of a directory that have no such name but are meant by it: they are composed of the same characters
 * in another normal form, are shown by it because they hide or reorder text, or are not UTF-8 at all.
 */
export function sameName(name: string, directory: string | Buffer): Buffer[] {
  if (plain.test(name)) return [];
  const composed = name.normalize('NFC');
  const mayBe = (text: string) =>
    !plain.test(text) &&
    (text.includes('\ufffd') || text.normalize('NFC') === composed || displayName(text) === name);
  // Nearly always there is none, and names are read as text in half the time.
  if (!readdirSync(directory).some(mayBe)) return [];
  return readdirSync(directory, { encoding: 'buffer' }).filter((entry) => {
    const text = entry.toString();
    return (
      text === name || (mayBe(text) && (text.normalize('NFC') === composed || displayBytes(entry) === name))
    );
  });
}
