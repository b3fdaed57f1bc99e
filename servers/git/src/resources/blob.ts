import {
  blobResourceContents,
  type Call,
  defineResource,
  type ResourceCall,
  ResourceNotFound,
  textResourceContents,
} from '@mcp/protocol';
import type { Git } from '../context.ts';
import { completeIn, completeRepository, completeRevision, readIn, uriOf } from '../input/repository-uri.ts';

/** A file of a revision, byte for byte; a directory as the list of its names. */
export const blob = defineResource({
  uri: 'git://{repository}/blob/{revision}/{+path}',
  name: 'blob',
  title: 'File of a revision',
  description: 'A file as it is in a revision; a slash in the revision is written %2F.',

  read: ({ repository, revision, path }, { context: git, uri }: ResourceCall<Git>) =>
    readIn(uri, repository, git, async (found) => {
      const { directoryText, maxBlobBytes: maxBytes, readAtRevision } = await import('@mcp/safe-git');
      const read = await readAtRevision(found, revision, path, { maxBytes });
      if (read.kind === 'directory')
        return textResourceContents(uri, directoryText(read.entries), 'inode/directory');
      if (read.size > maxBytes)
        throw new ResourceNotFound(uri, `Too large: ${read.size} bytes; at most ${maxBytes} are sent`);
      const utf8 = read.text !== undefined && Buffer.byteLength(read.text) === read.size;
      return utf8
        ? textResourceContents(uri, read.text, 'text/plain')
        : blobResourceContents(uri, read.bytes, 'application/octet-stream');
    }),

  list: ({ context: { repositories } }: Call<Git>) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'blob/HEAD/'),
      name: `${each.name}: files at HEAD`,
      mimeType: 'inode/directory',
    })),

  complete: {
    repository: completeRepository,
    revision: completeRevision,
    path: completeIn(async (found, typed, { revision = 'HEAD' }) =>
      (await import('@mcp/safe-git')).completePath(found, revision, typed),
    ),
  },
});
