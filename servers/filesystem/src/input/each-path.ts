import { basename, join } from 'node:path';
import { displayName } from '../backend/display-name.ts';

/** The paths of a call that takes one path or several. Throws unless exactly one of the two is given. */
export function pathsOf(
  path: string | undefined,
  paths: readonly string[] | undefined,
  name = 'path',
): readonly string[] {
  if ((path === undefined) === (paths === undefined)) throw new Error(`Give either ${name} or ${name}s`);
  return paths ?? [path!];
}

/** The destination of one source: with several, an entry of the same name in the destination. */
export function destinationOf(
  source: string,
  destination: string,
  sources: readonly string[] | undefined,
): string {
  if (!sources) return destination;
  const name = basename(source);
  if (name === '' || name === '.' || name === '..')
    throw new Error(`A source needs a name to keep: ${JSON.stringify(source)}`);
  return join(destination, name);
}

/**
 * Runs one operation for each path, in order, and answers with a line for each. A failure does not stop the others; where
 * there is one, throws all lines, so that the call is an error.
 */
export async function forEachPath(
  paths: readonly string[],
  signal: AbortSignal,
  run: (path: string) => Promise<string>,
): Promise<string> {
  if (paths.length === 1) return run(paths[0]!);
  const lines: string[] = [];
  let failures = 0;
  for (const path of paths) {
    try {
      signal.throwIfAborted();
      lines.push(await run(path));
    } catch (error) {
      failures++;
      const reason = signal.aborted ? 'Cancelled' : error instanceof Error ? error.message : String(error);
      lines.push(`Error for ${displayName(path)}: ${reason}`);
    }
  }
  if (failures === 0) return lines.join('\n');
  throw new Error([...lines, `${paths.length - failures} of ${paths.length} done`].join('\n'));
}
