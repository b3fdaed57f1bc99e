import * as documents from '@mcp/documents';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { excel, pdf, report } from '../../../../../packages/documents/test/samples.ts';
import { Workspace } from '../../workspace.ts';

// Each document has its own process, whose start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let workspace: Workspace;
let client: Client;

beforeEach(async () => {
  workspace = new Workspace({
    'a.pdf': await pdf([['First'], ['Second'], ['Third']]),
    'a.docx': await report(),
    'a.xlsx': await excel({
      Products: [
        ['Name', 'Price'],
        ['Widget', 9.99],
      ],
      Shops: [['Bern']],
    }),
    'bad.pdf': Uint8Array.of(0, 1, 2),
    'a.txt': 'text\n',
  });
  client = await workspace.connect({ optional: { documents: () => documents } });
});

afterEach(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

const read = (args: Record<string, unknown>) => workspace.say(client, 'read_text_file', args);

test('PDF, Word and Excel files are read as text', async () => {
  expect(await read({ path: 'a.pdf', pages: '2-3' })).toEqual([
    '[Page 2]\nSecond\n\n[Page 3]\nThird',
    'Pages 2 to 3 of 3',
  ]);
  expect(await read({ path: 'a.docx', offset: 3, limit: 1 })).toEqual([
    '## Prices',
    'Lines 3 to 3 of 12; continue with offset 4, limit 1',
  ]);
  expect(await read({ path: 'a.docx', head: 1 })).toEqual([
    '# Report',
    'Lines 1 to 1 of 12; continue with offset 2, limit 1',
  ]);
  expect(await read({ path: 'a.xlsx', rows: '2' })).toEqual([
    '2\tWidget\t9.99',
    'Sheet "Products", rows 2 to 2 of 2; other sheets: "Shops"',
  ]);
  const [text, part, hash] = await read({ path: 'a.xlsx', sheet: 'Shops', hash: true });
  expect([text, part]).toEqual(['1\tBern', 'Sheet "Shops", rows 1 to 1 of 1; other sheets: "Products"']);
  expect(hash).toMatch(/^SHA-256: [0-9a-f]{64}$/);
});

test('other files are read as before', async () => {
  expect(await read({ path: 'a.txt' })).toEqual(['text\n']);
  expect(await read({ path: 'a.txt', pages: '1' })).toEqual([
    'ERROR',
    'pages, sheet and rows are for PDF and Excel files: "a.txt"',
  ]);
});

test('errors say what to do', async () => {
  expect(await read({ path: 'bad.pdf' })).toEqual(['ERROR', '"bad.pdf" is not a PDF file']);
  expect(await read({ path: 'a.pdf', pages: '4' })).toEqual([
    'ERROR',
    '"a.pdf" has 3 pages; there is no page 4',
  ]);
  expect(await read({ path: 'a.pdf', tail: 4 })).toEqual([
    'ERROR',
    'tail is for text files; pages, rows and offset select a part of a document',
  ]);
  expect(await workspace.say(client, 'read_multiple_files', { paths: ['bad.pdf'] })).toEqual([
    '"bad.pdf":\nError: Not text: a NUL byte at offset 0: "bad.pdf"; read_text_file shows the text of documents',
  ]);
});

test('without the package, the error says that it is missing', async () => {
  await using plain = await workspace.connect();
  expect(await workspace.say(plain, 'read_text_file', { path: 'bad.pdf' })).toEqual([
    'ERROR',
    'Not text: a NUL byte at offset 0: "bad.pdf"; read_text_file shows the text of documents where the package @mcp/documents is installed beside this server',
  ]);
});
