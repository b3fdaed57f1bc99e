import { expect, test } from 'vitest';
import { answerOf } from '../../view/model/answer.ts';
import { cellOf, hexLines, shortText } from '../../view/model/cell.ts';
import { durationText, factsText } from '../../view/model/facts.ts';
import { sameValue, sortAfter, typedFilter } from '../../view/model/filters.ts';
import { statementsOf, writeArguments, writeFactsOf } from '../../view/model/write.ts';

test.each([
  [null, 'null', 'NULL'],
  [1, 'integer', '1'],
  [0.1, 'real', '0.1'],
  [{ $int: '9223372036854775807' }, 'integer', '9223372036854775807'],
  [{ $real: '1.0' }, 'real', '1.0'],
  [{ $real: 'Infinity' }, 'real', 'Infinity'],
  ['', 'text', ''],
  ['NULL', 'text', 'NULL'],
  ['a\nb\u202e\t', 'text', 'a↵b\\u{202e}\\t'],
  [{ $blob: 'AP8=', bytes: 2 }, 'blob', 'BLOB, 2 bytes'],
  [{ $blob: '*', bytes: 1 }, 'blob', 'BLOB, 1 byte'],
  [{ $text: 'ff' }, 'text', 'not UTF-8, 1 byte'],
  [{ $cut: '00', bytes: 3_000, type: 'blob' }, 'blob', 'BLOB, 3,000 bytes'],
  [{ $cut: 'x', bytes: 3_000, type: 'text' }, 'text', 'x'],
  [{ unknown: '<b>' }, 'text', '{"unknown":"<b>"}'],
  [true, 'text', 'true'],
] as const)('%j is shown as %s: %s', (value, kind, text) => {
  const cell = cellOf(value);
  expect([cell.kind, shortText(cell)]).toEqual([kind, text]);
});

test('bytes are lines of sixteen', () => {
  const lines = hexLines('41'.repeat(17) + '0aff', 2);
  expect(lines).toEqual([
    '000000  41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41  AAAAAAAAAAAAAAAA',
    `000010  41 0a ff${' '.repeat(41)}A..`,
  ]);
  expect(hexLines('00'.repeat(40), 2)).toHaveLength(3);
});

test('an answer that is none is refused, and its values are read', () => {
  expect(() => answerOf({ rows: [] })).toThrow('The server returned no rows');
  const { columns, rows, hasMore } = answerOf({
    columns: [{ name: 'a\u0000' }, 7],
    rows: [[1, 'b'], 'x'],
    truncated: true,
    nextCursor: 'c',
  });
  expect(columns.map(({ name }) => name)).toEqual(['a\\u{0}', '']);
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual([['1', 'b'], []]);
  expect(hasMore).toBe(true);
});

const columns = [{ name: 'n', type: '' }];
test.each([
  ['7', true, '=', { $int: '7' }],
  [' 9223372036854775807 ', true, '<', { $int: '9223372036854775807' }],
  ['-.5e3', true, '>', { $real: '-.5e3' }],
  ['seven', true, '=', 'seven'],
  ['7', false, '=', '7'],
  ['7', true, 'contains', '7'],
] as const)('%j among numbers (%s) is a value of %s', (typed, isNumeric, operator, value) => {
  expect(typedFilter(columns, { column: 0, operator, typed, isNumeric }).value).toEqual(value);
});

test('a filter says what it is, and a value is taken as it is', () => {
  const typed = { column: 0, typed: '', isNumeric: true } as const;
  expect(typedFilter(columns, { ...typed, operator: 'not null' }).text).toBe('n is not NULL');
  expect(typedFilter(columns, { ...typed, operator: '=' }).text).toBe('n is ""');
  expect(sameValue(columns, 0, cellOf(null), 'NULL')).toMatchObject({ operator: 'null' });
  expect(sameValue(columns, 0, cellOf({ $int: '1' }), '1')).toMatchObject({
    operator: '=',
    value: { $int: '1' },
  });
});

test('a column is sorted up, down, and not', () => {
  const up = sortAfter(undefined, 2);
  const down = sortAfter(up, 2);
  expect([up, down, sortAfter(down, 2), sortAfter(down, 1)]).toEqual([
    { column: 2, descending: false },
    { column: 2, descending: true },
    undefined,
    { column: 1, descending: false },
  ]);
});

test('the facts of a result', () => {
  const result = {
    columns: [1],
    filters: [],
    count: 1_234,
    total: 1_234,
    unfiltered: 1_234,
    isCut: false,
    isBusy: false,
    elapsedMs: 3.21,
    note: '',
  };
  expect(factsText(result)).toEqual(['1,234 rows', '1 column', '3.2 ms']);
  const filters = [{ column: 0, operator: '=', text: '' }] as const;
  expect(factsText({ ...result, filters, total: 1 })[0]).toBe('1 of 1,234 rows');
  expect(factsText({ ...result, total: undefined, count: 400 })[0]).toBe('more than 200 rows');
  expect(factsText({ ...result, elapsedMs: undefined, isBusy: true })).toEqual(['Running the query …']);
  expect([durationText(12.6), durationText(1_449)]).toEqual(['13 ms', '1.4 s']);
});

test('the facts of a write, and the statements of a call', () => {
  expect(writeFactsOf({}, {})).toBeUndefined();
  const facts = writeFactsOf(
    { dryRun: false, results: [{ changes: 1, totalChanges: 2 }], undo: ['DELETE', 7], shortened: true },
    { 'io.github.mcp-reference/confirmed': 'Sure?\u202e' },
  );
  expect(facts).toMatchObject({
    undo: ['DELETE'],
    isWhole: false,
    isFinal: false,
    confirmed: 'Sure?\\u{202e}',
  });
  expect(statementsOf({ query: 'A', more: ['B', { sql: 'C' }, 7] })).toEqual(['A', 'B', 'C']);
  expect(statementsOf({ statements: ['A', { sql: 'B' }] })).toEqual(['A', 'B']);
  expect(writeArguments(['A', 'B'], 'shop')).toEqual({ sql: 'A', more: ['B'], database: 'shop' });
});
