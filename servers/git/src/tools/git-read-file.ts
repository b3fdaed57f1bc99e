import { resourceLink, textContent } from '@mcp/protocol';
import * as z from 'zod';
import { directoryText, escapeName, maxBlobBytes, quoted, readAtRevision } from '@mcp/safe-git';
import { uriOf } from '../input/repository-uri.ts';
import { repositoryTool } from '../input/repository-tool.ts';

const maxBytes = 256 * 1024;

export const gitReadFile = repositoryTool({
  name: 'git_read_file',
  title: 'Read a file of a revision',
  description: 'Reads a file, or lists a directory, of a revision.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    path: z.string().describe('"" is the top directory'),
    revision: z.string().default('HEAD').describe('In conflict: :1 base, :2 ours, :3 theirs'),
  },

  async run(repository, { path, revision }) {
    const found = await readAtRevision(repository, revision, path, { maxBytes });
    if (found.kind === 'directory') return directoryText(found.entries) || 'Empty directory';
    const { size } = found;
    if (found.text !== undefined && size <= maxBytes) return found.text;
    const summary =
      found.text === undefined
        ? `Binary file of ${size} bytes: ${quoted(path)}`
        : `${found.text}\n… cut at ${maxBytes} of ${size} bytes`;
    if (size > maxBlobBytes || revision.startsWith(':')) return `${summary}; too large to send`;
    const name = `${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const link = resourceLink({ uri: uriOf(repository, `blob/${name}`), name: escapeName(path), size });
    return [textContent(summary), link];
  },
});
