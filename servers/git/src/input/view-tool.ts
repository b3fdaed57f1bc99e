import { type Call, jsonResult, type ToolAnnotations } from '@mcp/protocol';
import type { Repository } from '@mcp/safe-git';
import { visibleTo } from '@mcp/views';
import type * as z from 'zod';
import type { Git } from '../context.ts';
import { repositoryTool } from './repository-tool.ts';

interface ViewToolOptions<Arguments extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Defaults to those of a tool that only reads. */
  readonly annotations?: ToolAnnotations;
  readonly args: Arguments;
  readonly run: (
    repository: Repository,
    args: z.output<z.ZodObject<Arguments>>,
    call: Call<Git>,
  ) => Promise<object>;
}

const reading = { readOnlyHint: true, openWorldHint: false };

/** Defines a tool that only the view calls. Its answer is JSON, with the path of the repository. */
export function viewTool<Arguments extends z.ZodRawShape>(options: ViewToolOptions<Arguments>) {
  const { annotations = reading, run, ...definition } = options;
  return repositoryTool({
    ...definition,
    annotations,
    view: visibleTo(['app']),
    async run(repository, args, call) {
      const facts = { repo_path: repository.root, ...(await run(repository, args, call)) };
      return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(facts) });
    },
  });
}
