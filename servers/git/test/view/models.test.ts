import { codeOf } from '@mcp/views/model';
import { expect, test } from 'vitest';
import { blameArguments, historyFilter, pathsIn } from '../../view/model/arguments.ts';
import { ageOf, blamedLines } from '../../view/model/blame.ts';
import { commitOf, namesOf } from '../../view/model/commits.ts';
import { filesFacts, filesOf, statusFacts, statusOf } from '../../view/model/files.ts';
import { Lanes, pictureOf } from '../../view/model/lanes.ts';
import { changesOf, differenceOf, patchOf, rangesOf } from '../../view/model/patch.ts';

/** The rows of a graph: `lane through > into > out`, of commits as `hash parents`. */
function graph(...commits: readonly string[]): string[] {
  const lanes = new Lanes();
  return commits.map((text) => {
    const [hash = '', ...parents] = text.split(' ');
    const { lane, hasChild, through, into, out } = lanes.next({ hash, parents });
    return `${hasChild ? '' : '*'}${lane} ${through.join()} > ${into.join()} > ${out.join()}`;
  });
}

test('a branch and its merge have lanes', () => {
  expect(graph('m b t', 't a', 'b a', 'a')).toEqual(['*0  >  > 0,1', '1 0 >  > 1', '0 1 >  > 1', '1  >  > ']);
});

test('lanes are used again, and a parent that was shown before its child is not drawn', () => {
  expect(graph('a r', 'b r', 'r', 'c d', 'd', 'late d')).toEqual([
    '*0  >  > 0',
    '*1 0 >  > 0',
    '0  >  > ',
    '*0  >  > 0',
    '0  >  > ',
    '*0  >  > ',
  ]);
});

test('a graph of many lanes has a bounded picture', () => {
  const lanes = new Lanes();
  for (let at = 0; at < 500; at++) lanes.next({ hash: `tip ${at}`, parents: [`root ${at}`] });
  const { width, paths } = pictureOf(lanes.next({ hash: 'last', parents: ['end'] }));
  expect(width).toBeLessThan(220);
  expect(paths.length).toBeLessThan(16);
});

test('the part in which two lines differ is marked', () => {
  expect(differenceOf('return a.b;', 'return a.c();')).toEqual([9, 10, 12]);
  expect(differenceOf('abc', 'xyz')).toBeUndefined();
  expect(differenceOf('aaaa', 'aa')).toEqual([2, 4, 2]);
});

test('lines of a patch are named as tools take them', () => {
  const { rows, index } = patchOf({
    index: 'a..b',
    rows: [
      ['@', 1, 1, '@@ -1,2 +1,3 @@ f() {'],
      ['|', 1, 1, 'a', 'b'],
      ['+', 0, 2, '\tc\u202e'],
      7,
      ['-', 'x'],
    ],
  });
  expect([index, rows[0]!.header]).toEqual(['a..b', '@@ -1,2 +1,3 @@']);
  expect(rows.map(changesOf)).toEqual([[], ['-1', '+1'], ['+2'], [], ['-0']]);
  expect(rows[2]!.text).toBe('    c\\u{202e}');
  expect(rangesOf(['+3', '-7', '+1', '+2', '+9', '-8'])).toEqual(['-7-8', '+1-3', '+9']);
});

test('values of others are read as far as they can be shown', () => {
  expect(codeOf('x'.repeat(10_000_000))).toHaveLength(2_101);
  expect([filesOf(null), patchOf([]).rows, blamedLines({ ranges: [1] })]).toEqual([[], [], []]);
  expect(
    commitOf({ hash: '<b>', parents: ['x', 7], subject: 'a\u202e\nb', message: 'a\n\nrest' }),
  ).toMatchObject({
    hash: '',
    parents: [],
    subject: 'a\\u{202e}↵b',
    body: 'rest',
  });
  const hash = 'a'.repeat(40);
  expect(
    namesOf([
      { name: 'v1', kind: 'tag', hash },
      { kind: 'other', hash },
    ]).get(hash),
  ).toHaveLength(1);
});

test('a file that is staged in part is in the status twice, conflicts come first', () => {
  const status = statusOf({
    branch: 'main',
    writable: true,
    ahead: 2,
    files: [
      { path: 'a', staged: 'added', unstaged: 'modified' },
      { path: 'b', untracked: true },
      { path: 'c', conflict: 'UU' },
    ],
  });
  expect(status.files.map(({ path, group, letter }) => `${path} ${group} ${letter}`)).toEqual([
    'c conflict U',
    'a unstaged M',
    'b untracked ?',
    'a staged A',
  ]);
  expect([status.notes, statusFacts(status)]).toEqual([
    ['2 commits ahead'],
    ['1 in conflict', '1 not staged', '1 not tracked', '1 staged'],
  ]);
  expect(filesFacts(filesOf({ files: [{ path: 'a', added: 2, deleted: 1 }, { path: 'b' }] }), false)).toEqual(
    ['2 files', '2 lines added, 1 removed'],
  );
});

test('the arguments of the call are understood by each of their names', () => {
  expect(historyFilter({ max_count: 3, author: 'Ada', patch: true, all: false, repo: '/x' })).toEqual({
    author: 'Ada',
  });
  expect(blameArguments({ file: ' a\tb', sha: 'HEAD', start_line: 7 })).toEqual({
    path: ' a\tb',
    revision: 'HEAD',
    start_line: 7,
  });
  expect([pathsIn({ file: 'a' }), pathsIn({ paths: ['a', 'b'] }), pathsIn({})]).toEqual([
    ['a'],
    ['a', 'b'],
    undefined,
  ]);
});

test('ages of lines', () => {
  const now = Date.UTC(2026, 5, 1);
  expect(
    ['2026-05-20', '2026-02-01', '2025-08-01', '2024-01-01', '2010-01-01', ''].map((date) =>
      ageOf(date, now),
    ),
  ).toEqual([0, 1, 2, 3, 4, 0]);
});
