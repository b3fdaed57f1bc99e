import { completable, type InferSchema, type PromptMetadata } from 'xmcp';
import { z } from 'zod';
import { lists } from '../../../todo-lists.ts';

export const schema = {
  list: completable(z.string().describe('Name of the list'), async (typed) =>
    (await lists.names()).filter((name) => name.startsWith(typed)),
  ),
};

export const metadata: PromptMetadata = {
  name: 'plan_day',
  title: 'Plan a day',
  description: 'Plans a day with the entries of a list.',
};

export default async function planDay({ list }: InferSchema<typeof schema>) {
  return `Plan my day with these entries:\n${await lists.read(list)}`;
}
