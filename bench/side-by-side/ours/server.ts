import { definePrompt, defineResource, defineServer, defineTool, elicit } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import * as z from 'zod';
import { lists } from '../todo-lists.ts';

const list = z.string().describe('Name of the list');
const startingWith = async (typed: string) => (await lists.names()).filter((name) => name.startsWith(typed));

const addTodo = defineTool({
  name: 'add_todo',
  description: 'Adds an entry to a list.',
  inputSchema: z.object({ list, entry: z.string().min(1) }),
  outputSchema: z.object({ entries: z.int() }),
  run: async ({ list, entry }) => ({ entries: await lists.add(list, entry) }),
});

const importTodos = defineTool({
  name: 'import_todos',
  description: 'Adds many entries to a list.',
  inputSchema: z.object({ list, entries: z.array(z.string()) }),
  async run({ list, entries }, { progress, signal }) {
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      await lists.add(list, entry);
      progress(index + 1, entries.length, `Added ${entry}`);
    }
    return `Added ${entries.length} entries`;
  },
});

const clearList = defineTool({
  name: 'clear_list',
  description: 'Removes all entries of a list, if the user agrees.',
  inputSchema: z.object({ list }),
  async run({ list }, { ask }) {
    const question = elicit(`Remove all entries of "${list}"?`, z.object({ confirm: z.boolean() }));
    const answer = await ask('confirm', question);
    if (!answer?.confirm) throw new Error('The user declined');
    await lists.clear(list);
    return `Removed all entries of "${list}"`;
  },
});

const todoList = defineResource({
  uri: 'todo://{list}',
  name: 'list',
  mimeType: 'text/plain',
  read: ({ list }) => lists.read(list),
  watch: ({ list }, changed) => lists.watch((name) => name === list && changed()),
  list: async () => (await lists.names()).map((name) => ({ uri: `todo://${name}`, name })),
  complete: { list: startingWith },
});

const planDay = definePrompt({
  name: 'plan_day',
  description: 'Plans a day with the entries of a list.',
  inputSchema: z.object({ list }),
  complete: { list: startingWith },
  run: async ({ list }) => `Plan my day with these entries:\n${await lists.read(list)}`,
});

await serveStdio(
  defineServer({
    name: 'todo',
    version: '1.0.0',
    tools: [addTodo, importTodos, clearList],
    resources: [todoList],
    prompts: [planDay],
  }),
);
