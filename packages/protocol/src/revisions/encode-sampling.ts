import type { SamplingContent, SamplingMessage, SamplingParams } from '../define/input.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { encodeContent } from './encode.ts';
import type { Revision } from './revision.ts';

/**
 * The parameters of a sampling request in the form of a revision. `withContext`: whether the client can
 * include the context of servers in the prompt.
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
  refuseUnanswered(messages);
  return {
    ...rest,
    messages: full
      ? messages.map(({ role, content }) => ({
          role,
          content: isList(content)
            ? content.map((block) => encodeBlock(revision, block))
            : encodeBlock(revision, content),
        }))
      : // Before 2025-11-25 a message has one block.
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

/**
 * Throws an `Error` if a message mixes tool results with other content, or if a tool use has no result in the
 * next message.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
function refuseUnanswered(messages: readonly SamplingMessage[]): void {
  for (const [index, { content }] of messages.entries()) {
    const blocks = [content].flat();
    if (resultsIn(blocks).length > 0 && resultsIn(blocks).length < blocks.length) {
      throw new Error('A message with tool results must have no other content');
    }
    const answered = resultsIn([messages[index + 1]?.content ?? []].flat());
    for (const block of blocks) {
      if (block.type !== 'tool_use' || answered.includes(block.id)) continue;
      throw new Error(`The tool use "${block.id}" has no result in the next message`);
    }
  }
}

function resultsIn(blocks: readonly SamplingContent[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
}

function isOfTool({ type }: SamplingContent): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

function isList(content: SamplingMessage['content']): content is readonly SamplingContent[] {
  return Array.isArray(content);
}
