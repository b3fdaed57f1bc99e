import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostile, textArguments } from './hostile-values.ts';
import { connectRecorded, type RecordedGit } from './recorded-git.ts';
import { Workspace } from './workspace.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

/** Commands that read the position of HEAD, or a remote, before an argument is refused. */
const harmless = new Set(['symbolic-ref', 'rev-parse', 'remote']);

let workspace: Workspace;
let recorded: RecordedGit;
let properties: readonly (readonly [argument: string, schema: Schema])[];
let before: string;

beforeAll(async () => {
  workspace = await Workspace.create({ 'a.txt': 'a\n', '.gitignore': 'out\n' });
  await workspace.git.addRemote('origin', 'https://git.example/x.git');
  workspace.put('a.txt', 'changed\n');
  writeFileSync(join(workspace.outside, 'secret.txt'), 'SECRET\n');
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  recorded = await connectRecorded(workspace, { allowRemote: true, history: true });
  properties = (await recorded.client.listTools()).flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema as { properties?: Record<string, Schema> }).properties ?? {}).map(
      ([argument, schema]) => [`${name} ${argument}`, schema] as const,
    ),
  );
  before = await everything();
});

afterAll(() => recorded.client.close().finally(() => workspace[Symbol.dispose]()));

/** The refs, the index, the stashes, the configuration, and the files inside and outside. */
async function everything(): Promise<string> {
  const files = [workspace.root, workspace.outside, workspace.allowed].map((path) => readdirSync(path));
  return JSON.stringify([
    await workspace.state(),
    workspace.read('.git/config'),
    workspace.read('a.txt'),
    files,
  ]);
}

/** Calls a tool with one hostile value, in a list where the argument is a list. */
function callWithText(argument: string, value: string, others?: object): Promise<string> {
  const { isList } = kindOf(properties.find(([each]) => each === argument)![1]);
  return call(argument, isList ? [value] : value, others);
}

async function call(argument: string, value: unknown, others: object = {}): Promise<string> {
  const [tool = '', name = ''] = argument.split(' ');
  const text = await workspace.callText(recorded.client, tool, { ...others, [name]: value });
  expect(text, `${argument} ${JSON.stringify(value)}`).not.toContain('SECRET');
  return text;
}

function kindOf({ type, anyOf = [], items, enum: values }: Schema): { isText: boolean; isList: boolean } {
  const parts = [...anyOf, ...(items ? [items] : [])].map(kindOf);
  return {
    isText: (type === 'string' && values === undefined) || parts.some(({ isText }) => isText),
    isList: type === 'array',
  };
}

test('every argument that takes text has hostile values', () => {
  const texts = properties.filter(
    ([argument, schema]) => !argument.endsWith(' repo_path') && kindOf(schema).isText,
  );
  expect(texts.map(([argument]) => argument).toSorted()).toEqual(Object.keys(textArguments).toSorted());
});

test.each(Object.entries(textArguments))(
  '%s (%o) refuses hostile values before git could act on them, and takes others literally',
  async (argument, [kind, others]) => {
    const { refused, error, literal = [] } = hostile[kind];
    recorded.clear();
    for (const value of refused) {
      const text = await callWithText(argument, value, others);
      expect(text, JSON.stringify(value)).toMatch(/^ERROR /);
      expect(text.slice('ERROR '.length), JSON.stringify(value)).toMatch(error);
    }
    expect(recorded.started().filter((command) => !harmless.has(command))).toEqual([]);
    for (const value of literal) await callWithText(argument, value, others);
    expect(workspace.executed).toEqual([]);
    expect(await everything()).toBe(before);
  },
);

test('every argument refuses values of other types, and names it', async () => {
  recorded.clear();
  for (const [argument, schema] of properties) {
    const name = argument.split(' ')[1]!;
    // A text in place of a list is taken for a list of one.
    const other = schema.type === 'string' ? [1, ''].slice(0, schema.enum ? 2 : 1) : ['x y'];
    for (const value of [
      { '--output': 'x' },
      [['x']],
      ...(kindOf(schema).isList || schema.anyOf ? [] : other),
    ]) {
      const text = await call(argument, value, textArguments[argument]?.[1]);
      expect(text, `${argument} ${JSON.stringify(value)}`).toMatch(/^ERROR /);
      expect(text).toContain(name);
    }
    if (schema.type !== 'integer' && schema.type !== 'number') continue;
    for (const value of [-1, 0.5, 2 ** 60])
      expect(await call(argument, value), `${argument} ${value}`).toMatch(/^ERROR /);
  }
  expect(recorded.started()).toEqual([]);
  expect(await everything()).toBe(before);
});

test('every tool refuses a repo_path that leads outside', async () => {
  const tools = properties.filter(([argument]) => argument.endsWith(' repo_path'));
  expect(tools.length).toBeGreaterThan(20);
  for (const [argument] of tools) {
    for (const path of ['..', workspace.outside, 'out', '~', '/', '--git-dir=/etc', 'x\0']) {
      const text = await call(argument, path, minimal[argument.split(' ')[0]!]);
      expect(text, `${argument} ${path}`).toMatch(
        /^ERROR (Outside the allowed|No such directory|Not a git|Invalid)/,
      );
    }
  }
  expect(await everything()).toBe(before);
});

/** The arguments that a tool requires. */
const minimal: Readonly<Record<string, object>> = {
  git_diff: { target: 'HEAD' },
  git_show: { revision: 'HEAD' },
  git_blame: { path: 'a.txt' },
  git_grep: { pattern: 'a' },
  git_read_file: { path: 'a.txt' },
  git_add: { files: ['a.txt'] },
  git_commit: { message: 'x' },
  git_checkout: { branch_name: 'main' },
  git_create_branch: { branch_name: 'x' },
  git_delete_branch: { branch_name: 'x' },
  git_restore: { paths: ['a.txt'] },
  git_stash: { action: 'list' },
  git_tag: { action: 'create', name: 'x' },
  git_integrate: { action: 'merge', revision: 'HEAD' },
  git_worktree: { action: 'list' },
  git_bisect: { action: 'log' },
  git_range_diff: { before: 'HEAD' },
};
