import { escapeName } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { readSmallFile } from '../read/read-whole-file.ts';
import { decodeText } from '../text/text-encoding.ts';
import { TimeSlice } from '../time-slice.ts';
import { closestLines, type CloseLine } from './closest-lines.ts';

const maxFiles = 100;
const maxResults = 3;

/**
 * Returns the lines most similar to `wanted`, as text for an error. Searches the first 100 files, except
 * those of more than 256 KiB.
 */
export async function closestLinesInFiles(
  allowed: AllowedDirectories,
  realPaths: Iterable<string>,
  wanted: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const slice = new TimeSlice(signal);
  const found: (CloseLine & { readonly path: string })[] = [];
  for (const real of [...realPaths].slice(0, maxFiles)) {
    const text = smallText(allowed, real);
    if (text === undefined) continue;
    const path = escapeName(allowed.answerPath(real));
    found.push(...closestLines(text.split(/\r\n?|\n/), wanted).map((each) => ({ ...each, path })));
    if (slice.over) await slice.pause();
  }
  return found
    .sort((a, b) => b.similar - a.similar)
    .slice(0, maxResults)
    .map(({ path, number, line }) => `\n  ${path} line ${number}: ${line}`);
}

function smallText(allowed: AllowedDirectories, real: string): string | undefined {
  try {
    using target = allowed.entryAt(real);
    const bytes = readSmallFile(target)?.bytes;
    const decoded = bytes && decodeText(bytes);
    return decoded && 'text' in decoded ? decoded.text : undefined;
  } catch {
    return undefined;
  }
}
