import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('everything a host can see is as it was published', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const published = {
    title: client.serverInfo?.title,
    capabilities: client.capabilities,
    tools: await client.listTools(),
    resourceTemplates: await client.listResourceTemplates(),
    prompts: await client.listPrompts(),
  };
  await expect(`${JSON.stringify(published, null, 2)}\n`).toMatchFileSnapshot('published.json');
});

test('the list of tools stays small: a model reads every byte of it', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(JSON.stringify(await client.listTools()).length).toBeLessThan(12_000);
});

test('the README shows all of it, with every argument, and nothing else', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const argumentsOf = ({ properties = {}, required = [] }: { properties?: object; required?: string[] }) =>
    Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));

  const tools = (await client.listTools()).map(({ name, inputSchema }) => [
    name,
    ...argumentsOf(inputSchema as object),
  ]);
  expect(rowsIn(readme, 'Tools')).toEqual(tools);
  const templates = await client.listResourceTemplates();
  expect(rowsIn(readme, 'Resources')).toEqual(templates.map(({ uriTemplate }) => [uriTemplate]));
  const prompts = (await client.listPrompts()).map(({ name, arguments: args = [] }) => [
    name,
    ...args.map((each) => (each.required ? each.name : `${each.name}?`)),
  ]);
  expect(rowsIn(readme, 'Prompts')).toEqual(prompts);
});

/** What is in backquotes in the first two columns of a chapter's table, row by row. */
function rowsIn(readme: string, chapter: string): string[][] {
  const [, text = ''] = readme.split(`## ${chapter}\n`);
  const [table = ''] = text.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, name = '', second = ''] = line.split('|');
      const cells = chapter === 'Resources' ? name : `${name} ${second}`;
      return [...cells.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
    });
}
