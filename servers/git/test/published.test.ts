import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('everything a host can see is as it was published', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowRemote: true });
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
  expect(JSON.stringify(await client.listTools()).length).toBeLessThan(15_500);
});

test('the README shows all of it, with every argument but repo_path, and nothing else', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowRemote: true });
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const listed = (rows: string[][]) =>
    rows.map(([name, ...args]) => [name, ...args.toSorted()].join(' ')).toSorted();

  const tools = (await client.listTools()).map(({ name, inputSchema }) => {
    const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: string[] };
    const args = Object.keys(properties).filter((key) => key !== 'repo_path');
    return [name, ...args.map((key) => (required.includes(key) ? key : `${key}?`))];
  });
  expect(listed(rowsIn(readme, 'Tools'))).toEqual(listed(tools));
  const templates = await client.listResourceTemplates();
  expect(listed(rowsIn(readme, 'Resources'))).toEqual(
    listed(templates.map(({ uriTemplate }) => [uriTemplate])),
  );
  const prompts = (await client.listPrompts()).map(({ name, arguments: args = [] }) => [
    name,
    ...args
      .filter((each) => each.name !== 'repo_path')
      .map((each) => (each.required ? each.name : `${each.name}?`)),
  ]);
  expect(listed(rowsIn(readme, 'Prompts'))).toEqual(listed(prompts));
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

test('tools that change something are not there with --read-only, and those for remotes only when allowed', async () => {
  using workspace = new Workspace();
  await using reader = await workspace.connect({ readOnly: true, allowRemote: true });
  const tools = await reader.listTools();
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  await using writer = await workspace.connect();
  const names = (await writer.listTools()).map(({ name }) => name);
  expect(names).toContain('git_commit');
  expect(names).not.toContain('git_push');
});

test("the official server's tools keep their names and parameters", async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const tools = await client.listTools();
  for (const [name, parameters] of Object.entries(official)) {
    const { properties = {}, required = [] } = tools.find((tool) => tool.name === name)!.inputSchema as {
      properties?: object;
      required?: string[];
    };
    expect(Object.keys(properties), name).toEqual(expect.arrayContaining(['repo_path', ...parameters]));
    expect(parameters, name).toEqual(expect.arrayContaining(required));
  }
});

const official = {
  git_status: [],
  git_diff_unstaged: ['context_lines'],
  git_diff_staged: ['context_lines'],
  git_diff: ['target', 'context_lines'],
  git_commit: ['message'],
  git_add: ['files'],
  git_reset: [],
  git_log: ['max_count', 'start_timestamp', 'end_timestamp'],
  git_create_branch: ['branch_name', 'base_branch'],
  git_checkout: ['branch_name'],
  git_show: ['revision'],
  git_branch: ['branch_type', 'contains', 'not_contains'],
};
