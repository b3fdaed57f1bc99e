import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

const schema = z.object({ list: z.string().describe('Name of the list') });

export default class ClearListTool extends MCPTool {
  name = 'clear_list';
  description = 'Removes all entries of a list, if the user agrees.';
  schema = schema;

  async execute({ list }: z.infer<typeof schema>) {
    const { action, content } = await this.elicit(`Remove all entries of "${list}"?`, {
      confirm: { type: 'boolean' },
    });
    if (action !== 'accept' || content?.['confirm'] !== true) throw new Error('The user declined');
    await lists.clear(list);
    return `Removed all entries of "${list}"`;
  }
}
