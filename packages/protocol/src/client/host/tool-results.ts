import type { SamplingParams } from '../../define/input.ts';

type Content = SamplingParams['messages'][number]['content'];

/**
 * Describes an error in the tool results of a sampling request; undefined if they are valid. A message with
 * results must have nothing else, and a message with the results must follow every use of tools.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#tool-result-messages
 */
export function wrongToolResults({ messages }: SamplingParams): string | undefined {
  let awaited = new Set<string>();
  for (const { role, content } of messages) {
    const blocks = blocksOf(content);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length)) {
      return 'A message with tool results must be of the user, and have no other content';
    }
    const given = new Set(results.map((block) => ('toolUseId' in block ? block.toolUseId : '')));
    for (const id of awaited) if (!given.has(id)) return missing(id);
    for (const id of given) {
      if (!awaited.has(id)) return `The tool result ${JSON.stringify(id)} follows no such use of a tool`;
    }
    awaited = new Set(
      blocks.flatMap((block) => (block.type === 'tool_use' && 'id' in block ? [block.id] : [])),
    );
  }
  const [id] = awaited;
  return id === undefined ? undefined : missing(id);
}

function missing(id: string): string {
  return `The use of a tool ${JSON.stringify(id)} has no result in the next message`;
}

function blocksOf(content: Content): Exclude<Content, readonly unknown[]>[] {
  return Array.isArray(content) ? content : [content as Exclude<Content, readonly unknown[]>];
}
