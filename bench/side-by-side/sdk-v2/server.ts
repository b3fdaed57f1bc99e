import {
  type CallToolResult,
  completable,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { lists } from '../todo-lists.ts';

const list = z.string().describe('Name of the list');
const startingWith = async (typed: string) => (await lists.names()).filter((name) => name.startsWith(typed));

serveStdio(({ era }) => {
  const server = new McpServer(
    { name: 'todo', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true } } },
  );

  server.registerTool(
    'add_todo',
    {
      description: 'Adds an entry to a list.',
      inputSchema: z.object({ list, entry: z.string().min(1) }),
      outputSchema: z.object({ entries: z.int() }),
    },
    async ({ list, entry }) => {
      const output = { entries: await lists.add(list, entry) };
      return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
    },
  );

  server.registerTool(
    'import_todos',
    {
      description: 'Adds many entries to a list.',
      inputSchema: z.object({ list, entries: z.array(z.string()) }),
    },
    async ({ list, entries }, { mcpReq: { _meta, notify, signal } }) => {
      const progressToken = _meta?.progressToken;
      for (const [index, entry] of entries.entries()) {
        signal.throwIfAborted();
        await lists.add(list, entry);
        if (progressToken !== undefined)
          await notify({
            method: 'notifications/progress',
            params: { progressToken, progress: index + 1, total: entries.length, message: `Added ${entry}` },
          });
      }
      return { content: [{ type: 'text', text: `Added ${entries.length} entries` }] };
    },
  );

  const confirmation = z.object({ confirm: z.boolean() });
  server.registerTool(
    'clear_list',
    {
      description: 'Removes all entries of a list, if the user agrees.',
      inputSchema: z.object({ list }),
    },
    async ({ list }, { mcpReq }): Promise<CallToolResult | InputRequiredResult> => {
      const answer = inputResponse(mcpReq.inputResponses, 'confirm');
      if (answer.kind !== 'elicit') {
        const question = inputRequired.elicit({
          message: `Remove all entries of "${list}"?`,
          requestedSchema: confirmation,
        });
        return inputRequired({ inputRequests: { confirm: question } });
      }
      if (answer.action !== 'accept' || !confirmation.parse(answer.content).confirm)
        return { content: [{ type: 'text', text: 'The user declined' }], isError: true };
      await lists.clear(list);
      return { content: [{ type: 'text', text: `Removed all entries of "${list}"` }] };
    },
  );

  server.registerResource(
    'list',
    new ResourceTemplate('todo://{list}', {
      list: async () => ({
        resources: (await lists.names()).map((name) => ({ uri: `todo://${name}`, name })),
      }),
      complete: { list: startingWith },
    }),
    { mimeType: 'text/plain' },
    async (uri, { list }) => ({ contents: [{ uri: uri.href, text: await lists.read(String(list)) }] }),
  );

  const subscribed = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  const stop = lists.watch((name) => {
    const uri = `todo://${name}`;
    if (era === 'modern' || subscribed.has(uri)) void server.server.sendResourceUpdated({ uri });
  });
  server.server.onclose = stop;

  server.registerPrompt(
    'plan_day',
    {
      description: 'Plans a day with the entries of a list.',
      argsSchema: z.object({ list: completable(list, startingWith) }),
    },
    async ({ list }) => {
      const text = `Plan my day with these entries:\n${await lists.read(list)}`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );

  return server;
});
