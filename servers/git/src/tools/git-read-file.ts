import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { readAt } from '../backend/read-at.ts';
import { displayName, quoted } from '../backend/commands/display-name.ts';
import type { GitCall } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

const maxBytes = 256 * 1024;

export const gitReadFile = defineTool({
  name: 'git_read_file',
  title: 'Read a file of a revision',
  description: 'Reads a file as it is in a revision, or lists a directory there.',
  hints: { readOnly: true, openWorld: false },

  input: z.object({
    ...repositoryArgument,
    path: z.string().describe('"" is the top directory'),
    revision: z.string().default('HEAD'),
  }),

  async run({ repo_path, path, revision }, { repositories, signal }: GitCall) {
    const repository = repositories.at(repo_path);
    const found = await readAt(repository, revision, path, { maxBytes, signal });
    if (found.kind === 'directory') {
      const names = found.entries.map(
        ({ name, kind }) => displayName(name) + (kind === 'directory' ? '/' : ''),
      );
      return names.join('\n') || 'Empty directory';
    }
    if (found.text === undefined) return `Binary file of ${found.size} bytes: ${quoted(path)}`;
    if (found.size <= maxBytes) return found.text;
    return `${found.text}\n… cut at ${maxBytes} of ${found.size} bytes`;
  },
});
