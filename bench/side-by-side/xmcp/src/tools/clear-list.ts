import {
  inputRequired,
  inputResponse,
  type InferSchema,
  type ToolExtraArguments,
  type ToolMetadata,
} from 'xmcp';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

export const schema = { list: z.string().describe('Name of the list') };

export const metadata: ToolMetadata = {
  name: 'clear_list',
  description: 'Removes all entries of a list, if the user agrees.',
};

export default async function clearList(
  { list }: InferSchema<typeof schema>,
  { inputResponses }: ToolExtraArguments,
) {
  const answer = inputResponse(inputResponses, 'confirm');
  if (answer.kind !== 'elicit') {
    const question = inputRequired.elicit({
      message: `Remove all entries of "${list}"?`,
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean' } },
        required: ['confirm'],
      },
    });
    return inputRequired({ inputRequests: { confirm: question } });
  }
  if (answer.action !== 'accept' || answer.content?.['confirm'] !== true)
    return { content: [{ type: 'text', text: 'The user declined' }], isError: true };
  await lists.clear(list);
  return `Removed all entries of "${list}"`;
}
