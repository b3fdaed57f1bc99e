import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { lists } from '../todo-lists.ts';

const list = z.string().describe('Name of the list');
const startingWith = async (typed: string) => (await lists.names()).filter((name) => name.startsWith(typed));

const server = new McpServer(
  { name: 'todo', version: '1.0.0' },
  { capabilities: { resources: { subscribe: true } } },
);

server.registerTool(
  'add_todo',
  {
    description: 'Adds an entry to a list.',
    inputSchema: { list, entry: z.string().min(1) },
    outputSchema: { entries: z.int() },
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
    inputSchema: { list, entries: z.array(z.string()) },
  },
  async ({ list, entries }, { _meta, sendNotification, signal }) => {
    const progressToken = _meta?.progressToken;
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      await lists.add(list, entry);
      if (progressToken !== undefined)
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: index + 1, total: entries.length, message: `Added ${entry}` },
        });
    }
    return { content: [{ type: 'text', text: `Added ${entries.length} entries` }] };
  },
);

server.registerTool(
  'clear_list',
  {
    description: 'Removes all entries of a list, if the user agrees.',
    inputSchema: { list },
  },
  async ({ list }) => {
    const { action, content } = await server.server.elicitInput({
      message: `Remove all entries of "${list}"?`,
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean' } },
        required: ['confirm'],
      },
    });
    if (action !== 'accept' || content?.['confirm'] !== true)
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
server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
  subscribed.add(params.uri);
  return {};
});
server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
  subscribed.delete(params.uri);
  return {};
});
const stop = lists.watch((name) => {
  const uri = `todo://${name}`;
  if (subscribed.has(uri)) void server.server.sendResourceUpdated({ uri });
});
server.server.onclose = stop;

server.registerPrompt(
  'plan_day',
  {
    description: 'Plans a day with the entries of a list.',
    argsSchema: { list: completable(list, startingWith) },
  },
  async ({ list }) => {
    const text = `Plan my day with these entries:\n${await lists.read(list)}`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  },
);

await server.connect(new StdioServerTransport());
