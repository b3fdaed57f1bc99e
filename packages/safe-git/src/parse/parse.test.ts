import { describe, expect, test } from 'vitest';
import { blame, parseBlame } from '../commands/history/blame.ts';
import { grepReader } from '../commands/history/grep.ts';
import { parseRefs } from '../commands/refs/refs.ts';
import { parseStatus } from '../commands/work-tree/status.ts';
import { functionRange, lineRange, lineRefusals } from './line-range.ts';
import { parseRanges, parseUnifiedZero, reversed, reversedRange, selectChanges } from './line-selection.ts';
import { commitFields, fields, pathList, rows, utc, zonedDate } from './nul-records.ts';
import { offsetCursor, parseOffset } from './offset-cursor.ts';
import { line, lines, succeeded } from './printed.ts';
import { afterNuls, recordReader } from './record-reader.ts';
import { parseTag } from './tag-object.ts';
import { checkPattern, checkText } from './validate-pattern.ts';
import {
  checkCommits,
  checkObjectName,
  checkRefName,
  checkRevision,
  checkRevisionOrRange,
  checkTreePath,
} from './validate-revision.ts';

const output = (stdout: string, code = 0) => ({
  code,
  stdout: Buffer.from(stdout),
  stderr: '',
  truncated: false,
});

const revision = (value: string) =>
  `Invalid revision: ${JSON.stringify(value)}; expected a branch, a tag, a hash or HEAD, optionally with ~2, ^1 or @{upstream}`;
const treePath = (value: string) =>
  `Invalid path inside a revision: ${JSON.stringify(value)}; expected a path relative to the top, without ".."`;

// The forms of gitrevisions(7).
test.each([
  'dae86e1950b1277e545cee180551750029cfe735',
  'v1.7.4.2-679-g3bee7fb',
  'master',
  'heads/master',
  'refs/heads/master',
  '@',
  'master@{yesterday}',
  'HEAD@{5 minutes ago}',
  'master@{1}',
  '@{1}',
  '@{-1}',
  'master@{upstream}',
  '@{u}',
  '@{push}',
  'HEAD^',
  'v1.5.1^0',
  'HEAD^123',
  'HEAD~',
  'master~3',
  'HEAD~123456',
  'v0.99.8^{commit}',
  'v0.99.8^{tree}',
  'v0.99.8^{blob}',
  'v0.99.8^{tag}',
  'v0.99.8^{object}',
  'v0.99.8^{}',
  'HEAD~2^2~1',
  `a@{${'1'.repeat(60)}}`,
  'x'.repeat(300),
  '@{1}~2',
  'a@b',
  'a{b}',
  'ü',
])('%s is a revision', (value) => {
  expect(checkRevision(value)).toBe(value);
  expect(checkRevisionOrRange(value)).toBe(value);
  expect(checkCommits(value)).toBe(value);
  expect(checkObjectName(value)).toBe(value);
});

test.each([
  '',
  '-x',
  'a b',
  'a\nb',
  'a\n',
  '\0',
  'a:b',
  ':/fix',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'HEAD^1234',
  'HEAD~1234567',
  'HEAD^{/fix}',
  'HEAD^{commits}',
  'HEAD^@',
  'HEAD^!',
  '@{',
  '@{}',
  `a@{${'1'.repeat(61)}}`,
  'a@{\n}',
  '^a',
  '~1',
  '@{1}x',
  'a@{1}x',
  'x'.repeat(301),
])('%j is no revision', (value) => {
  expect(() => checkRevision(value)).toThrow('Invalid revision: ');
});

test('a refused revision is named with what is expected', () => {
  expect(() => checkRevision('a b')).toThrow(revision('a b'));
  expect(() => checkRevision('a..b')).toThrow(revision('a..b'));
});

test.each<[check: (value: string) => string, value: string, error?: string]>([
  [checkRevisionOrRange, 'a..b'],
  [checkRevisionOrRange, 'a...b'],
  [checkRevisionOrRange, '..b'],
  [checkRevisionOrRange, 'a...'],
  [checkRevisionOrRange, '..', 'Invalid range: ".."; expected a..b or a...b'],
  [checkRevisionOrRange, '...', 'Invalid range: "..."; expected a..b or a...b'],
  [checkRevisionOrRange, 'a..-b', revision('-b')],
  [checkRevisionOrRange, '-a..b', revision('-a')],
  [checkRevisionOrRange, 'a\n..b', revision('a\n')],
  [checkCommits, 'a..b'],
  [checkCommits, 'a...b', revision('a...b')],
  [checkCommits, '..b', revision('')],
  [checkCommits, 'a..', revision('')],
  [checkCommits, 'a..b\n', revision('b\n')],
  [checkCommits, '\na..b', revision('\na')],
  [checkObjectName, 'HEAD:'],
  [checkObjectName, 'v1:src/a b.ts'],
  [checkObjectName, 'a:b:c'],
  [checkObjectName, 'a b:c', revision('a b')],
  [checkObjectName, ':c', revision(':c')],
  [checkObjectName, 'a:/c', treePath('/c')],
  [checkTreePath, 'a/..b/c..'],
  [checkTreePath, 'x'.repeat(4096)],
  [checkTreePath, 'x'.repeat(4097), 'Invalid path inside a revision'],
  [checkTreePath, '/a', treePath('/a')],
  [checkTreePath, 'a/../b', treePath('a/../b')],
  [checkTreePath, './b', treePath('./b')],
  [checkTreePath, 'a\0b', treePath('a\0b').slice(0, 34)],
])('%o of %.20s', (check, value, error) => {
  if (error === undefined) expect(check(value)).toBe(value);
  else expect(() => check(value)).toThrow(error);
});

// The rules of git-check-ref-format(1).
test.each(['a', 'feature/x', 'a.b', 'a@b', 'a@', 'a.locked', 'ü', 'a-b', '@a', 'x'.repeat(300)])(
  '%.20s is a name of a branch',
  (name) => expect(checkRefName(name)).toBe(name),
);

test.each([
  '',
  'HEAD',
  '@',
  '.a',
  '-a',
  '/a',
  'a/',
  'a.',
  'a..b',
  'a//b',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a@{b',
  'a b',
  'a~b',
  'a^b',
  'a:b',
  'a?b',
  'a*b',
  'a[b',
  'a\\b',
  'a\u007fb',
  'a\n',
  'a\ufffd',
  'x'.repeat(301),
])('%.20s is no name of a branch', (name) =>
  expect(() => checkRefName(name)).toThrow('Invalid branch name: '),
);

test('the error of a name has its kind', () => {
  expect(() => checkRefName('a b', 'tag')).toThrow(
    'Invalid tag name: "a b"; expected a name that git check-ref-format accepts',
  );
});

describe('ranges of lines', () => {
  test.each([
    [lineRange, '7', '7,7'],
    [lineRange, '10-20', '10,20'],
    [lineRange, '7-7', '7,7'],
    [lineRange, '999999999', '999999999,999999999'],
    [functionRange, 'main', ':\\bmain\\b'],
    [functionRange, '$a.b', ':\\b\\$a\\.b\\b'],
    [functionRange, 'ü~_-9', ':\\bü~_-9\\b'],
    [functionRange, 'x'.repeat(200), `:\\b${'x'.repeat(200)}\\b`],
  ] as const)('%o of %.20s is %.20s', (range, value, expected) => expect(range(value)).toBe(expected));

  test.each([
    '',
    '0',
    '2-1',
    '1-0',
    '1,2',
    '1-',
    ' 1',
    '1 ',
    '1\n',
    '1234567890',
    '1-1234567890',
    'a1',
    '-1',
  ])('%j are no lines', (value) =>
    expect(() => lineRange(value)).toThrow(
      `Invalid lines: ${JSON.stringify(value)}; expected a range such as "10-20"`,
    ),
  );

  test.each(['', 'a b', 'a/b', 'a\n', ' a', 'x'.repeat(201)])('%j is no function', (value) =>
    expect(() => functionRange(value)).toThrow('Invalid function: '),
  );

  test("git's refusals are told in plain words", () => {
    expect(() => functionRange('a b')).toThrow(
      'Invalid function: "a b"; expected the name of a function, such as "main"',
    );
    const told = (printed: string) => {
      for (const [pattern, message] of lineRefusals) {
        const match = pattern.exec(printed);
        if (match && typeof message === 'function') return message(match);
      }
      return undefined;
    };
    expect([
      told('fatal: file a has only 1 line'),
      told('fatal: file a has only 23 lines'),
      told("fatal: -L parameter '\\b\\$a\\.b\\b' starting at line 1: no match"),
      told('fatal: other'),
    ]).toEqual([
      'The file has only 1 lines',
      'The file has only 23 lines',
      'No such function in the file: "$a.b"',
      undefined,
    ]);
  });
});

describe('a selection of changed lines', () => {
  const header = 'index aaa..bbb 100644\n--- a\n+++ b\n';
  const diff = `${header}@@ -2 +2,2 @@ f\n-two\n+TWO\n+more\n@@ -3,0 +5 @@\n+new\n@@ -4,2 +6,0 @@\n-four\n-five\n\\ No newline at end of file\n`;
  const changes = [
    { oldStart: 2, removed: ['two\n'], newStart: 2, added: ['TWO\n', 'more\n'] },
    { oldStart: 4, removed: [], newStart: 5, added: ['new\n'] },
    { oldStart: 4, removed: ['four\n', 'five'], newStart: 7, added: [] },
  ];
  const parsed = { mode: '100644', from: 'aaa', to: 'bbb', changes };

  test('a diff without context is parsed, and turned round', () => {
    expect(parseUnifiedZero(diff)).toEqual(parsed);
    expect(parseUnifiedZero(header)).toBe(undefined);
    expect(parseUnifiedZero('@@ -1 +1 @@\n-a\n+b\n')).toBe(undefined);
    expect(parseUnifiedZero(`x${diff}`)).toBe(undefined);
    expect(parseUnifiedZero(diff.replace('100644', '100644 '))).toBe(undefined);
    expect(parseUnifiedZero(`${header}@@ -1 +1 @@\n\\ note\n+b\n`)?.changes[0]?.added).toEqual(['b\n']);
    expect(reversed(reversed(parsed))).toEqual(parsed);
    expect(reversed(parsed)).toMatchObject({ from: 'bbb', to: 'aaa', mode: '100644' });
    expect(reversed(parsed).changes[1]).toEqual({ oldStart: 5, removed: ['new\n'], newStart: 4, added: [] });
    expect(reversedRange({ sign: '+', from: 1, to: 2 })).toEqual({ sign: '-', from: 1, to: 2 });
    expect(reversedRange({ sign: '-', from: 1, to: 2 })).toEqual({ sign: '+', from: 1, to: 2 });
  });

  const old = 'one\ntwo\nthree\nfour\nfive';
  test.each([
    ['-2', 'one\nthree\nfour\nfive', 1],
    ['+2', 'one\ntwo\nTWO\nthree\nfour\nfive', 1],
    ['+3', 'one\ntwo\nmore\nthree\nfour\nfive', 1],
    ['+2-3', 'one\ntwo\nTWO\nmore\nthree\nfour\nfive', 2],
    ['+5', 'one\ntwo\nthree\nnew\nfour\nfive', 1],
    ['-4', 'one\ntwo\nthree\nfive', 1],
    ['-5', 'one\ntwo\nthree\nfour\n', 1],
    ['-4-5', 'one\ntwo\nthree\n', 2],
    ['-3', old, 0],
    ['+4', old, 0],
    ['@@ -2 +2,2 @@', 'one\nTWO\nmore\nthree\nfour\nfive', 3],
  ])('%s selects from the diff', (selected, text, count) => {
    expect(selectChanges(parsed, parseRanges(selected), old)).toEqual({ text, count });
  });

  test('a line that is no longer the last gets a line break', () => {
    const added = { ...parsed, changes: [{ oldStart: 1, removed: ['a'], newStart: 1, added: ['b', 'c\n'] }] };
    expect(selectChanges(added, parseRanges('+1-2'), 'a').text).toBe('a\nb\nc\n');
    expect(selectChanges(added, parseRanges('+1'), '').text).toBe('a\nb');
  });

  test.each([
    ['+7', [{ sign: '+', from: 7, to: 7 }]],
    ['-10-12', [{ sign: '-', from: 10, to: 12 }]],
    [
      '@@ -1,2 +3,4 @@ f',
      [
        { sign: '-', from: 1, to: 2 },
        { sign: '+', from: 3, to: 6 },
      ],
    ],
    [
      '@@ -1 +3 @@',
      [
        { sign: '-', from: 1, to: 1 },
        { sign: '+', from: 3, to: 3 },
      ],
    ],
  ])('%s names lines', (selected, ranges) => expect(parseRanges(selected)).toEqual(ranges));

  test.each(['', '7', '+', '+7-6', '+7 ', ' +7', '+1234567890', '@@ -a +b @@', 'x@@ -1 +1 @@', '@@ -1 +1'])(
    '%j names no lines',
    (selected) =>
      expect(() => parseRanges(selected)).toThrow(
        `Invalid lines: ${JSON.stringify(selected)}; expected the @@ header of a hunk, "+10-12" or "-7"`,
      ),
  );
});

test("git's output is split at its NULs and lines", async () => {
  expect([
    fields(Buffer.from('a\0b\0')),
    fields(Buffer.from('a\0b')),
    fields(Buffer.from('a\0\n')),
    fields(Buffer.from('')),
  ]).toEqual([['a', 'b'], ['a', 'b'], ['a'], []]);
  expect(rows(Buffer.from('\na\0b\0\nc\0\nd\0e'), 2)).toEqual([
    ['\na', 'b'],
    ['c', '\nd'],
  ]);
  const list = pathList(['ls-files'], [1]);
  expect(list).toMatchObject({ args: ['ls-files'], accept: [1], maxBytes: 2 ** 28 });
  expect([list.parse?.(output('a\0')), list.parse?.(output('a\0', 1))]).toEqual([['a'], []]);
  expect(pathList([]).accept).toEqual([]);
  expect([lines(output('a\n\nb\n')), line(output(' a \n')), line(output('a', 1))]).toEqual([
    ['a', 'b'],
    'a',
    undefined,
  ]);
  expect([succeeded(output('')), succeeded(output('', 1))]).toEqual([true, false]);
  expect(commitFields(['%H', '%P'])).toEqual([
    '-z',
    '--format=tformat:%H%x00%P',
    '--date=iso-strict',
    '--no-show-signature',
    '--no-notes',
    '--encoding=UTF-8',
  ]);
});

test.each([
  [utc('2026-01-01T00:00:00+00:00'), '2026-01-01T00:00:00Z'],
  [utc('2026-01-01T00:00:00+00:00x'), '2026-01-01T00:00:00+00:00x'],
  [zonedDate(0, '+0130'), '1970-01-01T01:30:00+01:30'],
  [zonedDate(0, '-0200'), '1969-12-31T22:00:00-02:00'],
  [zonedDate(0, '+0000'), '1970-01-01T00:00:00Z'],
  [zonedDate(0, 'x+0130'), '1970-01-01T00:00:00Z'],
  [zonedDate(0, '+01300'), '1970-01-01T00:00:00Z'],
  [zonedDate(1e20, '+0100'), '100000000000000000000'],
])('%s is the date %s', (date, expected) => expect(date).toBe(expected));

test('a cursor is the number of the next item', () => {
  expect([offsetCursor(5, 6), offsetCursor(6, 6), offsetCursor(7, 6)]).toEqual(['5', undefined, undefined]);
  expect([parseOffset(undefined), parseOffset('0'), parseOffset('999999999')]).toEqual([0, 0, 999_999_999]);
  for (const cursor of ['', 'x1', '1x', '-1', '1234567890']) {
    expect(() => parseOffset(cursor)).toThrow(
      `Invalid cursor: ${JSON.stringify(cursor)}; expected the cursor of the previous page`,
    );
  }
});

test('records are read wherever their bytes are split, until no more are needed', () => {
  const taken: string[] = [];
  const reader = recordReader({
    endOf: (bytes, start) => afterNuls(bytes, start, 2),
    add: (record) => taken.push(record.toString()) < 3,
    result: () => taken.length,
  });
  expect([reader.push(Buffer.from('a')), reader.push(Buffer.from('\0b')), taken]).toEqual([true, true, []]);
  expect([reader.push(Buffer.from('\0c\0d\0e\0')), taken]).toEqual([true, ['a\0b\0', 'c\0d\0']]);
  expect([reader.push(Buffer.from('f\0g\0h\0')), taken]).toEqual([false, ['a\0b\0', 'c\0d\0', 'e\0f\0']]);
  expect(reader.result(output(''))).toBe(3);
  expect([afterNuls(Buffer.from('a\0b'), 0, 1), afterNuls(Buffer.from('a\0b'), 2, 1)]).toEqual([2, -1]);
});

test('a tag object has a name, a target, and who made it', () => {
  const target = '1'.repeat(40);
  const headers = `object ${target}\ntype commit\ntag v1`;
  const none = { name: 'v1', target, tagger: undefined, date: undefined, message: '' };
  const tag = (text: string) => parseTag(Buffer.from(text));
  expect(tag(`${headers}\ntagger Ada <a@b> 0 +0100\n\nFirst\n\ntag v2\n`)).toEqual({
    name: 'v1',
    target,
    tagger: { name: 'Ada', email: 'a@b' },
    date: '1970-01-01T01:00:00+01:00',
    message: 'First\n\ntag v2',
  });
  expect(tag(headers)).toEqual(none);
  expect(tag(`${headers}\n\nobject x`)).toEqual({ ...none, message: 'object x' });
  expect(tag(`${headers}\ntagger <a@b> 0 -0100`)).toEqual({
    ...none,
    tagger: { name: '', email: 'a@b' },
    date: '1969-12-31T23:00:00-01:00',
  });
  for (const tagger of ['Ada', 'Ada <a@b> 0 +01000', 'Ada <a@b> x +0100', 'Ada <a@b> 0 0100'])
    expect(tag(`${headers}\ntagger ${tagger}`)).toEqual(none);
  expect(tag('x')).toEqual({ ...none, name: '', target: '' });
});

test('a pattern has no NUL, no line break and not too many repetitions', () => {
  for (const pattern of ['a\0', 'a\nb'])
    expect(() => checkPattern(pattern, false)).toThrow('Invalid pattern: it contains a NUL or a line break');
  const many = 'Invalid pattern: more than 10000 repetitions in total; use * or +';
  for (const pattern of ['a{10001}', 'a{,10001}', 'a{1,10001}', '(a{101}){100}', '(a{0}){10001}'])
    expect(() => checkPattern(pattern, true)).toThrow(many);
  for (const pattern of ['a{10000}', 'a{100}b{100}', 'a{20000', 'a20000}', '{}'])
    expect(checkPattern(pattern, true)).toBe(undefined);
  expect(checkPattern('a{10001}', false)).toBe(undefined);
  expect(() => checkText('a\0')).toThrow('Invalid text: it contains a NUL');
  expect([checkText('a'), checkText(undefined)]).toEqual(['a', undefined]);
});

const nul = (...all: string[]) => Buffer.from(all.map((field) => `${field}\0`).join(''));
const zeros = '0'.repeat(40);

test('a status has each kind of change', () => {
  const one = (sides: string, modes = '100644 100644 100644', sub = 'N...') =>
    `1 ${sides} ${sub} ${modes} ${zeros} ${zeros} f`;
  const sides = ['AM', 'DT', 'RC', '.M', 'M.', 'XX'];
  expect(parseStatus(nul(...sides.map((each) => one(each)))).entries).toEqual([
    { path: 'f', staged: 'added', unstaged: 'modified' },
    { path: 'f', staged: 'deleted', unstaged: 'type-changed' },
    { path: 'f', staged: 'renamed', unstaged: 'copied' },
    { path: 'f', unstaged: 'modified' },
    { path: 'f', staged: 'modified' },
    { path: 'f' },
  ]);
  expect(
    parseStatus(
      nul(
        '# branch.oid (initial)',
        '# branch.head (detached)',
        '# other x',
        'x unknown',
        one('M.', '000000 100644 100755'),
        one('M.', '000000 100644 100644'),
        one('M.', '160000 160000 160000', 'SC..'),
        `2 R. N... 100644 100644 100644 ${zeros} ${zeros} R100 a b`,
        'c',
        '? d',
      ),
    ),
  ).toEqual({
    branch: {},
    stashes: 0,
    ignored: [],
    entries: [
      { path: 'f', staged: 'modified', modes: '100644 → 100755' },
      { path: 'f', staged: 'modified' },
      { path: 'f', staged: 'modified', submodule: true },
      { path: 'a b', staged: 'renamed', from: 'c' },
      { path: 'd', untracked: true },
    ],
  });
});

test('a blame has a hunk for each run of lines of one commit', () => {
  const [a, b] = ['a'.repeat(40), 'b'.repeat(64)];
  const text = [
    'author Nobody',
    `${a} 1 1 1`,
    'author A',
    'author-mail <a@b>',
    'author-time 60',
    'author-tz +0000',
    'summary One <1>',
    'boundary',
    '\tx',
    `${b} 1 2 1`,
    'author-tz -0100',
    'author',
    '\ty',
    `${a} 2 3 2`,
    '\t\tz',
    `${a} 3 4`,
    '\t',
    `${a} 9 6`,
    '\tw',
    `x${a} 9 9`,
    `${a} 9 9 x`,
    '',
  ].join('\n');
  const one = {
    hash: a,
    author: 'A',
    email: 'a@b',
    date: '1970-01-01T00:01:00Z',
    subject: 'One <1>',
    boundary: true,
  };
  expect(parseBlame(Buffer.from(text))).toEqual([
    { ...one, line: 1, lines: ['x'] },
    { hash: b, author: '', email: '', date: '1969-12-31T23:01:00-01:00', subject: '', line: 2, lines: ['y'] },
    { ...one, line: 3, lines: ['\tz', ''] },
    { ...one, line: 6, lines: ['w'] },
  ]);
  const { refusals = [], args } = blame({ path: 'p', range: '1,2' });
  expect(args).toEqual(['blame', '--porcelain', '--no-textconv', '--encoding=UTF-8', '-L1,2', '--', 'p']);
  expect(refusals[0]).toEqual([
    /no such path/,
    { kind: 'file', name: 'p', revision: undefined, message: 'No such file in "HEAD": "p"' },
  ]);
  expect(refusals.slice(1)).toEqual(lineRefusals);
});

test('matches end at the maximum, without the files that are skipped', () => {
  const long = 'x'.repeat(501);
  const found = (max: number, prefix = 0) => {
    const reader = grepReader(prefix, max, (path) => path.equals(Buffer.from('skipped')));
    const more = reader.push(
      Buffer.from(`a\x001\0${long.slice(1)}\nskipped\x002\0y\nb\x003\0${long}\nc\x004`),
    );
    return [more, reader.result(output(''))] as const;
  };
  const [first, second] = [
    { path: 'a', line: 1, text: long.slice(1) },
    { path: 'b', line: 3, text: `${long.slice(1)}…` },
  ];
  expect(found(2)).toEqual([true, { matches: [first, second], more: false }]);
  expect(found(1)).toEqual([false, { matches: [first], more: true }]);
  expect(found(2, 1)[1].matches[0]).toEqual({ ...first, path: '' });
});

test('a ref has the commit that a tag points to, and a date in UTC as Z', () => {
  const row = (name: string) => [name, 'a', '', 'commit', ' ', '', '', '2026-01-01T00:00:00+00:00', 's'];
  const names = ['refs/heads/a', 'refs/tags/a', 'refs/remotes/o/a', 'refs/stash', 'x/refs/heads/a'];
  const refs = parseRefs(Buffer.from(names.map((name) => `${row(name).join('\0')}\0\n`).join('')));
  expect(refs.map(({ name }) => name)).toEqual(['a', 'a', 'o/a', 'refs/stash', 'x/refs/heads/a']);
  expect(refs[0]).toEqual({
    name: 'a',
    full: 'refs/heads/a',
    hash: 'a',
    current: false,
    date: '2026-01-01T00:00:00Z',
    subject: 's',
  });
});
