import type { SamplingContent, SamplingMessage, SamplingParams } from '../define/input/input.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { encodeContent } from './encode.ts';
import type { Revision } from './revision.ts';
import { wrongToolResults } from './tool-results.ts';

/**
 * The parameters of a sampling request in the form of a revision. `withContext` tells whether the client
 * supports `includeContext`, which asks the client to add context from its servers.
 */
export function encodeSampling(
  revision: Revision,
  { messages, tools, toolChoice, includeContext, ...rest }: SamplingParams,
  withContext: boolean,
): JsonObject {
  const full = revision.sampling === 'full';
  const blocks = messages.flatMap(({ content }) => content);
  if (!full && (tools || toolChoice || blocks.some(isOfTool))) {
    throw new Error(`Tools in sampling are not part of protocol version ${revision.version}`);
  }
  const wrong = wrongToolResults(messages);
  if (wrong !== undefined) throw new Error(wrong);
  return {
    ...rest,
    messages: full
      ? messages.map(({ role, content }) => ({
          role,
          content: isList(content)
            ? content.map((block) => encodeBlock(revision, block))
            : encodeBlock(revision, content),
        }))
      : // Before revision 2025-11-25, a message has one block.
        messages.flatMap(({ role, content }) =>
          [content].flat().map((block) => ({ role, content: encodeBlock(revision, block) })),
        ),
    ...(includeContext && (!full || withContext) && { includeContext }),
    ...(tools && { tools }),
    ...(toolChoice && { toolChoice }),
  };
}

function encodeBlock(revision: Revision, block: SamplingContent): JsonObject {
  if (block.type === 'tool_use') return { ...block };
  if (block.type !== 'tool_result') return encodeContent(revision, block);
  return { ...block, content: block.content.map((part) => encodeContent(revision, part)) };
}

function isOfTool({ type }: SamplingContent): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

function isList(content: SamplingMessage['content']): content is readonly SamplingContent[] {
  return Array.isArray(content);
}
