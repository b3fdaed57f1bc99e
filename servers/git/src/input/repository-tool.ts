import {
  type Call,
  type Content,
  defineTool,
  type InputRequired,
  type ToolAnnotations,
  type ToolResult,
  toolResult,
  type ToolView,
} from '@mcp/protocol';
import * as z from 'zod';
import { boundedText, type Repository } from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { repositoryArgument } from './repository-argument.ts';
import { selectedRepository } from './selected-repository.ts';
import { understands } from './understand.ts';

type Output<Arguments extends z.ZodRawShape> = z.output<z.ZodObject<Arguments>>;

/** An answer as text, or as text with links, and as facts, which are the structured content. */
export interface Told {
  readonly text: string | readonly Content[];
  readonly facts: object;
}

interface RepositoryToolOptions<Arguments extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The arguments of the tool, in addition to the repository. */
  readonly args: Arguments;
  /** The schema of the facts. If it is given, every answer must have facts. */
  readonly facts?: z.ZodType<object>;
  readonly view?: ToolView;
  readonly run: (
    repository: Repository,
    args: Output<Arguments>,
    call: Call<Git>,
  ) => Promise<string | Told | ToolResult<never> | readonly Content[] | InputRequired>;
}

/** Defines a tool that works in one repository; its git commands are stopped when the call is cancelled. */
export function repositoryTool<Arguments extends z.ZodRawShape>(options: RepositoryToolOptions<Arguments>) {
  const { args, facts, run, ...definition } = options;
  const inputSchema = z.object({ ...repositoryArgument, ...args });
  return defineTool({
    ...definition,
    inputSchema: inputSchema as z.ZodType<Output<Arguments> & { readonly repo_path?: string }, unknown>,
    ...(facts && { outputSchema: facts }),
    interpret: understands({ ...repositoryArgument, ...args }),
    async run(given, call: Call<Git>) {
      const answer = await run(selectedRepository(given, call), given, call);
      if (typeof answer === 'string') return boundedText(answer);
      if (!isTold(answer)) return answer;
      const content = typeof answer.text === 'string' ? boundedText(answer.text) : answer.text;
      return toolResult({ content, structuredContent: answer.facts });
    },
  });
}

function isTold(answer: Told | ToolResult<never> | readonly Content[] | InputRequired): answer is Told {
  return 'facts' in answer;
}
