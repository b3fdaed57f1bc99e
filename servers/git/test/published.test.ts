import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables, type ListedTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ allowRemote: true, history: true });
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

/** A model reads the list before every conversation, so its size is watched: raise it when you add a tool. */
const maxToolList = 17_270;

test('the list of tools stays within its size limit', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ allowRemote: true });
  const size = JSON.stringify(await client.listTools()).length;
  expect(
    size,
    'The list of tools is larger than maxToolList: raise it when you add a tool',
  ).toBeLessThanOrEqual(maxToolList);
});

test('the README lists every tool, resource and prompt with every argument but repo_path', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ allowRemote: true, history: true });
  const listed = await listedTables(client, ['repo_path']);
  expect(sorted(readmeTables(readFileSync(new URL('../README.md', import.meta.url), 'utf8')))).toEqual(
    sorted(listed),
  );
});

/** The README groups by topic. */
function sorted({ tools, resources, prompts }: ListedTables) {
  return [tools, resources, prompts].map((rows) =>
    rows.map(([name, ...args]) => [name, ...args.toSorted()].join(' ')).toSorted(),
  );
}

test('the tool list has no writing tools with --read-only, and tools for remotes only with --allow-remote', async () => {
  using workspace = await Workspace.create();
  await using reader = await workspace.connect({ readOnly: true, allowRemote: true });
  const tools = await reader.listTools();
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  await using writer = await workspace.connect();
  const names = (await writer.listTools()).map(({ name }) => name);
  expect(names).toContain('git_commit');
  expect(names).not.toContain('git_push');
});

test("the official server's tools keep their names and parameters", async () => {
  using workspace = await Workspace.create();
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
