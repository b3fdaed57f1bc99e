import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

const schema = z.object({
  list: z.string().describe('Name of the list'),
  entries: z.array(z.string()).describe('Texts of the entries'),
});

export default class ImportTodosTool extends MCPTool {
  name = 'import_todos';
  description = 'Adds many entries to a list.';
  schema = schema;

  async execute({ list, entries }: z.infer<typeof schema>) {
    for (const [index, entry] of entries.entries()) {
      this.abortSignal?.throwIfAborted();
      await lists.add(list, entry);
      await this.reportProgress(index + 1, entries.length, `Added ${entry}`);
    }
    return `Added ${entries.length} entries`;
  }
}
