import { expect, test, vi } from 'vitest';
import { documentKindOf, DocumentReader } from '../src/index.ts';
import { excel, paragraphs, pdf, report } from './samples.ts';

// Each document has its own process, whose start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const reader = new DocumentReader();

test('the pages of a PDF file', async () => {
  const file = await pdf([['First page', 'of a report'], ['Second'], ['Third']]);
  expect(await reader.read(file, 'a.pdf')).toEqual({
    text: '[Page 1]\nFirst page\nof a report\n\n[Page 2]\nSecond\n\n[Page 3]\nThird',
    part: 'Pages 1 to 3 of 3',
  });
  expect(await reader.read(file, 'A.PDF', { pages: '2' })).toEqual({
    text: '[Page 2]\nSecond',
    part: 'Page 2 of 3',
  });
  expect((await reader.read(file, 'a.pdf', { pages: '2-' })).part).toBe('Pages 2 to 3 of 3');
  expect((await reader.read(file, 'a.pdf', { pages: '1-2' })).part).toBe('Pages 1 to 2 of 3');
  expect((await reader.read(file, 'a.pdf', { pages: '2-99' })).part).toBe('Pages 2 to 3 of 3');
});

test('a long PDF file page by page, a long page by lines', async () => {
  const page = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}`);
  const file = await pdf([['Short'], page, ['Last']]);
  const first = await reader.read(file, 'a.pdf', { maxCharacters: 100 });
  expect(first).toEqual({ text: '[Page 1]\nShort', part: 'Page 1 of 3', next: { pages: '2-3' } });
  const texts: string[] = [];
  let next = first.next;
  while (next) {
    const found = await reader.read(file, 'a.pdf', { ...next, maxCharacters: 100 });
    expect(found.text.length).toBeLessThanOrEqual(100);
    texts.push(found.text);
    ({ next } = found);
  }
  expect(texts.join('\n')).toBe(['[Page 2]', ...page, '[Page 3]', 'Last'].join('\n'));
  expect(await reader.read(file, 'a.pdf', { pages: '2', offset: 40, limit: 1 })).toEqual({
    text: 'Line 39',
    part: 'Lines 40 to 40 of page 2 of 3',
    next: { pages: '2-2', offset: 41, limit: 1 },
  });
});

test('a Word file in the manner of Markdown, by lines', async () => {
  const file = await report();
  expect(await reader.read(file, 'a.docx')).toEqual({
    text: `# Report

## Prices
They are low[^1]
.
- first
  - inside
| Name | Price |
| Widget | 9.99 |
[Source](https://example.com/)

[^1]: In euros.`,
    part: 'Lines 1 to 12 of 12',
  });
  expect(await reader.read(file, 'a.docx', { offset: 3, limit: 2 })).toEqual({
    text: '## Prices\nThey are low[^1]',
    part: 'Lines 3 to 4 of 12',
    next: { offset: 5, limit: 2 },
  });
  const long = await paragraphs(`${'word '.repeat(1000)}end`, 'x'.repeat(5000));
  const { text, part } = await reader.read(long, 'a.docx');
  expect(part).toBe('Lines 1 to 6 of 6');
  expect(text.split('\n').map(({ length }) => length)).toEqual([1999, 1999, 1003, 2000, 2000, 1000]);
});

test('the rows of a sheet of an Excel file', async () => {
  const file = await excel({
    Hidden: [['secret']],
    Products: [
      ['Name', 'Price', 'Since', 'At', 'Sum', 'Free', 'Rich', 'None'],
      [
        'Widget\tand\nmore',
        9.99,
        new Date('2026-01-02'),
        new Date('2026-01-02T03:04:05Z'),
        { formula: 'B2*2', result: 19.98 },
        true,
        { richText: [{ text: 'a' }, { text: 'b' }] },
        null,
      ],
      [],
      [null, { error: '#DIV/0!' }, { text: 'link', hyperlink: 'https://example.com/' }],
    ],
    'Sheet "3"': [],
  });
  expect(await reader.read(file, 'a.xlsx')).toEqual({
    text: [
      ['1', 'Name', 'Price', 'Since', 'At', 'Sum', 'Free', 'Rich', 'None'],
      ['2', 'Widget and more', '9.99', '2026-01-02', '2026-01-02T03:04:05', '19.98', 'true', 'ab'],
      ['4', '', '#DIV/0!', 'link'],
    ]
      .map((cells) => cells.join('\t'))
      .join('\n'),
    part: 'Sheet "Products", rows 1 to 4 of 4; other sheets: "Hidden" (hidden), "Sheet \\"3\\""',
  });
  expect((await reader.read(file, 'a.xlsx', { sheet: 'hidden' })).text).toBe('1\tsecret');
  expect(await reader.read(file, 'a.xlsx', { sheet: 'Sheet "3"' })).toEqual({
    text: '',
    part: 'Sheet "Sheet \\"3\\"", no rows of 0; other sheets: "Hidden" (hidden), "Products"',
  });
});

test('many rows by ranges', async () => {
  const file = await excel({ Many: Array.from({ length: 30 }, (_, index) => [index, 'text']) });
  expect(await reader.read(file, 'a.xlsx', { rows: '10-11' })).toEqual({
    text: '10\t9\ttext\n11\t10\ttext',
    part: 'Sheet "Many", rows 10 to 11 of 30',
  });
  expect(await reader.read(file, 'a.xlsx', { rows: '29-', maxCharacters: 12 })).toEqual({
    text: '29\t28\ttext',
    part: 'Sheet "Many", rows 29 to 29 of 30',
    next: { sheet: 'Many', rows: '30-' },
  });
  const wide = await excel({ Wide: [Array.from({ length: 100 }, () => 'text')] });
  expect((await reader.read(wide, 'a.xlsx', { maxCharacters: 60 })).text).toBe(
    '1\ttext\ttext\ttext\ttext\tt… (row of 100 cells, 501 characters)',
  );
});

test.each([
  [
    'a.pdf',
    { pages: 'x' },
    '"a.pdf" has no pages "x"; expected a number or a range, for example 3, 3-5 or 3- (to the end)',
  ],
  [
    'a.pdf',
    { pages: '0' },
    '"a.pdf" has no pages "0"; expected a number or a range, for example 3, 3-5 or 3- (to the end)',
  ],
  [
    'a.pdf',
    { pages: '3-2' },
    '"a.pdf" has no pages "3-2"; expected a number or a range, for example 3, 3-5 or 3- (to the end)',
  ],
  ['a.pdf', { pages: '2' }, '"a.pdf" has 1 page; there is no page 2'],
  ['a.pdf', { offset: 9 }, '"a.pdf" has 2 lines in these pages; there is no line 9'],
  ['a.pdf', { sheet: 'A' }, 'Only an Excel file has sheets and rows'],
  ['a.docx', { pages: '1' }, 'Only a PDF file has pages'],
  ['a.docx', { offset: 9 }, '"a.docx" has 1 line; there is no line 9'],
  ['a.xlsx', { offset: 9 }, 'An Excel file is read by sheet and rows, not by offset and limit'],
  ['a.xlsx', { rows: '9' }, '"a.xlsx" has 1 row in the sheet "A"; there is no row 9'],
  ['a.xlsx', { sheet: 'B' }, '"a.xlsx" has no sheet "B"; its sheets are "A"'],
])('%s with %j is an error', async (name, request, message) => {
  const files = {
    pdf: () => pdf([['text']]),
    docx: () => paragraphs('text'),
    xlsx: () => excel({ A: [['text']] }),
  };
  await expect(reader.read(await files[documentKindOf(name)!](), name, request)).rejects.toThrow(message);
});

test('the kind of a document follows from its name', () => {
  expect(['a.pdf', 'a.b.DOCX', 'dir/a.xlsx', 'a.doc', 'pdf', '.toString', ''].map(documentKindOf)).toEqual([
    'pdf',
    'docx',
    'xlsx',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
