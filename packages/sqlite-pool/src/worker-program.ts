import { extname, join } from 'node:path';

/** The extension of this file: `.ts` as source, `.js` when built, empty in the bundle of a server. */
const extension = extname(import.meta.filename ?? '');

/**
 * The arguments with which Node runs the program of the child processes. It is in the package of this file,
 * or beside the bundle of a server, which is a CommonJS module.
 */
export const workerProgram =
  extension === ''
    ? [join(__dirname, 'database.cjs')]
    : [
        // If run as source, it imports other packages as source too.
        ...(extension === '.ts' ? ['--conditions=@mcp/source'] : []),
        join(import.meta.dirname, `worker/main${extension}`),
      ];
