import { link, rm } from 'node:fs/promises';
import { codeOf } from '@mcp/kit';

/** Renames an invalid file to `….corrupt-1` to `-9`. Returns the new path, or undefined on failure. */
export async function quarantineFile(file: string): Promise<string | undefined> {
  for (let number = 1; number <= 9; number++) {
    const target = `${file}.corrupt-${number}`;
    try {
      // A link fails when the name is taken; a rename would replace that file.
      await link(file, target);
      await rm(file);
      return target;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return undefined;
    }
  }
  return undefined;
}
