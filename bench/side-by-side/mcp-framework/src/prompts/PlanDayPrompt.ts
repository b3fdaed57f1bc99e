import { MCPPrompt } from 'mcp-framework';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

export default class PlanDayPrompt extends MCPPrompt<{ list: string }> {
  name = 'plan_day';
  description = 'Plans a day with the entries of a list.';
  schema = {
    list: { type: z.string(), description: 'Name of the list', required: true },
  };

  async generateMessages({ list }: { list: string }) {
    const text = `Plan my day with these entries:\n${await lists.read(list)}`;
    return [{ role: 'user', content: { type: 'text' as const, text } }];
  }

  override async complete(_name: string, typed: string) {
    return { values: (await lists.names()).filter((name) => name.startsWith(typed)) };
  }
}
