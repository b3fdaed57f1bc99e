import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Call,
  defineResource,
  type ListedResource,
  type ResourceCall,
  type ResourceContents,
  ResourceNotFound,
} from '@mcp/protocol';
import { type Content, NotFound, OutsideDirectories } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';

const common = {
  title: 'File or directory',

  async read({ path }: { path: string }, { context: { sandbox }, uri }: ResourceCall<Filesystem>) {
    try {
      return contents(uri, await sandbox.read(absolute(path)));
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof OutsideDirectories)) throw error;
      throw new ResourceNotFound(uri, error.message, { cause: error });
    }
  },

  watch: ({ path }: { path: string }, changed: () => void, { context: { sandbox } }: Call<Filesystem>) =>
    sandbox.watch(absolute(path), changed),

  complete: {
    path: async (typed: string, { context: { sandbox } }: Call<Filesystem>) =>
      (await sandbox.complete(absolute(typed))).map(relativeToRoot),
  },
};

/** Files and directories inside the allowed directories; a subscription notifies of every change. */
export const file = defineResource({
  ...common,
  uri: 'file:///{+path}',
  name: 'file',
  description: 'A file inside the allowed directories; a directory reads as the list of its entries.',

  list: ({ context: { sandbox } }: Call<Filesystem>) => topLevel(sandbox),

  async watchList(changed, { context: { sandbox } }: Call<Filesystem>) {
    const watches = await Promise.allSettled(
      sandbox.directories.map((directory) => sandbox.watch(directory, changed)),
    );
    return () => {
      for (const watch of watches) if (watch.status === 'fulfilled') watch.value();
    };
  },
});

/** The resource for URIs with the host `localhost`, otherwise like {@link file}. Other hosts are refused. */
export const fileOnLocalhost = defineResource({
  ...common,
  uri: 'file://localhost/{+path}',
  name: 'file on localhost',
  description: 'A file inside the allowed directories, by a URI with the host localhost.',
});

function contents(uri: string, found: Content): ResourceContents {
  if ('entries' in found) {
    const names = found.entries.map(({ shown, kind }) => (kind === 'directory' ? `${shown}/` : shown));
    if (found.next !== undefined) names.push(`… ${found.total} entries in all`);
    return { uri, mimeType: 'inode/directory', text: names.join('\n') };
  }
  const { path: _, ...content } = found;
  return { uri, ...content };
}

/** The number of entries that are read and sorted at once, so that sorting does not block the event loop. */
const pageSize = 20_000;

async function* topLevel(sandbox: Filesystem['sandbox']): AsyncGenerator<ListedResource> {
  for (const directory of sandbox.directories) {
    const at = pathToFileURL(directory).href;
    yield { uri: at, name: directory, mimeType: 'inode/directory' };
    yield* filesIn(directory, at, sandbox);
  }
}

async function* filesIn(
  directory: string,
  at: string,
  sandbox: Filesystem['sandbox'],
): AsyncGenerator<ListedResource> {
  try {
    let after: string | undefined;
    do {
      const { entries, next } = await sandbox.list(directory, { after, limit: pageSize });
      for (const { name, shown, kind } of entries) {
        if (kind === 'file')
          yield { uri: `${at.replace(/\/$/, '')}/${encodeURIComponent(name)}`, name: shown };
      }
      after = next;
    } while (after !== undefined);
  } catch {
    // If a directory is missing or does not respond, the other directories are still listed.
  }
}

// After `file:///`, a path on Windows begins with the drive; on other systems its first slash is missing.
function absolute(path: string): string {
  return sep === '/' ? `/${path}` : path;
}

function relativeToRoot(path: string): string {
  return sep === '/' ? path.slice(1) : path;
}
