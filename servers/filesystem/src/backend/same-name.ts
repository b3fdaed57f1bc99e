import { displayBytes } from './display-name.ts';

/**
 * The entries of a directory that have no such name but are meant by it: they are composed of the same characters
 * in another normal form, are shown by it because they hide or reorder text, or are not UTF-8 at all.
 */
export function sameName(name: string, entries: () => Buffer[]): Buffer[] {
  if (/^[ -[\]-~]*$/.test(name)) return [];
  const composed = name.normalize('NFC');
  return entries().filter((entry) => {
    const text = entry.toString();
    return text === name || text.normalize('NFC') === composed || displayBytes(entry) === name;
  });
}
