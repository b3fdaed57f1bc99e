import { join } from 'node:path';
import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { displayName, type TreeNode } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { attachment } from '../text/attachment.ts';

export const summarizeDirectory = definePrompt({
  name: 'summarize_directory',
  title: 'Summarize a directory',
  description: 'Requests a summary of a directory, with its content and README attached.',

  inputSchema: z.object({ path: z.string().describe('Directory to summarize') }),
  complete: { path: (typed, { context: { sandbox } }: Call<Filesystem>) => sandbox.complete(typed) },

  async run({ path }, { context: { sandbox } }: Call<Filesystem>) {
    const { path: real, root, truncated } = await sandbox.tree(path, { depth: 4, limit: 1_000 });
    const readme = root.children?.find(({ name, kind }) => kind === 'file' && /^readme(\.|$)/i.test(name));
    const cut = truncated ? ' The list is incomplete: deeper levels or further entries are missing.' : '';
    return [
      userMessage(
        `Summarize the directory ${displayName(real)}: what it is for, how it is organized, and where to start reading.${cut}`,
      ),
      attachment({ path: real, text: pathsIn(root, sandbox.answerPrefix(real)).join('\n') }),
      ...(readme ? [await attached(join(real, readme.name), sandbox)] : []),
    ];
  },
});

function pathsIn({ children = [] }: TreeNode, within: string): string[] {
  return children.flatMap((child) => {
    const path = within + child.shown;
    return child.kind === 'directory' ? [`${path}/`, ...pathsIn(child, `${path}/`)] : [path];
  });
}

async function attached(path: string, sandbox: Filesystem['sandbox']) {
  try {
    return attachment(await sandbox.readText(path, { maxBytes: 64 * 1024 }));
  } catch (error) {
    return userMessage(
      `The README cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
