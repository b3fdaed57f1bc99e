import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conversation, responses } from '@mcp/test-kit';
import { describe, expect, test } from 'vitest';
import { connectProgram, run } from './program.ts';
import { type ServerOptions, Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;
const remedy = 'name a repository with --repository <path>, or use a host that provides roots';

/** A server without named directories, and a client with roots that can change. */
async function connectWithRoots(revision: string, options: ServerOptions = {}) {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const host = { roots: [] as string[], requests: 0, questions: [] as string[] };
  const client = await workspace.connect({
    directories: [],
    ...options,
    revision,
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
      if (revision < '2026') client.notify('notifications/roots/list_changed');
    },
    callText: (tool: string, args: Record<string, unknown> = {}) => workspace.callText(client, tool, args),
    async [Symbol.asyncDispose]() {
      await client.close();
      workspace[Symbol.dispose]();
    },
  };
}

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'])('without a named repository, at %s,', (version) => {
  test('the root of the client is the repository', async () => {
    await using session = await connectWithRoots(version);
    session.changeRoots(session.workspace.root);
    expect(await session.callText('git_read_file', { path: 'a.txt' })).toBe('a\n');
    expect(await session.callText('git_log')).toContain('first');
    session.workspace.put('a.txt', 'b\n');
    await session.callText('git_add', { files: ['a.txt'] });
    await session.callText('git_commit', { message: 'second' });
    expect(await session.workspace.output(['log', '-1', '--format=%s'])).toBe('second');
    const { messages } = await session.client.getPrompt('explain_commit', { revision: 'HEAD' });
    expect(JSON.stringify(messages)).toContain('second');
    const { contents } = await session.client.readResource('git://repo/head');
    expect(JSON.stringify(contents)).toContain('main');
  });

  test('a root that is no repository allows the repositories inside it', async () => {
    await using session = await connectWithRoots(version);
    session.changeRoots(session.workspace.allowed);
    expect(await session.callText('git_log')).toContain('first');
    expect(await session.callText('git_log', { repo_path: session.workspace.root })).toContain('first');
    expect(await session.callText('git_log', { repo_path: 'repo' })).toContain('first');
    const { contents } = await session.client.readResource('git://repo/head');
    expect(JSON.stringify(contents)).toContain('main');
    await session.callText('git_init', { path: 'new' });
    expect(await session.callText('git_status', { repo_path: 'new' })).toContain('main');
  });

  test('several roots are named in the error of a call that names none', async () => {
    await using session = await connectWithRoots(version);
    const second = await session.workspace.foreign();
    session.changeRoots(session.workspace.root, second);
    expect(await session.callText('git_log')).toBe(
      'ERROR Several repositories are allowed: "/allowed/repo", "/outside/foreign"; pass one of them as repo_path',
    );
    expect(await session.callText('git_log', { repo_path: second })).toContain('secret');
  });

  test('paths outside the current roots are refused, and so are earlier roots', async () => {
    await using session = await connectWithRoots(version);
    const { workspace } = session;
    const foreign = await workspace.foreign();
    session.changeRoots(workspace.root);
    const refused = /^ERROR Outside the allowed directories: /;
    expect(await session.callText('git_log', { repo_path: foreign })).toMatch(refused);
    symlinkSync(foreign, join(workspace.root, 'link'));
    expect(await session.callText('git_log', { repo_path: 'link' })).toMatch(refused);
    expect(await session.callText('git_init', { path: join(workspace.base, 'outside/new') })).toMatch(
      refused,
    );
    const inside = join(workspace.root, 'inside');
    mkdirSync(inside);
    session.changeRoots(inside);
    expect(await session.callText('git_log')).toMatch(/^ERROR (Not a git repository|The repository's)/);
    session.changeRoots(foreign);
    expect(await session.callText('git_log', { repo_path: workspace.root })).toMatch(refused);
    expect(await session.callText('git_log')).toContain('secret');
  });

  test.each([
    { what: 'no root', roots: (): string[] => [] },
    { what: 'a missing root', roots: (base: string) => [join(base, 'missing')] },
    { what: 'a root that is a file', roots: (base: string) => [join(base, 'allowed/repo/a.txt')] },
  ])('$what allows nothing, and the error names the remedy', async ({ roots }) => {
    await using session = await connectWithRoots(version);
    session.changeRoots(...roots(session.workspace.base));
    expect(await session.callText('git_log')).toBe(
      `ERROR No directory is allowed, so that no repository can be used; ${remedy}`,
    );
    expect(await session.callText('git_log', { repo_path: session.workspace.root })).toBe(
      `ERROR No directory is allowed, so that no repository can be used; ${remedy}`,
    );
    await expect(session.client.readResource('git://repo/head')).rejects.toThrow(remedy);
  });

  test('the server asks for confirmation once', async (context) => {
    context.skip(version === '2024-11-05', 'That revision has no questions');
    await using session = await connectWithRoots(version);
    session.changeRoots(session.workspace.root);
    session.workspace.put('a.txt', 'changed\n');
    expect(await session.callText('git_reset', { mode: 'hard' })).toMatch(
      /^main is at \w+; clean; to undo: git_stash with action "apply" and commit \w+$/,
    );
    expect(session.host.questions).toEqual([
      'Discard all changes to tracked files in /allowed/repo and go to "HEAD"?',
    ]);
    expect(await session.workspace.output(['status', '--porcelain'])).toBe('');
  });

  test('the server with named repositories requests no roots', async () => {
    const named = await Workspace.create({ 'b.txt': 'b\n' });
    await using session = await connectWithRoots(version, { directories: [named.root] });
    using _ = named;
    session.changeRoots(session.workspace.root);
    expect(await session.callText('git_read_file', { path: 'b.txt' })).toBe('b\n');
    expect(await session.callText('git_log', { repo_path: session.workspace.root })).toMatch(
      /^ERROR Outside/,
    );
    expect(session.host.requests).toBe(0);
  });

  test('tools that change something are refused with --read-only', async () => {
    await using session = await connectWithRoots(version, { readOnly: true });
    session.changeRoots(session.workspace.root);
    expect((await session.client.listTools()).map(({ name }) => name)).not.toContain('git_commit');
    expect(await session.callText('git_log')).toContain('first');
  });
});

test('a subscription follows the repository in a root', async () => {
  await using session = await connectWithRoots('2025-11-25');
  session.changeRoots(session.workspace.root);
  const changed = Promise.withResolvers<void>();
  await session.client.subscribe('git://repo/head', () => changed.resolve());
  await session.workspace.git.checkoutLocalBranch('other');
  await changed.promise;
});

test.each(['2025-11-25', '2026-07-28'])(
  'the program starts without a repository and works in the roots, at %s',
  async (revision) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await connectProgram(workspace, [], {
      revision,
      roots: async () => [{ uri: uri(workspace.root) }],
    });
    expect(await workspace.callText(client, 'git_log')).toContain('first');
  },
);

test('over HTTP the program does not start without a repository', async () => {
  using workspace = await Workspace.create();
  const { stderr, code } = await run(['--http', '0'], { env: workspace.environment });
  expect(stderr).toContain('Missing --repository <path>; over HTTP, name at least one repository');
  expect(code).toBe(2);
});

test('the error for a client without roots names the remedy', async () => {
  using workspace = await Workspace.create();
  const { stdout, stderr, code } = await run([], {
    env: workspace.environment,
    input: conversation(['tools/call', { name: 'git_status', arguments: {} }]),
  });
  expect(JSON.stringify(responses(stdout).get(2).result)).toContain(remedy);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});
