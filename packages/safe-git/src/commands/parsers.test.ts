import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBlame } from './history/blame.ts';
import { textOf } from '../safe-text.ts';
import { grepReader } from './history/grep.ts';
import { LogReader } from './history/log.ts';
import { parseRefs } from './refs/refs.ts';
import {
  checkObjectName,
  checkRefName,
  checkRevision,
  checkRevisionOrRange,
} from '../parse/validate-revision.ts';
import { parseStatus } from './work-tree/status.ts';
import { workTreePath } from '../access/work-tree-path.ts';
import { parseWorktrees } from './work-tree/worktrees.ts';

const nul = (...fields: string[]) => Buffer.from(fields.map((field) => `${field}\0`).join(''));
const zeros = '0'.repeat(40);

test('parseStatus returns the branch, the stashes, the entries and the ignored paths', () => {
  const output = nul(
    `# branch.oid ${zeros}`,
    '# branch.head main',
    '# branch.upstream origin/main',
    '# branch.ab +2 -1',
    '# stash 3',
    `1 M. N... 100644 100644 100644 ${zeros} ${zeros} a b.txt`,
    `2 R. N... 100644 100644 100644 ${zeros} ${zeros} R100 new -> name`,
    'old\nname',
    `u UU N... 100644 100644 100644 100644 ${zeros} ${zeros} ${zeros} both`,
    '? # branch.head forged',
    '! ignored/',
  );
  expect(parseStatus(output)).toEqual({
    branch: { oid: zeros, head: 'main', upstream: 'origin/main', ahead: 2, behind: 1 },
    stashes: 3,
    entries: [
      { path: 'a b.txt', staged: 'modified' },
      { path: 'new -> name', from: 'old\nname', staged: 'renamed' },
      { path: 'both', conflict: 'UU' },
      { path: '# branch.head forged', untracked: true },
    ],
    ignored: ['ignored/'],
  });
});

test('the fields of a log are separate wherever its output is split', () => {
  const field = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed());
  const commits = fc.array(fc.array(field, { minLength: 9, maxLength: 9 }), { maxLength: 5 });
  fc.assert(
    fc.property(commits, fc.integer({ min: 1, max: 40 }), (written, size) => {
      const output = nul(...written.flat());
      const reader = new LogReader();
      for (let at = 0; at < output.length; at += size) reader.push(output.subarray(at, at + size));
      expect(reader.result().map(({ author, message }) => [author.name, message])).toEqual(
        written.map((fields) => [fields[2], fields[8]!.replace(/\n+$/, '')]),
      );
    }),
  );
});

test('parseRefs returns branches and tags with their commits', () => {
  const row = [
    'refs/heads/feature/x',
    zeros,
    '',
    '',
    '*',
    'origin/x',
    'ahead 1',
    '2026-01-01T00:00:00Z',
    'refs/heads/forged',
  ];
  const tag = ['refs/tags/v1', '1'.repeat(40), zeros, 'tag', ' ', '', '', '2026-01-01T00:00:00Z', 'tagged'];
  expect(parseRefs(Buffer.from([row, tag].map((each) => `${each.join('\0')}\0\n`).join('')))).toEqual([
    {
      name: 'feature/x',
      full: 'refs/heads/feature/x',
      hash: zeros,
      current: true,
      upstream: 'origin/x',
      track: 'ahead 1',
      date: '2026-01-01T00:00:00Z',
      subject: 'refs/heads/forged',
    },
    {
      name: 'v1',
      full: 'refs/tags/v1',
      hash: zeros,
      isNested: true,
      current: false,
      date: '2026-01-01T00:00:00Z',
      subject: 'tagged',
    },
  ]);
});

test('lines of a blamed file cannot forge headers', () => {
  const output = [
    `${zeros} 1 1 2`,
    'author Ada',
    'author-mail <ada@example.com>',
    'author-time 0',
    'author-tz +0130',
    'summary author Eve',
    'filename a.txt',
    '\tauthor Eve',
    `${zeros} 2 2`,
    `\t${'1'.repeat(40)} 1 1 1`,
    '',
  ].join('\n');
  expect(parseBlame(Buffer.from(output))).toEqual([
    {
      hash: zeros,
      author: 'Ada',
      email: 'ada@example.com',
      date: '1970-01-01T01:30:00+01:30',
      subject: 'author Eve',
      line: 1,
      lines: ['author Eve', `${'1'.repeat(40)} 1 1 1`],
    },
  ]);
});

test('grep matches are complete wherever the output is split', () => {
  const output = Buffer.from('HEAD:a\nb\0' + '3\0x:1\n' + 'HEAD:c\0' + '10\0ü\n');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: output.length }), (cut) => {
      const reader = grepReader(5, 10);
      reader.push(output.subarray(0, cut));
      reader.push(output.subarray(cut));
      expect(reader.result({ code: 0, stdout: Buffer.alloc(0), stderr: '', truncated: false })).toEqual({
        matches: [
          { path: 'a\nb', line: 3, text: 'x:1' },
          { path: 'c', line: 10, text: 'ü' },
        ],
        more: false,
      });
    }),
  );
});

test('parseWorktrees returns each work tree with its commit, branch and state', () => {
  const output = nul(
    'worktree /a\nb',
    `HEAD ${zeros}`,
    'branch refs/heads/main',
    '',
    'worktree /c',
    `HEAD ${zeros}`,
    'detached',
    'locked why',
    '',
  );
  expect(parseWorktrees(output)).toEqual([
    { path: '/a\nb', hash: zeros, branch: 'main' },
    { path: '/c', hash: zeros, locked: true },
  ]);
});

test('bytes that are not UTF-8 are escaped, and the rest is unchanged', () => {
  expect(textOf(Buffer.from([0x61, 0xff, 0xc3, 0xbc, 0xc3, 0x0a, 0xf0, 0x9f, 0x98, 0x80]))).toBe(
    'a\\xffü\\xc3\n😀',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => textOf(Buffer.from(text)) === text.toWellFormed()),
  );
});

test('checkRevision, checkRevisionOrRange and checkObjectName accept only their own syntax', () => {
  for (const good of [
    'main',
    'HEAD~2',
    'HEAD^',
    'feature/x',
    '@{u}',
    'main@{upstream}',
    'v1.0^{commit}',
    '@',
    'HEAD@{2 days ago}',
    'a-b',
  ]) {
    expect(checkRevision(good)).toBe(good);
  }
  for (const good of ['a..b', 'a...b', '..b', 'a..']) expect(checkRevisionOrRange(good)).toBe(good);
  for (const good of ['HEAD:a.txt', 'HEAD:', 'v1:src/a b.ts']) expect(checkObjectName(good)).toBe(good);
  for (const bad of ['HEAD:../x', 'HEAD:/x', 'HEAD:a/./b', ':x', 'a:b\0c'])
    expect(() => checkObjectName(bad)).toThrow();
});

test('no accepted revision or name is an option or a range', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('-.~^:@{}/ *?[\\\0\nax')) })),
      (value) => {
        for (const check of [checkRevision, checkRefName, checkRevisionOrRange]) {
          let checked: string;
          try {
            checked = check(value);
          } catch {
            continue;
          }
          expect(checked).not.toMatch(/^-|[\0\n]|^$/);
        }
      },
    ),
  );
});

test('no accepted path leads out of the work tree or into .git', () => {
  const part = fc.constantFrom('..', '.', 'a', '.git', '.GIT', 'git~1', '', 'b c', '.git.');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, absolute) => {
      let path: string;
      try {
        path = workTreePath((absolute ? '/top/' : '') + parts.join('/'), '/top');
      } catch {
        return;
      }
      expect(path).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\.git(\/|$)|git~1/i);
    }),
  );
});
