import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import type { DocumentText } from '../document.ts';
import type { ReaderRequest } from '../reader-protocol.ts';
import { checkContent } from './check-content.ts';
import { counted } from './counted.ts';
import { parseRange, rest } from './range.ts';
import { Refusal } from './refusal.ts';

/**
 * Maximum number of milliseconds for counting the rows after the returned ones, to tell how many rows the
 * sheet has.
 */
const countMs = 1_000;

interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
}

/** Reads rows of a sheet. Each row becomes a line with its number and its cells, separated by tabs. */
export async function readExcel(bytes: Uint8Array, request: ReaderRequest): Promise<DocumentText> {
  await checkContent(bytes, request);
  const range = parseRange('rows', request.rows);
  const sheets = await sheetsOf(bytes);
  const sheet = chooseSheet(sheets, request.sheet);
  const { lines, last, count, isCounted, isCut } = await readRows(
    bytes,
    sheet.name,
    range,
    request.maxCharacters,
  );
  if (lines.length === 0 && range.first > Math.max(count, 1))
    throw new Refusal(
      `has ${counted(count, 'row')} in the sheet ${JSON.stringify(sheet.name)}; there is no row ${range.first}`,
    );
  const others = sheets.filter((each) => each !== sheet).map(shownSheet);
  const rows = lines.length === 0 ? 'no rows' : `rows ${range.first} to ${last}`;
  const of = `${isCounted ? '' : 'more than '}${count}`;
  const more = others.length > 0 ? `; other sheets: ${others.join(', ')}` : '';
  return {
    text: lines.join('\n'),
    part: `Sheet ${shownSheet(sheet)}, ${rows} of ${of}${more}`,
    ...(isCut && { next: { sheet: sheet.name, rows: rest(last + 1, range) } }),
  };
}

function shownSheet({ name, isHidden }: SheetName): string {
  return `${JSON.stringify(name)}${isHidden ? ' (hidden)' : ''}`;
}

async function sheetsOf(bytes: Uint8Array): Promise<readonly SheetName[]> {
  const found: SheetName[] = [];
  await readXlsx(bytes, {
    sheets({ name, hidden, veryHidden }) {
      found.push({ name, isHidden: Boolean(hidden) || Boolean(veryHidden) });
      return false;
    },
  });
  if (found.length === 0) throw new Refusal('has no sheets');
  return found;
}

function chooseSheet(sheets: readonly SheetName[], wanted: string | undefined): SheetName {
  const chosen =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (sheets.find(({ name }) => name === wanted) ??
        sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()));
  if (!chosen)
    throw new Refusal(
      `has no sheet ${JSON.stringify(wanted)}; its sheets are ${sheets.map(shownSheet).join(', ')}`,
    );
  return chosen;
}

async function readRows(
  bytes: Uint8Array,
  sheet: string,
  { first, last: end }: { readonly first: number; readonly last: number },
  maxCharacters: number,
) {
  const lines: string[] = [];
  let [length, last, count] = [0, first - 1, 0];
  let isCut = false;
  let deadline = Infinity;
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const number = index + 1;
    // The deadline is set when the requested rows are complete: after that, rows are only counted.
    if (performance.now() > deadline) return { lines, last, count, isCounted: false, isCut };
    count = number;
    if (number < first || isCut || number > end) continue;
    const line = rowText(number, values, maxCharacters);
    length += line.length + 1;
    if (length > maxCharacters && lines.length > 0) {
      isCut = true;
    } else {
      if (line !== '') lines.push(line);
      last = number;
    }
    if (isCut || number === end) deadline = performance.now() + countMs;
  }
  return { lines, last, count, isCounted: true, isCut };
}

/** Returns a row as a line: its number and its cells. A row that is too long is cut, and ends with a note. */
function rowText(number: number, values: readonly CellValue[], maxCharacters: number): string {
  const cells = values.map(cellText);
  const used = cells.findLastIndex((cell) => cell !== '') + 1;
  if (used === 0) return '';
  const text = [number, ...cells.slice(0, used)].join('\t');
  if (text.length < maxCharacters) return text;
  const note = `… (row of ${used} cells, ${text.length} characters)`;
  return `${text.slice(0, Math.max(maxCharacters - note.length - 1, 0))}${note}`;
}

function cellText(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  return String(value).replaceAll(/[\t\n\r]+/g, ' ');
}

/** Returns a date without a time zone, because the dates of cells have none. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
}
