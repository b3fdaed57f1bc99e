import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { GitIgnore } from '../src/traverse/gitignore.ts';
import { Workspace } from './workspace.ts';

// They compare generated trees with the files that git ignores.
vi.setConfig({ testTimeout: 120_000 });

const ignores = (rules: string, path: string, isDirectory = false) =>
  new GitIgnore(rules).ignores(path, path.split('/').at(-1)!, isDirectory);

describe('GitIgnore', () => {
  it('the last matching rule of a .gitignore decides', () => {
    expect(ignores('*.log\n!keep.log', 'a.log')).toBe(true);
    expect(ignores('*.log\n!keep.log', 'sub/keep.log')).toBe(false);
    expect(ignores('!keep.log\n*.log', 'keep.log')).toBe(true);
    expect(ignores('build/', 'build')).toBeUndefined();
    expect(ignores('build/', 'sub/build', true)).toBe(true);
    expect(ignores('/build', 'sub/build')).toBeUndefined();
    expect(ignores('doc/*.txt', 'doc/a.txt')).toBe(true);
    expect(ignores('doc/*.txt', 'doc/sub/a.txt')).toBeUndefined();
    expect(ignores('**/logs/*.txt', 'a/b/logs/c.txt')).toBe(true);
    expect(ignores('# *.c\n\\#x\n\\!y\nz\\ \nw ', 'a.c')).toBeUndefined();
    for (const name of ['#x', '!y', 'z ', 'w']) expect(ignores('\\#x\n\\!y\nz\\ \nw \r\n', name)).toBe(true);
  });

  it('invalid and very large .gitignore files are accepted', () => {
    for (const rules of ['[', '[a', 'a\\', '/', '!', '!/', '..', '../x', '{a', '***', '\0', '[[:x:]]', '//'])
      ignores(rules, 'a/b');
    expect(ignores('{a,b}', 'a')).toBeUndefined();
    expect(ignores('{a,b}', '{a,b}')).toBe(true);
    const large = Array.from({ length: 60_000 }, (_, index) => `name-${index}.txt`).join('\n');
    const rules = new GitIgnore(`${large}\n!name-7.txt`);
    expect(rules.ignores('name-7.txt', 'name-7.txt', false)).toBe(false);
    expect(rules.ignores('sub/name-59999.txt', 'name-59999.txt', false)).toBe(true);
    const before = performance.now();
    for (let count = 0; count < 20_000; count++) rules.ignores(`x/${count}`, `${count}`, false);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('a .gitignore rule with many wildcards is matched in bounded time', () => {
    const before = performance.now();
    ignores(`${'*a'.repeat(100)}!`, 'a'.repeat(255));
    ignores(`${'**/a'.repeat(50)}!`, 'a/'.repeat(1000));
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('generated .gitignore files exclude the same paths as git', async () => {
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

  it('the .gitignore files above a searched directory apply up to the top of its repository', async () => {
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
