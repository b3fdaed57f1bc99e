import { deflateRawSync, deflateSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TemporaryDirectory } from '@mcp/test-kit';
import { DocumentError, DocumentReader } from '../src/index.ts';
import { changed, excel, paragraphs, pdf } from './samples.ts';

// Each document has its own process, whose start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const mebibyte = 1024 * 1024;
const reader = new DocumentReader();
const files = {} as Record<'pdf' | 'docx' | 'xlsx', Buffer>;

beforeAll(async () => {
  files.pdf = await pdf([['Text']]);
  files.docx = await paragraphs('Text');
  files.xlsx = await excel({ A: [['Text']] });
});

/** A PDF file of these objects, the first of which is the catalogue. */
function rawPdf(...objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = Buffer.concat(parts).length;
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function stream(data: Buffer, dictionary: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>';
const content = stream(Buffer.from('BT /F 12 Tf (Text) Tj ET'), '');

describe('content that is not what the name says', () => {
  const cases: readonly (readonly [name: string, bytes: () => Uint8Array, message: string])[] = [
    ['a.pdf', () => Buffer.alloc(0), '"a.pdf" is empty'],
    ['a.pdf', () => Buffer.from('text'), '"a.pdf" is not a PDF file'],
    ['a.docx', () => Buffer.from('text'), '"a.docx" is not a Word file (.docx)'],
    ['a.xlsx', () => Buffer.alloc(100_000, 7), '"a.xlsx" is not an Excel file (.xlsx)'],
    ['a.pdf', () => files.docx, '"a.pdf" is a Word file (.docx), not a PDF file; rename it to .docx'],
    [
      'a.docx',
      () => files.xlsx,
      '"a.docx" is an Excel file (.xlsx), not a Word file (.docx); rename it to .xlsx',
    ],
    ['a.xlsx', () => files.pdf, '"a.xlsx" is a PDF file, not an Excel file (.xlsx); rename it to .pdf'],
    [
      'a.docx',
      () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]),
      '"a.docx" is of the format before 2007, not a Word file (.docx); save it as .docx or .xlsx',
    ],
    ['a.xls', () => files.xlsx, '"a.xls" is an Excel file of the format before 2007; save it as .xlsx'],
    ['a.doc', () => files.docx, '"a.doc" is a Word file of the format before 2007; save it as .docx'],
    ['a.xlsm', () => files.xlsx, '"a.xlsm" is an Excel file with macros; save it as .xlsx, without them'],
    ['a.docm', () => files.docx, '"a.docm" is a Word file with macros; save it as .docx, without them'],
    ['a.txt', () => files.docx, '"a.txt" is not a PDF, Word (.docx) or Excel (.xlsx) file'],
  ];
  test.each(cases)('%s', async (name, bytes, message) => {
    const error = await reader.read(bytes(), name).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DocumentError);
    expect(error).toMatchObject({ message });
  });
});

test('a file with macros', async () => {
  const xlsx = await changed(files.xlsx, { 'xl/vbaProject.bin': 'Sub Auto_Open()' });
  await expect(reader.read(xlsx, 'a.xlsx')).rejects.toThrow('"a.xlsx" has macros; save it without them');
  const docx = await changed(files.docx, { 'word/vbaProject.bin': 'Sub AutoOpen()' });
  await expect(reader.read(docx, 'a.docx')).rejects.toThrow('"a.docx" has macros; save it without them');
});

test('encrypted files', async () => {
  const locked = await pdf([['Secret']], { userPassword: 'open', ownerPassword: 'own', pdfVersion: '1.7' });
  await expect(reader.read(locked, 'a.pdf')).rejects.toThrow(
    '"a.pdf" is encrypted; save it without a password',
  );
  const restricted = await pdf([['Public']], { ownerPassword: 'own', permissions: { copying: false } });
  expect((await reader.read(restricted, 'a.pdf')).text).toBe('[Page 1]\nPublic');
  const xlsx = await writeXlsx({
    sheets: [{ name: 'A', rows: [['Secret']] }],
    encryption: { password: 'open', spinCount: 1000 },
  });
  await expect(reader.read(xlsx, 'a.xlsx')).rejects.toThrow(
    '"a.xlsx" is encrypted; save it without a password',
  );
  await expect(reader.read(xlsx, 'a.docx')).rejects.toThrow(
    '"a.docx" is encrypted; save it without a password',
  );
});

test('damaged files', async () => {
  for (const kind of ['pdf', 'docx', 'xlsx'] as const) {
    for (const part of [0.1, 0.5, 0.9]) {
      const truncated = files[kind].subarray(0, files[kind].length * part);
      const result = await reader.read(truncated, `a.${kind}`).catch((error: unknown) => error);
      // A PDF file is repaired where its pages are complete.
      if (kind === 'pdf' && !(result instanceof Error)) continue;
      expect(result, `${kind} ${part}`).toBeInstanceOf(DocumentError);
      expect(String(result), `${kind} ${part}`).toMatch(/"a\.\w+" is damaged/);
    }
  }
  const broken = await changed(files.docx, { 'word/document.xml': '<w:document><' });
  await expect(reader.read(broken, 'a.docx')).rejects.toThrow('"a.docx" is damaged');
  const sheet = await changed(files.xlsx, { 'xl/worksheets/sheet1.xml': undefined });
  await expect(reader.read(sheet, 'a.xlsx')).rejects.toThrow('"a.xlsx" is damaged');
});

test('external entities and entities in entities', async () => {
  using directory = new TemporaryDirectory('documents');
  const secret = directory.put('secret.txt', 'TOP-SECRET');
  const laughs = Array.from(
    { length: 12 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('');
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}<!ENTITY e SYSTEM "file://${secret}">]>`;
  const inject = (xml: string) =>
    xml.replace(/(<\?xml[^>]*\?>)?/, `$1${doctype}`).replace('Text', 'Text &e; &l12;');
  const docx = await changed(files.docx, { 'word/document.xml': inject });
  const xlsx = await changed(files.xlsx, { 'xl/sharedStrings.xml': inject });
  for (const [name, bytes] of [
    ['a.docx', docx],
    ['a.xlsx', xlsx],
  ] as const) {
    const result = await reader.read(bytes, name).catch((error: unknown) => error);
    const shown = result instanceof DocumentError ? result.message : JSON.stringify(result);
    expect(shown).not.toContain('TOP-SECRET');
    expect(shown.length).toBeLessThan(10_000);
  }
});

test('a zip bomb that says its size', async () => {
  const small = new DocumentReader({ maxExpanded: mebibyte });
  const docx = await changed(files.docx, { 'word/media/bomb.bin': 'a'.repeat(2 * mebibyte) });
  await expect(small.read(docx, 'a.docx')).rejects.toThrow(
    /^"a\.docx" expands to \d+ bytes; the maximum is 1048576$/,
  );
});

test('a zip bomb that hides its size', async () => {
  const limited = new DocumentReader({ maxMemory: 192 * mebibyte });
  const xml = `<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${' '.repeat(300 * mebibyte)}</t></si></sst>`;
  const bomb = zip({ 'xl/workbook.xml': '<workbook/>', 'word/document.xml': xml }, 100);
  await expect(limited.read(bomb, 'a.docx')).rejects.toThrow(
    /^"a\.docx" (?:needs more than 192 MiB of memory to read|is damaged)/,
  );
});

test('many entries', async () => {
  const entries = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}`, '']));
  await expect(reader.read(zip(entries), 'a.docx')).rejects.toThrow(
    '"a.docx" has 10001 entries in its ZIP archive; the maximum is 10000',
  );
});

test('a cell in the last corner of a sheet', async () => {
  const corner = await excel({ A: [['first']] });
  const far = await changed(corner, {
    'xl/worksheets/sheet1.xml': (xml) =>
      xml.replace('</sheetData>', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
  });
  const { text, part } = await reader.read(far, 'a.xlsx');
  expect(text.split('\n').map((line) => line.length)).toEqual([7, 16_392]);
  expect(part).toBe('Sheet "A", rows 1 to 1048576 of 1048576');
});

test('10,000 pages', async () => {
  const file = await pdf(Array.from({ length: 10_000 }, (_, index) => [`Number ${index + 1}`]));
  expect(await reader.read(file, 'a.pdf', { pages: '9999-' })).toEqual({
    text: '[Page 9999]\nNumber 9999\n\n[Page 10000]\nNumber 10000',
    part: 'Pages 9999 to 10000 of 10000',
  });
  const { part, next } = await reader.read(file, 'a.pdf', { maxCharacters: 2_000 });
  expect({ part, next }).toEqual({ part: 'Pages 1 to 96 of 10000', next: { pages: '97-10000' } });
});

test('a PDF file that runs a script, and one whose pages are in a circle', async () => {
  const pages = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
  const script = rawPdf(
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while(true);)>>>>',
    pages,
    page,
    content,
    font,
  );
  expect(await reader.read(script, 'a.pdf')).toEqual({ text: '[Page 1]\nText', part: 'Page 1 of 1' });
  const circle = rawPdf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1000000000>>');
  await expect(reader.read(circle, 'a.pdf')).rejects.toThrow('"a.pdf" is damaged');
});

test('a PDF file whose page expands to 512 MiB', async () => {
  const limited = new DocumentReader({ maxMemory: 256 * mebibyte });
  const spaces = deflateSync(
    Buffer.concat([Buffer.from('BT /F 12 Tf (Text) Tj'), Buffer.alloc(512 * mebibyte, ' ')]),
    { level: 1 },
  );
  const bomb = rawPdf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    page,
    stream(spaces, '/Filter/FlateDecode'),
    font,
  );
  await expect(limited.read(bomb, 'a.pdf')).rejects.toThrow(
    '"a.pdf" needs more than 256 MiB of memory to read',
  );
});

test('bounds of size and time, and a signal', async () => {
  await expect(new DocumentReader({ maxBytes: 10 }).read(files.pdf, 'a.pdf')).rejects.toThrow(
    /^"a\.pdf" has \d+ bytes; the maximum is 10$/,
  );
  await expect(new DocumentReader({ timeoutMs: 1 }).read(files.pdf, 'a.pdf')).rejects.toThrow(
    '"a.pdf" takes more than 1 ms to read',
  );
  const controller = new AbortController();
  const reason = new Error('Not needed');
  const read = reader.read(files.pdf, 'a.pdf', {}, controller.signal);
  setImmediate(() => controller.abort(reason));
  await expect(read).rejects.toBe(reason);
  await expect(reader.read(files.pdf, 'a.pdf', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect((await reader.read(files.pdf, 'a.pdf')).text).toBe('[Page 1]\nText');
});

/** A zip file of entries whose sizes are the real ones, or the one that is given. */
function zip(entries: Readonly<Record<string, string>>, size?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = deflateRawSync(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? text.length, 18);
    common.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(offset, 12);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    directory.push(
      Buffer.from('PK\x01\x02\x14\0', 'latin1'),
      common,
      central.subarray(0, 16),
      Buffer.from(name),
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
