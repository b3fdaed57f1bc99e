import { appendFile, readFile } from 'node:fs/promises';
import {
  type Call,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  userMessage,
} from '@mcp/protocol';
import { Watcher } from '@mcp/watch';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };

/** What every handler gets: the path of the file with the list, and a watcher of this file. */
interface Context {
  readonly file: string;
  readonly watcher: Watcher;
}

const addItem = defineTool({
  name: 'add_item',
  description: 'Adds a line to the list.',
  inputSchema: z.object({ text: z.string().regex(/^[^\n]+$/) }),
  async run({ text }, { context: { file } }: Call<Context>) {
    await appendFile(file, `${text}\n`);
    return `Added "${text}".`;
  },
});

const list = defineResource({
  uri: 'list:///items',
  name: 'items',
  description: 'The list, one item a line.',
  mimeType: 'text/plain',
  read: async (_, { context: { file } }: Call<Context>) => ({
    uri: 'list:///items',
    text: await readItems(file),
  }),
  watch: (_, changed, { context: { file, watcher } }: Call<Context>) => watcher.watch(file, changed),
});

const planDay = definePrompt({
  name: 'plan_day',
  description: 'Asks for a plan of the day from the list.',
  run: async (_, { context: { file } }: Call<Context>) => [
    userMessage(`Plan my day with these items:\n\n${await readItems(file)}`),
  ],
});

const readItems = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

/** A server for a list in a file. */
export function listServer(file: string) {
  const { name, version } = manifest;
  const context = { file, watcher: new Watcher() };
  return defineServer({ name, version, context, tools: [addItem], resources: [list], prompts: [planDay] });
}
