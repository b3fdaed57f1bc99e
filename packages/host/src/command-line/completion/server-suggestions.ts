import type { Servers } from '../../servers/servers.ts';
import type { ToolSchema } from '../tool-arguments.ts';
import type { SuggestionSources } from './suggestion.ts';

/** How long a connected server may take to complete a word, in milliseconds. */
const answerTimeoutMs = 2_000;

export interface ServerSuggestionsOptions {
  /** Asks the servers, and starts them; otherwise the lists come from the cache, and no server is started. */
  readonly canOpen: boolean;
}

/** Names from the lists of servers. A server that fails or is unknown has none. */
export function serverSuggestions(
  servers: Servers,
  { canOpen }: ServerSuggestionsOptions,
): SuggestionSources {
  // A question would be asked in the middle of a line.
  const opens = async (server: string) => canOpen && (await servers.isReady(server));
  const optionsOf = async (server: string) =>
    (await opens(server))
      ? { cachedAfterMs: answerTimeoutMs, timeoutMs: answerTimeoutMs }
      : { cachedAfterMs: 0 };
  return {
    servers: () => servers.names.map((value) => ({ value, help: 'server' })),
    tools: (server) =>
      orNone(async () =>
        (await servers.list(server, 'tools', await optionsOf(server))).items.map(
          ({ name, title, description, inputSchema }) => ({
            value: name,
            help: title ?? description,
            schema: inputSchema as ToolSchema,
          }),
        ),
      ),
    prompts: (server) =>
      orNone(async () =>
        (await servers.list(server, 'prompts', await optionsOf(server))).items.map(
          ({ name, title, description, arguments: args = [] }) => ({
            value: name,
            help: title ?? description,
            schema: { properties: Object.fromEntries(args.map((each) => [each.name, { type: 'string' }])) },
          }),
        ),
      ),
    resources: (server) =>
      orNone(async () =>
        (await servers.list(server, 'resources', await optionsOf(server))).items.map(({ uri, name }) => ({
          value: uri,
          help: name,
        })),
      ),
    templates: (server) =>
      orNone(async () =>
        (await servers.list(server, 'resourceTemplates', await optionsOf(server))).items.map(
          ({ uriTemplate, name }) => ({
            value: uriTemplate,
            help: name,
          }),
        ),
      ),
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
