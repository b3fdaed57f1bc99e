import { expect, test } from 'vitest';
import { problem, shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

/** The messages of a prompt: their texts, and the JSON that is attached. */
async function messagesOf(workspace: Workspace, name: string, args: { [name: string]: string }) {
  await using client = await workspace.connect();
  const { messages } = await client.getPrompt(name, args);
  return messages.map(({ content }) => {
    if (content.type === 'text') return content.text;
    const { uri, text, mimeType } = (content as { resource: { uri: string; text: string; mimeType: string } })
      .resource;
    // Some clients refuse embedded text of another type.
    expect(mimeType).toBe('text/plain');
    return { uri, value: JSON.parse(text) as unknown };
  });
}

test('mcp-demo tells a story about its topic, with the schema there is', async () => {
  using workspace = new Workspace();
  const [words, schema] = await messagesOf(workspace, 'mcp-demo', { topic: 'a bakery' });
  expect(words).toContain('about: a bakery\n');
  expect(words).toContain('append_insight');
  expect(schema).toMatchObject({
    uri: 'sqlite://shop/schema',
    value: { tables: [{ name: 'customers' }, {}] },
  });
});

test('explore-database attaches the schema with row counts', async () => {
  using workspace = new Workspace();
  const [words, schema] = await messagesOf(workspace, 'explore-database', { database: 'shop' });
  expect(words).toContain('Explore the database "shop"');
  expect(schema).toMatchObject({
    value: {
      tables: [
        { name: 'customers', rows: 3 },
        { name: 'orders', rows: 3 },
      ],
    },
  });
});

test('write-query asks a question', async () => {
  using workspace = new Workspace();
  const [words, question, schema] = await messagesOf(workspace, 'write-query', {
    question: 'Who buys most?',
  });
  expect(words).toContain('"shop"');
  expect(question).toBe('Who buys most?');
  expect(schema).toMatchObject({ value: { sql: expect.stringContaining('CREATE TABLE orders') } });
});

test('data-quality attaches facts about the columns', async () => {
  using workspace = new Workspace(
    "CREATE TABLE t(n INTEGER); INSERT INTO t VALUES (1), (1), ('x'), (NULL), (9007199254740993)",
  );
  const [, facts] = await messagesOf(workspace, 'data-quality', { table: 't' });
  expect(facts).toEqual({
    uri: 'sqlite://shop/table/t',
    value: expect.objectContaining({
      profile: {
        table: 't',
        rows: 5,
        columns: [
          {
            name: 'n',
            types: { integer: 3, null: 1, text: 1 },
            distinct: 3,
            least: 1,
            greatest: 'x',
            facets: [{ value: 1, count: 2 }],
          },
        ],
      },
    }),
  });
  expect(await problem(() => messagesOf(workspace, 'data-quality', { table: 'u' }))).toContain(
    'no such table: u',
  );
});

test('optimize-query attaches the plan', async () => {
  using workspace = new Workspace();
  const sql = 'SELECT * FROM orders WHERE total > 3';
  const [, query, plan] = await messagesOf(workspace, 'optimize-query', { sql });
  expect(query).toBe(sql);
  expect(plan).toMatchObject({ value: { plan: [{ detail: 'SCAN orders' }], schema: {} } });
  expect(await problem(() => messagesOf(workspace, 'optimize-query', { sql: 'PRAGMA x' }))).toContain(
    'have a query plan',
  );
});

test('arguments complete', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const complete = async (prompt: string, name: string, value: string) =>
    (await client.complete({ prompt }, { name, value })).values;
  expect(await complete('data-quality', 'table', 'o')).toEqual(['orders']);
  expect(await complete('explore-database', 'database', '')).toEqual(['shop']);
});
