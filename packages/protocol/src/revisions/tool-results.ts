import type { SamplingMessage } from '../define/input/input.ts';

/**
 * Describes an error in the tool results of a sampling request; undefined if they are valid. A message with
 * tool results must have no other content. After each message with uses of tools, the next message must have
 * their results.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#tool-result-messages
 */
export function wrongToolResults(messages: readonly SamplingMessage[]): string | undefined {
  let awaited = new Set<string>();
  for (const { role, content } of messages) {
    const blocks = [content].flat();
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length)) {
      return 'A message with tool results must have the role "user" and no other content';
    }
    const given = new Set(results.map(({ toolUseId }) => toolUseId));
    for (const id of awaited) if (!given.has(id)) return missing(id);
    for (const id of given) {
      if (!awaited.has(id))
        return `The tool result ${JSON.stringify(id)} belongs to no tool use of the previous message`;
    }
    awaited = new Set(blocks.filter((block) => block.type === 'tool_use').map(({ id }) => id));
  }
  const [id] = awaited;
  return id === undefined ? undefined : missing(id);
}

function missing(id: string): string {
  return `The tool use ${JSON.stringify(id)} has no result in the next message`;
}
