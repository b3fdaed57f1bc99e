import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineServer, defineTool, jsonResult } from '../src/index.ts';
import { connect } from '../src/testing.ts';
import { atEveryRevision } from './every-revision.ts';

/** A number that no JavaScript number holds. */
const exact = '{"id":12345678901234567890}';
const json = '{"rows":[[1.0,{"$int":"9007199254740993"}]]}';

const server = defineServer({
  name: 'raw',
  version: '1.0.0',
  tools: [
    defineTool({
      name: 'rows',
      description: 'Gives rows.',
      outputSchema: z.object({ rows: z.array(z.array(z.unknown())) }),
      run: () => jsonResult({ content: 'one row', json }),
    }),
    defineTool({
      name: 'rows_at_times',
      description: 'Gives rows or a text.',
      inputSchema: z.object({ json: z.boolean() }),
      run: ({ json: wanted }) => (wanted ? jsonResult({ content: 'one row', json }) : 'one row'),
    }),
    defineTool({ name: 'exact', description: 'Gives a number.', run: () => jsonResult({ json: exact }) }),
    defineTool({ name: 'old_rows', description: 'Its older name.', listed: false, run: () => 'here' }),
  ],
});

atEveryRevision((revision) => {
  test('a result of JSON text is sent unchanged', async () => {
    await using client = await connect(server, { revision });
    const { content, structuredContent } = await client.callTool('rows');
    const [text, ...others] = content;
    expect(text).toEqual({ type: 'text', text: 'one row' });
    const received = structuredContent ?? JSON.parse((others[0] as { text: string }).text);
    expect(received).toEqual(JSON.parse(json));
  });

  test('a tool without an output schema may return JSON text in some of its results', async () => {
    await using client = await connect(server, { revision });
    const { content, structuredContent } = await client.callTool('rows_at_times', { json: true });
    expect(structuredContent ?? JSON.parse((content[1] as { text: string }).text)).toEqual(JSON.parse(json));
    expect(await client.callTool('rows_at_times', { json: false })).not.toHaveProperty('structuredContent');
  });

  test('JSON text without other content is the text, digit by digit', async () => {
    await using client = await connect(server, { revision });
    expect((await client.callTool('exact')).content).toEqual([{ type: 'text', text: exact }]);
  });

  test('an unlisted tool can be called by its name', async () => {
    await using client = await connect(server, { revision });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['rows', 'rows_at_times', 'exact']);
    expect((await client.callTool('old_rows')).content).toEqual([{ type: 'text', text: 'here' }]);
  });
});
