import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conversation, responses } from '@mcp/test-kit';
import { describe, expect, test } from 'vitest';
import { connectProgram, run } from './program.ts';
import { type ServerOptions, Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;
const remedy = 'Name a repository with --repository <path>, or use a host that provides roots';

/** A server without named directories, and a client with roots that can change. */
async function connectWithRoots(protocolVersion: string, options: ServerOptions = {}) {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const host = { roots: [] as string[], requests: 0, questions: [] as string[] };
  const client = await workspace.connect({
    directories: [],
    ...options,
    protocolVersion,
    roots: async () => {
      host.requests++;
      return host.roots.map((path) => ({ uri: uri(path) }));
    },
    elicit: async ({ message }: { message: string }) => {
      host.questions.push(message.replaceAll(workspace.base, ''));
      return { action: 'accept', content: { confirm: true } };
    },
  } as never);
  return {
    workspace,
    host,
    client,
    changeRoots(...roots: string[]) {
      host.roots = roots;
      if (protocolVersion < '2026') client.notify('notifications/roots/list_changed');
    },
    say: (tool: string, args: Record<string, unknown> = {}) => workspace.say(client, tool, args),
    async [Symbol.asyncDispose]() {
      await client.close();
      workspace[Symbol.dispose]();
    },
  };
}

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'])('without a named repository, at %s,', (version) => {
  test('the root of the client is the repository', async () => {
    await using here = await connectWithRoots(version);
    here.changeRoots(here.workspace.root);
    expect(await here.say('git_read_file', { path: 'a.txt' })).toBe('a\n');
    expect(await here.say('git_log')).toContain('first');
    here.workspace.put('a.txt', 'b\n');
    await here.say('git_add', { files: ['a.txt'] });
    await here.say('git_commit', { message: 'second' });
    expect(await here.workspace.output(['log', '-1', '--format=%s'])).toBe('second');
    const { messages } = await here.client.getPrompt('explain_commit', { revision: 'HEAD' });
    expect(JSON.stringify(messages)).toContain('second');
    const { contents } = await here.client.readResource('git://repo/head');
    expect(JSON.stringify(contents)).toContain('main');
  });

  test('a root that is no repository allows the repositories inside it', async () => {
    await using here = await connectWithRoots(version);
    here.changeRoots(here.workspace.allowed);
    expect(await here.say('git_log')).toBe('ERROR Not a git repository: "allowed"');
    expect(await here.say('git_log', { repo_path: here.workspace.root })).toContain('first');
    expect(await here.say('git_log', { repo_path: 'repo' })).toContain('first');
    const { contents } = await here.client.readResource('git://repo/head');
    expect(JSON.stringify(contents)).toContain('main');
    await here.say('git_init', { path: 'new' });
    expect(await here.say('git_status', { repo_path: 'new' })).toContain('main');
  });

  test('several roots are named in the error of a call that names none', async () => {
    await using here = await connectWithRoots(version);
    const second = await here.workspace.foreign();
    here.changeRoots(here.workspace.root, second);
    expect(await here.say('git_log')).toBe(
      'ERROR Several repositories; pass one of these as repo_path: "/allowed/repo", "/outside/foreign"',
    );
    expect(await here.say('git_log', { repo_path: second })).toContain('secret');
  });

  test('nothing outside the roots can be used, and no root of before', async () => {
    await using here = await connectWithRoots(version);
    const { workspace } = here;
    const foreign = await workspace.foreign();
    here.changeRoots(workspace.root);
    const refused = /^ERROR Outside the allowed directories: /;
    expect(await here.say('git_log', { repo_path: foreign })).toMatch(refused);
    symlinkSync(foreign, join(workspace.root, 'link'));
    expect(await here.say('git_log', { repo_path: 'link' })).toMatch(refused);
    expect(await here.say('git_init', { path: join(workspace.base, 'outside/new') })).toMatch(refused);
    const inside = join(workspace.root, 'inside');
    mkdirSync(inside);
    here.changeRoots(inside);
    expect(await here.say('git_log')).toMatch(/^ERROR (Not a git repository|The repository's)/);
    here.changeRoots(foreign);
    expect(await here.say('git_log', { repo_path: workspace.root })).toMatch(refused);
    expect(await here.say('git_log')).toContain('secret');
  });

  test.each([
    { what: 'no root', roots: (): string[] => [] },
    { what: 'a missing root', roots: (base: string) => [join(base, 'missing')] },
    { what: 'a root that is a file', roots: (base: string) => [join(base, 'allowed/repo/a.txt')] },
  ])('$what allows nothing, and the error says what to do', async ({ roots }) => {
    await using here = await connectWithRoots(version);
    here.changeRoots(...roots(here.workspace.base));
    expect(await here.say('git_log')).toBe(`ERROR No repository is allowed. ${remedy}`);
    expect(await here.say('git_log', { repo_path: here.workspace.root })).toBe(
      `ERROR No repository is allowed. ${remedy}`,
    );
    await expect(here.client.readResource('git://repo/head')).rejects.toThrow(remedy);
  });

  test('a question to the user is asked once', async (context) => {
    context.skip(version === '2024-11-05', 'That revision has no questions');
    await using here = await connectWithRoots(version);
    here.changeRoots(here.workspace.root);
    here.workspace.put('a.txt', 'changed\n');
    expect(await here.say('git_reset', { mode: 'hard' })).toBe('Reset (hard)');
    expect(here.host.questions).toEqual([
      'Discard all changes to tracked files in /allowed/repo and go to "HEAD"?',
    ]);
    expect(await here.workspace.output(['status', '--porcelain'])).toBe('');
  });

  test('named repositories stay as they are, and no roots are requested', async () => {
    const named = await Workspace.create({ 'b.txt': 'b\n' });
    await using here = await connectWithRoots(version, { directories: [named.root] });
    using _ = named;
    here.changeRoots(here.workspace.root);
    expect(await here.say('git_read_file', { path: 'b.txt' })).toBe('b\n');
    expect(await here.say('git_log', { repo_path: here.workspace.root })).toMatch(/^ERROR Outside/);
    expect(here.host.requests).toBe(0);
  });

  test('tools that change something are refused with --read-only', async () => {
    await using here = await connectWithRoots(version, { readOnly: true });
    here.changeRoots(here.workspace.root);
    expect((await here.client.listTools()).map(({ name }) => name)).not.toContain('git_commit');
    expect(await here.say('git_log')).toContain('first');
  });
});

test('a subscription follows the repository in a root', async () => {
  await using here = await connectWithRoots('2025-11-25');
  here.changeRoots(here.workspace.root);
  const changed = Promise.withResolvers<void>();
  await here.client.subscribe('git://repo/head', () => changed.resolve());
  await here.workspace.git.checkoutLocalBranch('other');
  await changed.promise;
});

test.each(['2025-11-25', '2026-07-28'])(
  'the program starts without a repository and works in the roots, at %s',
  async (protocolVersion) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await connectProgram(workspace, [], {
      protocolVersion,
      roots: async () => [{ uri: uri(workspace.root) }],
    });
    expect(await workspace.say(client, 'git_log')).toContain('first');
  },
);

test('over HTTP the program does not start without a repository', async () => {
  using workspace = await Workspace.create();
  const { stderr, code } = await run(['--http', '0'], { env: workspace.environment });
  expect(stderr).toContain('Missing --repository <path>; over HTTP, name at least one repository');
  expect(code).toBe(2);
});

test('a client without roots gets the remedy from the program', async () => {
  using workspace = await Workspace.create();
  const { stdout, stderr, code } = await run([], {
    env: workspace.environment,
    input: conversation(['tools/call', { name: 'git_status', arguments: {} }]),
  });
  expect(JSON.stringify(responses(stdout).get(2).result)).toContain(remedy);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});
