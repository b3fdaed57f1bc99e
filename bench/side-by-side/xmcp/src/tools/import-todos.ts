import type { InferSchema, ToolExtraArguments, ToolMetadata } from 'xmcp';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

export const schema = {
  list: z.string().describe('Name of the list'),
  entries: z.array(z.string()),
};

export const metadata: ToolMetadata = { name: 'import_todos', description: 'Adds many entries to a list.' };

export default async function importTodos(
  { list, entries }: InferSchema<typeof schema>,
  { _meta, sendNotification, signal }: ToolExtraArguments,
) {
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
  return `Added ${entries.length} entries`;
}
