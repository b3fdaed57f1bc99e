import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { complete, prompt, resource, tool } from 'tmcp/utils';
import * as z from 'zod';
import { lists } from '../todo-lists.ts';

const list = z.string().describe('Name of the list');
const startingWith = async (typed: string) =>
  complete.values((await lists.names()).filter((name) => name.startsWith(typed)));

const server = new McpServer(
  { name: 'todo', version: '1.0.0', description: 'To-do lists' },
  {
    adapter: new ZodJsonSchemaAdapter(),
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
  },
);

server.tool(
  {
    name: 'add_todo',
    description: 'Adds an entry to a list.',
    schema: z.object({ list, entry: z.string().min(1) }),
    outputSchema: z.object({ entries: z.int() }),
  },
  async ({ list, entry }) => tool.structured({ entries: await lists.add(list, entry) }),
);

server.tool(
  {
    name: 'import_todos',
    description: 'Adds many entries to a list.',
    schema: z.object({ list, entries: z.array(z.string()) }),
  },
  async ({ list, entries }) => {
    const { signal } = server.ctx;
    for (const [index, entry] of entries.entries()) {
      signal?.throwIfAborted();
      await lists.add(list, entry);
      server.progress(index + 1, entries.length, `Added ${entry}`);
    }
    return tool.text(`Added ${entries.length} entries`);
  },
);

server.tool(
  {
    name: 'clear_list',
    description: 'Removes all entries of a list, if the user agrees.',
    replayable: true,
    schema: z.object({ list }),
  },
  async ({ list }) => {
    const question = `Remove all entries of "${list}"?`;
    const { action, content } = await server.elicitation(question, z.object({ confirm: z.boolean() }));
    if (action !== 'accept' || !content?.confirm) return tool.error('The user declined');
    await lists.clear(list);
    return tool.text(`Removed all entries of "${list}"`);
  },
);

server.template(
  {
    uri: 'todo://{list}',
    name: 'list',
    description: 'The entries of a list',
    complete: { list: startingWith },
    list: async () => (await lists.names()).map((name) => ({ uri: `todo://${name}`, name })),
  },
  async (uri, { list }) => resource.text(uri, await lists.read(String(list)), 'text/plain'),
);
lists.watch((name) => server.changed('resource', `todo://${name}`));

server.prompt(
  {
    name: 'plan_day',
    description: 'Plans a day with the entries of a list.',
    schema: z.object({ list }),
    complete: { list: startingWith },
  },
  async ({ list }) => prompt.message(`Plan my day with these entries:\n${await lists.read(list)}`),
);

new StdioTransport(server).listen();
