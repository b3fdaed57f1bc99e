import { completable, type InferSchema, type ResourceMetadata } from 'xmcp';
import { z } from 'zod';
import { lists } from '../../../../../todo-lists.ts';

export const schema = {
  list: completable(z.string().describe('Name of the list'), async (typed) =>
    (await lists.names()).filter((name) => name.startsWith(typed)),
  ),
};

export const metadata: ResourceMetadata = { name: 'list', mimeType: 'text/plain' };

export default async function list({ list }: InferSchema<typeof schema>) {
  return lists.read(list);
}
