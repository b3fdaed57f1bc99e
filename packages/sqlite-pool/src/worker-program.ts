import { extname, join } from 'node:path';

/** The extension of this file: `.ts` in the sources, `.js` when built, and empty in a server's bundle. */
const extension = extname(import.meta.filename ?? '');

/**
 * The arguments with which Node starts a child process. The program is a file of this package or, for a
 * bundled server, a file beside the bundle.
 */
export const workerProgram =
  extension === ''
    ? [join(__dirname, 'database.cjs')]
    : [
        // A program that runs from TypeScript sources loads other packages as sources, too, not from `dist`.
        ...(extension === '.ts' ? ['--conditions=@mcp/source'] : []),
        join(import.meta.dirname, `worker/main${extension}`),
      ];
