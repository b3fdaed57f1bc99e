import { extname, join } from 'node:path';

/** The extension of this file: `.ts` in the sources, `.js` when built, and empty in a server's bundle. */
const extension = extname(import.meta.filename ?? '');

/** Node's arguments for the child processes: a program of this package or beside a server's bundle. */
export const workerProgram =
  extension === ''
    ? [join(__dirname, 'database.cjs')]
    : [
        // The sources import other packages as sources, too.
        ...(extension === '.ts' ? ['--conditions=@mcp/source'] : []),
        join(import.meta.dirname, `worker/main${extension}`),
      ];
