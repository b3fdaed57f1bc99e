import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

const schema = z.object({
  list: z.string().describe('Name of the list'),
  entry: z.string().min(1).describe('Text of the entry'),
});

export default class AddTodoTool extends MCPTool {
  name = 'add_todo';
  description = 'Adds an entry to a list.';
  schema = schema;
  override outputSchemaShape = z.object({ entries: z.number().int() });

  async execute({ list, entry }: z.infer<typeof schema>) {
    return { entries: await lists.add(list, entry) };
  }
}
