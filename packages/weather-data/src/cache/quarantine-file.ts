import { link, rm } from 'node:fs/promises';
import { codeOf } from '@mcp/kit';

/**
 * Renames an invalid file: adds the first free suffix of `.corrupt-1` to `.corrupt-9`. Returns the new path;
 * undefined on failure.
 */
export async function quarantineFile(file: string): Promise<string | undefined> {
  for (let number = 1; number <= 9; number++) {
    const target = `${file}.corrupt-${number}`;
    try {
      // `link` fails when the target exists, whereas `rename` would replace the target.
      await link(file, target);
      await rm(file);
      return target;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return undefined;
    }
  }
  return undefined;
}
