import { FastMCP, UserError } from 'fastmcp';
import * as z from 'zod';
import { lists } from '../todo-lists.ts';

const list = z.string().describe('Name of the list');
const startingWith = async (typed: string) => ({
  values: (await lists.names()).filter((name) => name.startsWith(typed)),
});

const server = new FastMCP({ name: 'todo', version: '1.0.0' });

server.addTool({
  name: 'add_todo',
  description: 'Adds an entry to a list.',
  parameters: z.object({ list, entry: z.string().min(1) }),
  outputSchema: z.object({ entries: z.int() }),
  execute: async ({ list, entry }) => ({ entries: await lists.add(list, entry) }),
});

server.addTool({
  name: 'import_todos',
  description: 'Adds many entries to a list.',
  parameters: z.object({ list, entries: z.array(z.string()) }),
  async execute({ list, entries }, { reportProgress, signal }) {
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      await lists.add(list, entry);
      await reportProgress({ progress: index + 1, total: entries.length, message: `Added ${entry}` });
    }
    return `Added ${entries.length} entries`;
  },
});

server.addTool({
  name: 'clear_list',
  description: 'Removes all entries of a list, if the user agrees.',
  parameters: z.object({ list }),
  async execute({ list }, { elicit }) {
    const { action, content } = await elicit({
      message: `Remove all entries of "${list}"?`,
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean' } },
        required: ['confirm'],
      },
    });
    if (action !== 'accept' || content?.['confirm'] !== true) throw new UserError('The user declined');
    await lists.clear(list);
    return `Removed all entries of "${list}"`;
  },
});

server.addResourceTemplate({
  uriTemplate: 'todo://{list}',
  name: 'list',
  mimeType: 'text/plain',
  arguments: [{ name: 'list', description: 'Name of the list', required: true, complete: startingWith }],
  load: async ({ list }) => ({ text: await lists.read(list) }),
});
const stop = lists.watch((name) => void server.sendResourceUpdated(`todo://${name}`));
server.on('disconnect', stop);

server.addPrompt({
  name: 'plan_day',
  description: 'Plans a day with the entries of a list.',
  arguments: [{ name: 'list', description: 'Name of the list', required: true, complete: startingWith }],
  load: async ({ list }) => `Plan my day with these entries:\n${await lists.read(list ?? '')}`,
});

await server.start({ transportType: 'stdio' });
