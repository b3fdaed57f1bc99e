import type { InferSchema, ToolMetadata } from 'xmcp';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

export const schema = {
  list: z.string().describe('Name of the list'),
  entry: z.string().min(1),
};

export const outputSchema = { entries: z.number().int() };

export const metadata: ToolMetadata = { name: 'add_todo', description: 'Adds an entry to a list.' };

export default async function addTodo({ list, entry }: InferSchema<typeof schema>) {
  return lists.add(list, entry);
}
