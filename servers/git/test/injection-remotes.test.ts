import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problem, Workspace } from './workspace.ts';

describe('remotes', () => {
  const refused = 'Invalid URL of a remote';

  test.each([
    ['G13', '--upload-pack=touch x'],
    ['G13', '-utouch x'],
    ['G14', '-c core.fsmonitor=x'],
    ['G14', '--config=core.fsmonitor=x'],
    ['G14', '--template=/tmp'],
    ['G56', 'ext::sh -c true'],
    ['G56', 'fd::3'],
    ['G56', 'ssh://-oProxyCommand=touch/x'],
    ['G56', '-oProxyCommand=x@host:path'],
    ['G56', 'ftp://example.com/x'],
  ])('%s: git_clone refuses the address %s', async (_id, url) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    expect(await workspace.callText(client, 'git_clone', { url, path: 'clone' })).toContain(refused);
    expect(existsSync(join(workspace.allowed, 'clone'))).toBe(false);
  });

  test('a remote is given by its name only', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await using client = await workspace.connect({ allowRemote: true });
    for (const [tool, args] of [
      ['git_fetch', { remote: '--upload-pack=x' }],
      ['git_fetch', { remote: 'ext::sh' }],
      ['git_push', { remote: '--receive-pack=x' }],
      ['git_pull', { remote: '-x', branch: 'main' }],
    ] as const) {
      expect(await workspace.callText(client, tool, args)).toMatch(/^ERROR Invalid remote/);
    }
    expect(await workspace.callText(client, 'git_fetch', { remote: 'nowhere' })).toBe(
      'ERROR No such remote: "nowhere"; there is no remote',
    );
  });

  test('git_clone copies nothing from or to a path outside the allowed directories', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const foreign = await workspace.foreign();
    symlinkSync(workspace.outside, join(workspace.allowed, 'out'));
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    const clone = (url: string, path: string) => workspace.callText(client, 'git_clone', { url, path });
    for (const url of [foreign, `file://${foreign}`, join(workspace.allowed, 'out/foreign')]) {
      expect(await clone(url, 'clone')).toMatch(/^ERROR Outside the allowed directories/);
    }
    for (const path of ['../outside/clone', join(workspace.outside, 'clone'), 'out/clone']) {
      expect(await clone(workspace.root, path)).toMatch(/^ERROR Outside the allowed directories/);
    }
    expect(existsSync(join(workspace.allowed, 'clone'))).toBe(false);
    expect(existsSync(join(workspace.outside, 'clone'))).toBe(false);
  });

  test('git_fetch refuses a repository outside that the configuration names', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const foreign = await workspace.foreign();
    await workspace.git.addRemote('origin', 'https://example.com/x');
    await workspace.git.addConfig(`url.${foreign}.insteadOf`, 'https://example.com/x');
    await using client = await workspace.connect({ allowRemote: true });
    expect(await workspace.callText(client, 'git_fetch')).toMatch(/^ERROR Outside the allowed directories/);
    expect(await workspace.output(['for-each-ref', 'refs/remotes'])).toBe('');
  });

  test('git_fetch refuses paths at which git finds a repository outside', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const foreign = await workspace.foreign();
    const inside = (path: string) => join(workspace.root, path);
    mkdirSync(join(workspace.outside, 'deep'));
    symlinkSync(join(workspace.outside, 'deep'), inside('link'));
    // Paths that the remotes below would name if they were read in another way than git reads them.
    for (const path of ['foreign', 'found', '~/foreign', 'file', 'linked', 'a', 'host:x']) {
      mkdirSync(inside(path), { recursive: true });
    }
    symlinkSync(foreign, inside('found.git'));
    symlinkSync(foreign, inside('a?b'));
    symlinkSync(join(foreign, '.git'), inside('linked/.git'));
    writeFileSync(inside('file/.git'), `gitdir: ${foreign}/.git\n`);
    workspace.environment['HOME'] = workspace.outside;
    await using client = await workspace.connect({ allowRemote: true });
    await workspace.git.addConfig('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    const notAnAddress = /^ERROR Invalid URL of a remote: /;
    for (const [url, refusal] of [
      ['link/../foreign', notAnAddress],
      [`${workspace.root}/link/../foreign`, notAnAddress],
      [`file://${workspace.root}/link/%2e%2e/foreign`, notAnAddress],
      ['~/foreign', notAnAddress],
      [
        'host:x',
        /^ERROR The remote cannot be reached, or its URL leads to no repository; check its URL and your access/,
      ],
      [`file://localhost${foreign}`, notAnAddress],
      [`file://${workspace.root}/a?b`, /^ERROR Outside /],
      [
        'found',
        /^ERROR The remote cannot be reached, or its URL leads to no repository; check its URL and your access/,
      ],
      ['file', /^ERROR The repository's git directory is outside /],
      ['linked', /^ERROR The repository's git directory is outside /],
    ] as const) {
      await workspace.git.addConfig('remote.origin.url', url);
      expect(await workspace.callText(client, 'git_fetch'), url).toMatch(refusal);
      expect(await workspace.output(['for-each-ref', 'refs/remotes']), url).toBe('');
    }
  });

  test('git_clone copies from a path that contains URL syntax', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const odd = join(workspace.allowed, '%2e%2e #?');
    await workspace.gitAt(workspace.allowed).clone(workspace.root, odd);
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    expect(await workspace.callText(client, 'git_clone', { url: odd, path: 'copy' })).toContain('Cloned');
    expect(
      await workspace.output(['log', '--format=%s'], { directory: join(workspace.allowed, 'copy') }),
    ).toBe('first');
  });

  test.each([
    ['G55', 'remote.origin.uploadpack', (program: string) => program, 'fetch origin.git'],
    ['G57', 'core.sshCommand', (program: string) => program, 'fetch ssh://127.0.0.1:1/x'],
    ['G57', 'core.gitProxy', (program: string) => program, 'fetch git://127.0.0.1:1/x'],
    ['G61', 'core.alternateRefsCommand', (program: string) => program, 'fetch origin.git'],
    ['G62', 'remote.origin.vcs', () => 'ext', 'fetch program'],
    ['G62', 'remote.origin.receivepack', (program: string) => program, 'push origin.git'],
    ['G62', 'fetch.bundleURI', (program: string) => program, undefined],
  ])('%s: fetch, pull and push run no program through %s', async (_id, key, value, trigger) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const program = workspace.program('program', { passOn: false });
    const urls = ['origin.git', 'git://127.0.0.1:1/x', 'ssh://127.0.0.1:1/x', `ext::${program}`];
    await workspace.gitAt(workspace.allowed).clone(workspace.root, 'origin.git', ['--bare']);
    await workspace.git.addConfig('protocol.ext.allow', 'always');
    await workspace.git.addConfig(key, value(program));
    mkdirSync(join(workspace.root, '.git/objects/info'), { recursive: true });
    writeFileSync(
      join(workspace.root, '.git/objects/info/alternates'),
      `${workspace.allowed}/origin.git/objects\n`,
    );
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    for (const url of urls) {
      await workspace.git.addConfig(
        'remote.origin.url',
        url === 'origin.git' ? join(workspace.allowed, url) : url,
      );
      await workspace.git.addConfig('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
      for (const [tool, args] of [
        ['git_fetch', {}],
        ['git_pull', { branch: 'main' }],
        ['git_push', {}],
      ] as const) {
        await client.callTool(tool, { ...args, repo_path: workspace.root });
        expect(workspace.executed, `${tool} ${url}`).toEqual([]);
      }
    }
    if (trigger === undefined) return;
    // Plain git runs the program.
    const [command, url] = trigger.split(' ') as [string, string];
    const place = { 'origin.git': join(workspace.allowed, url), program }[url] ?? url;
    await workspace.git.addConfig('remote.origin.url', place);
    await problem(() => workspace.git.raw([command, 'origin', 'main']));
    expect(workspace.executed).toEqual(['program']);
  });

  test('git_push does not run the hooks of a local remote', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await workspace.gitAt(workspace.allowed).clone(workspace.root, 'origin.git', ['--bare']);
    await workspace.git.addRemote('origin', join(workspace.allowed, 'origin.git'));
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      const path = join(workspace.allowed, 'origin.git/hooks', name);
      mkdirSync(join(workspace.allowed, 'origin.git/hooks'), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch '${join(workspace.marks, name)}'\n`, { mode: 0o755 });
    }
    await workspace.commit('to push');
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    expect(await workspace.callText(client, 'git_push', { repo_path: workspace.root })).toBe(
      'Pushed main to origin/main',
    );
    expect(workspace.executed).toEqual([]);
    await using trusting = await workspace.connect({
      allowRemote: true,
      trust: true,
      directories: [workspace.allowed],
    });
    await workspace.commit('to push again');
    await trusting.callTool('git_push', { repo_path: workspace.root });
    expect(workspace.executed).toContain('post-receive');
  });
});
