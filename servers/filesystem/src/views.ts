import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineView, serveViews } from '@mcp/views';

/** The page of `view/` is bundled beside the program. In the bundle, which is CommonJS, that is here. */
const directory = import.meta.dirname === undefined ? __dirname : join(import.meta.dirname, '../dist');

/**
 * What a host shows with directories, files and edits. It changes with the package only: clients may keep it
 * for an hour.
 */
export const filesView = defineView({
  uri: 'ui://filesystem/files',
  title: 'Files',
  html: pathToFileURL(join(directory, 'files.html')),
  prefersBorder: true,
  cache: { ttlMs: 3_600_000, scope: 'public' },
});

export const views = serveViews([filesView]);
