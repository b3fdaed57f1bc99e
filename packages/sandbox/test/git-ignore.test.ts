import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { GitIgnore } from '../src/backend/traverse/gitignore.ts';
import { Workspace } from './workspace.ts';

// They compare generated trees with the files that git ignores.
vi.setConfig({ testTimeout: 120_000 });

const verdict = (rules: string, path: string, isDirectory = false) =>
  new GitIgnore(rules).verdict(path, path.split('/').at(-1)!, isDirectory);

describe('GitIgnore', () => {
  it('F93: the last matching rule of a .gitignore decides', () => {
    expect(verdict('*.log\n!keep.log', 'a.log')).toBe(true);
    expect(verdict('*.log\n!keep.log', 'sub/keep.log')).toBe(false);
    expect(verdict('!keep.log\n*.log', 'keep.log')).toBe(true);
    expect(verdict('build/', 'build')).toBeUndefined();
    expect(verdict('build/', 'sub/build', true)).toBe(true);
    expect(verdict('/build', 'sub/build')).toBeUndefined();
    expect(verdict('doc/*.txt', 'doc/a.txt')).toBe(true);
    expect(verdict('doc/*.txt', 'doc/sub/a.txt')).toBeUndefined();
    expect(verdict('**/logs/*.txt', 'a/b/logs/c.txt')).toBe(true);
    expect(verdict('# *.c\n\\#x\n\\!y\nz\\ \nw ', 'a.c')).toBeUndefined();
    for (const name of ['#x', '!y', 'z ', 'w']) expect(verdict('\\#x\n\\!y\nz\\ \nw \r\n', name)).toBe(true);
  });

  it('F93: invalid and very large .gitignore files are accepted', () => {
    for (const rules of ['[', '[a', 'a\\', '/', '!', '!/', '..', '../x', '{a', '***', '\0', '[[:x:]]', '//'])
      verdict(rules, 'a/b');
    expect(verdict('{a,b}', 'a')).toBeUndefined();
    expect(verdict('{a,b}', '{a,b}')).toBe(true);
    const large = Array.from({ length: 60_000 }, (_, index) => `name-${index}.txt`).join('\n');
    const rules = new GitIgnore(`${large}\n!name-7.txt`);
    expect(rules.verdict('name-7.txt', 'name-7.txt', false)).toBe(false);
    expect(rules.verdict('sub/name-59999.txt', 'name-59999.txt', false)).toBe(true);
    const before = performance.now();
    for (let count = 0; count < 20_000; count++) rules.verdict(`x/${count}`, `${count}`, false);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('F93: a .gitignore rule with many wildcards is matched in bounded time', () => {
    const before = performance.now();
    verdict(`${'*a'.repeat(100)}!`, 'a'.repeat(255));
    verdict(`${'**/a'.repeat(50)}!`, 'a/'.repeat(1000));
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('F93: generated .gitignore files exclude the same paths as git', async () => {
    using workspace = new Workspace();
    const names = ['a', 'b.txt', 'ab', 'c d', '[x]', 'b', 'é'];
    const directories = ['', 'a/', 'sub/', 'sub/deep/', 'a/sub/'];
    const paths = directories.flatMap((directory) => names.map((name) => directory + name));
    const usable = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', workspace.root, ...args], { encoding: 'utf8' });
    git('init', '-q');
    for (const path of usable) workspace.put(path);
    const sandbox = workspace.open();

    const piece = fc.constantFrom(
      'a',
      'b',
      'sub',
      'deep',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '.txt',
      '\\[x]',
      ' ',
      'é',
      '[é]',
      '[a/b]',
      '[[:alpha:]]',
      '[[:punct:]]',
      '[[:none:]]',
    );
    const rule = fc
      .tuple(
        fc.constantFrom('', '!', '/', '!/', '**/'),
        fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', '/**', '/*'),
      )
      .map(([start, parts, end]) => start + parts.map((each) => each.join('')).join('/') + end);
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(rules, rules, async (top, nested) => {
        workspace.put('.gitignore', `${top}\n!.gitignore\n`);
        workspace.put('sub/.gitignore', `${nested}\n!.gitignore\n`);
        const wanted = git('ls-files', '-z', '--others', '--exclude-standard').split('\0').filter(Boolean);
        const { matches } = await sandbox.find('.', '**');
        const found = matches.filter(({ kind }) => kind === 'file').map(({ path }) => path);
        expect(found).toEqual(wanted.toSorted());
      }),
      { numRuns: 250 },
    );
  });

  it('F93: the .gitignore files above a searched directory apply up to the top of its repository', async () => {
    using workspace = new Workspace({
      '.gitignore': '*.txt',
      'repo/.gitignore': '*.log\n/src/gen\n',
      'repo/src/a.log': '',
      'repo/src/a.txt': '',
      'repo/src/gen/b': '',
      'repo/src/c': '',
    });
    const sandbox = workspace.open();
    const found = async (path: string) => (await sandbox.find(path, '**')).matches.map((match) => match.path);
    expect(await found('repo/src')).toEqual(['repo/src/c']);
    mkdirSync(join(workspace.root, 'repo/.git'));
    expect(await found('repo/src')).toEqual(['repo/src/a.txt', 'repo/src/c']);
    expect(await found('repo/src/gen')).toEqual(['repo/src/gen/b']);
    rmSync(join(workspace.root, 'repo/.gitignore'));
    expect(await found('repo/src')).toEqual(
      ['a.log', 'a.txt', 'c', 'gen', 'gen/b'].map((name) => `repo/src/${name}`),
    );
  });
});
