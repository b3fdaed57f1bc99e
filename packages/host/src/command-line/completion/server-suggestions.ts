import type { ListItems, ListName } from '../../servers/lists.ts';
import type { Servers } from '../../servers/servers.ts';
import type { ToolSchema } from '../../property-schema.ts';
import type { SuggestionSources } from './suggestion.ts';

/** How long a connected server may take to complete a word, in milliseconds. */
const answerTimeoutMs = 2_000;

/** Suggests servers, and what they list (tools, prompts, resources). Servers that fail add no suggestions. */
export function serverSuggestions(
  servers: Servers,
  /**
   * Whether lists are requested from the servers, which are started if needed; otherwise they come from the
   * cache.
   */
  { canOpen }: { readonly canOpen: boolean },
): SuggestionSources {
  // Asks only servers that need no answer from the user: a question would interrupt the line being typed.
  const opens = async (server: string) => canOpen && (await servers.isReady(server));
  const list = <K extends ListName, T>(server: string, kind: K, itemOf: (item: ListItems[K]) => T) =>
    orNone(async () => {
      const cachedAfterMs = (await opens(server)) ? answerTimeoutMs : 0;
      const { items } = await servers.list(server, kind, { cachedAfterMs, timeoutMs: answerTimeoutMs });
      return items.map(itemOf);
    });
  return {
    servers: () => servers.names.map((value) => ({ value, help: 'server' })),
    tools: (server) =>
      list(server, 'tools', ({ name, title, description, inputSchema }) => ({
        value: name,
        help: title ?? description,
        schema: inputSchema as ToolSchema,
      })),
    prompts: (server) =>
      list(server, 'prompts', ({ name, title, description, arguments: args = [] }) => ({
        value: name,
        help: title ?? description,
        schema: { properties: Object.fromEntries(args.map((each) => [each.name, { type: 'string' }])) },
      })),
    resources: (server) => list(server, 'resources', ({ uri, name }) => ({ value: uri, help: name })),
    templates: (server) =>
      list(server, 'resourceTemplates', ({ uriTemplate, name }) => ({ value: uriTemplate, help: name })),
    values: (server, target, name, value) =>
      orNone(async () => {
        if (!(await opens(server))) return [];
        const completion = await servers.use(server, (client) =>
          client.complete(target, { name, value }, {}, { timeoutMs: answerTimeoutMs }),
        );
        return completion.values;
      }),
  };
}

async function orNone<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list();
  } catch {
    return [];
  }
}
