import { link, rm } from 'node:fs/promises';

/** Moves a file that cannot be used out of the way without losing it, and gives its new path; undefined where that fails. */
export async function setAside(file: string): Promise<string | undefined> {
  for (let number = 1; number <= 9; number++) {
    const aside = `${file}.corrupt-${number}`;
    try {
      // A link fails where something has that name already; a rename would replace it.
      await link(file, aside);
      await rm(file);
      return aside;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') return undefined;
    }
  }
  return undefined;
}
