import { chartOf, nearestPoint } from '@mcp/views/model';
import { describe, expect, test } from 'vitest';
import { cellOf } from '../../view/model/cell.ts';
import { firstPair, pairsOf } from '../../view/model/chart.ts';
import { diagramOf } from '../../view/model/diagram.ts';
import { columnsIn, edgesOf, placeAfter, rowsIn } from '../../view/model/grid-window.ts';
import { schemaOf, selectFrom } from '../../view/model/schema.ts';

describe('the window of a grid', () => {
  test('has the visible rows and some more', () => {
    expect(rowsIn(0, 280, 100_000)).toEqual([0, 16]);
    expect(rowsIn(28_000, 280, 100_000)).toEqual([994, 1_016]);
    expect(rowsIn(28_000, 280, 5)).toEqual([5, 5]);
  });

  test('has the visible columns', () => {
    const edges = [0, 100, 250, 300];
    expect([columnsIn(edges, 0, 100), columnsIn(edges, 120, 100), columnsIn(edges, 100, 900)]).toEqual([
      [0, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(columnsIn([0], 0, 100)).toEqual([0, 0]);
  });

  test('columns are as wide as their values, within bounds, and fill the width', () => {
    const columns = ['id', 'text'].map((name) => ({ name, type: '' }));
    const rows = [[cellOf(1), cellOf('x'.repeat(500))]];
    const widthOf = (text: string) => text.length * 8;
    expect(edgesOf(columns, rows, { available: 0, widthOf })).toEqual([0, 64, 128]);
    expect(edgesOf(columns, rows, { available: 900, widthOf })).toEqual([0, 313, 900]);
  });

  test.each([
    ['ArrowUp', {}, [-1, 1]],
    ['ArrowLeft', {}, [0, 0]],
    ['PageDown', {}, [9, 1]],
    ['PageUp', {}, [0, 1]],
    ['End', {}, [0, 2]],
    ['End', { ctrlKey: true }, [9, 2]],
    ['Home', { metaKey: true }, [0, 0]],
    ['a', {}, undefined],
    ['toString', {}, undefined],
  ] as const)('%s leads on', (key, held, expected) => {
    const event = { key, ctrlKey: false, metaKey: false, ...held };
    const place = placeAfter(event, { row: 0, column: 1 }, { rows: 10, columns: 3, page: 12 });
    expect(place && [place.row, place.column]).toEqual(expected);
  });
});

describe('a chart', () => {
  const pairs = (...rows: readonly (readonly [unknown, unknown])[]) =>
    pairsOf(rows.map((row) => row.map(cellOf)));

  test('has bars over other values than numbers, from zero on', () => {
    const chart = chartOf(pairs(['a', 10], ['b', -5], [null, 1], ['c', 'none']), 600)!;
    expect(chart.bars).toHaveLength(3);
    expect(chart.bars[0]!.y + chart.bars[0]!.height).toBeCloseTo(chart.bars[1]!.y, 0);
    expect(chart.points.map(({ texts }) => texts)).toEqual([
      ['a', '10'],
      ['b', '-5'],
      ['NULL', '1'],
    ]);
    expect([chart.line, chart.dots]).toEqual(['', false]);
  });

  test('has a line over times in order, and dots over others', () => {
    const days = chartOf(pairs(['2026-01-01', 1], ['2026-01-02', 2], ['2026-02-01', 3]), 600)!;
    expect(days.line).toMatch(/^M56 [\d.]+L/);
    const [first, second, third] = days.points.map(({ x }) => x) as [number, number, number];
    expect((third - first) / (second - first)).toBeCloseTo(31, 0);
    const dots = chartOf(pairs([2, 1], [1, 2]), 600)!;
    expect([dots.line, dots.dots]).toEqual(['', true]);
    expect(nearestPoint(dots, 60)).toBe(1);
  });

  test('has finite numbers for extreme values, and is none without numbers', () => {
    const extreme = pairs(
      [{ $int: '9223372036854775807' }, { $real: 'Infinity' }],
      [1, 1e308],
      [1, -1e308],
      [1, 5],
    );
    expect(JSON.stringify(chartOf(extreme, 600))).not.toMatch(/null|NaN|Infinity/);
    expect(JSON.stringify(chartOf(pairs([1, 1]), 10))).not.toMatch(/null|NaN|Infinity/);
    expect(chartOf(pairs(['a', 'b']), 600)).toBeUndefined();
  });

  test('begins with a text and a number that is no key', () => {
    expect([
      firstPair([true, false, true]),
      firstPair([true, true]),
      firstPair([false]),
      firstPair([true]),
    ]).toEqual([
      [1, 2],
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
  });
});

describe('a diagram', () => {
  const table = (name: string, ...to: string[]) => ({
    name,
    kind: 'table',
    columns: 1 + to.length,
    details: [{ name: 'id', primaryKey: 1 }, ...to.map((parent) => ({ name: `${parent}_id` }))],
    foreignKeys: to.map((parent) => ({ columns: [`${parent}_id`], table: parent, to: [] })),
  });
  const diagram = (...tables: readonly object[]) => diagramOf(schemaOf({ tables }).tables, 700);

  test('places a table to the right of those that it references', () => {
    const { boxes, edges } = diagram(table('c', 'b', 'a'), table('b', 'a'), table('a'), table('alone'));
    const x = Object.fromEntries(boxes.map((box) => [box.table.name, box.x]));
    expect([x['a']! < x['b']!, x['b']! < x['c']!, edges.length]).toEqual([true, true, 3]);
    for (const one of boxes)
      for (const other of boxes)
        if (one !== other && one.x === other.x)
          expect(one.y + one.height <= other.y || other.y + other.height <= one.y).toBe(true);
  });

  test('draws cycles, references to itself, and to missing tables', () => {
    const { boxes, edges } = diagram(table('a', 'b'), table('b', 'a'), table('c', 'c', 'gone'));
    expect([boxes.length, edges.length]).toEqual([3, 2]);
    expect(JSON.stringify(edges)).not.toContain('NaN');
    expect(diagram()).toMatchObject({ boxes: [], width: expect.any(Number) });
  });

  test('reads any value, and counts what it does not show', () => {
    const details = Array.from({ length: 150 }, (_, index) => ({ name: `c${index}`, hidden: index === 0 }));
    const [wide] = schemaOf({ tables: [{ name: 'w', columns: 150, details }, 7] }).tables;
    expect([wide!.columns.length, wide!.moreColumns]).toEqual([99, 50]);
    expect(schemaOf(null)).toEqual({ database: '', tables: [], total: 0 });
    expect(selectFrom('a"b')).toBe('SELECT * FROM "a""b"');
  });
});
