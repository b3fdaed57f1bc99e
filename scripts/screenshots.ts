import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from 'fast-png';
import { showDatabase, Workspace } from '../test/views/database-page.ts';
import { sampleFiles, showFiles } from '../test/views/files-page.ts';
import { InspectorPage } from '../test/views/inspector-page.ts';
import { changeSample, sampleRepository, showRepository } from '../test/views/repository-page.ts';
import { type ShownView, ViewBrowser } from '../test/views/shown-view.ts';
import { showForecast } from '../test/views/weather-page.ts';

// Makes the pictures of the views and of the inspector, in docs/pictures, from the running servers with their
// samples: `pnpm exec node --conditions=@mcp/source scripts/screenshots.ts`, or with the beginnings of names.

const directory = join(import.meta.dirname, '../docs/pictures');
mkdirSync(directory, { recursive: true });

/** A picture: of which view, and what is done in it before. */
interface Picture {
  readonly name: string;
  readonly show: (browser: ViewBrowser) => Promise<ShownView & AsyncDisposable>;
  readonly steps: (shown: ShownView) => Promise<unknown>;
}

type Look = readonly [name: string, width: number, theme: 'light' | 'dark'];

const forecast = ([name, width, theme]: Look, place: unknown): Picture => ({
  name,
  show: (browser) => showForecast(browser, { width, theme, input: { place } }),
  steps: ({ frame }) => frame.waitForSelector('#picture svg'),
});

// The sample database of the sqlite server, copied into a workspace, where it may be changed.
using workspace = new Workspace();
const sample = join(workspace.root, 'bookshop.db');
copyFileSync(join(import.meta.dirname, '../servers/sqlite/dist/sample.db'), sample);

const database = (
  [name, width, theme]: Look,
  input: { readonly [argument: string]: unknown },
  steps: Picture['steps'],
  tool?: 'write' | 'describe_table',
): Picture => ({
  name,
  show: (browser) =>
    showDatabase(browser, workspace, {
      ...(tool && { tool }),
      width,
      theme,
      input,
      server: {
        paths: [sample],
        allowWrite: true,
        elicit: async () => ({ action: 'accept', content: { confirm: true } }),
      },
    }),
  steps,
});

using history = await sampleRepository();
await changeSample(history);

const repository = (
  [name, width, theme]: Look,
  tool: string,
  input: { readonly [argument: string]: unknown },
  steps: Picture['steps'],
): Picture => ({
  name,
  show: (browser) => showRepository(browser, history, { tool, width, theme, input }),
  steps,
});

using project = sampleFiles();

const files = (
  [name, width, theme]: Look,
  tool: string,
  input: { readonly [argument: string]: unknown },
  steps: Picture['steps'],
): Picture => ({
  name,
  show: (browser) => showFiles(browser, project, { tool, width, theme, input }),
  steps,
});
const edits = [
  { oldText: 'localeCompare(b.title)', newText: 'localeCompare(b.title, undefined, collation)' },
  {
    oldText: '// Sorted by title, without regard to case.',
    newText:
      "const collation = { sensitivity: 'base' } as const;\n\n// Sorted by title, without regard to case.",
  },
];

const lines = `SELECT o.day, c.name AS customer, b.title, l.quantity AS copies, l.quantity * l.price AS total
FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
  JOIN order_lines AS l ON l.order_id = o.id JOIN books AS b ON b.id = l.book_id`;
const numbers = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000)
SELECT x AS id, 9007199254740992 + x AS exact, x / 4.0 AS real,
  CASE x % 4 WHEN 1 THEN NULL WHEN 2 THEN '' WHEN 3 THEN 'NULL' ELSE 'text ' || x END AS text,
  CASE WHEN x % 3 THEN CAST(hex(x * 7919) || ' bytes' AS BLOB) END AS bytes FROM n`;
const months = `SELECT substr(day, 1, 7) AS month, sum(quantity) AS books, round(sum(quantity * price), 2) AS revenue
FROM orders JOIN order_lines ON order_id = id GROUP BY 1`;

const places = ['Berlin', 'Kathmandu', 'McMurdo'];
const pictures: readonly Picture[] = [
  forecast(['weather-light', 720, 'light'], places),
  forecast(['weather-dark', 720, 'dark'], places),
  forecast(['weather-phone-light', 375, 'light'], 'Berlin'),
  forecast(['weather-phone-dark', 375, 'dark'], 'Berlin'),
  database(['sqlite-rows-light', 720, 'light'], { sql: lines }, async ({ frame }) => {
    await frame.waitForSelector('.row .cell');
    await frame.click('#cell-1_4');
    await frame.waitForSelector('[aria-sort=ascending]');
    await frame.click('#cell-1_4');
    await frame.waitForSelector('[aria-sort=descending]');
  }),
  database(['sqlite-rows-dark', 720, 'dark'], { sql: numbers }, async ({ frame, page }) => {
    await frame.waitForFunction(`document.querySelector('#facts')?.innerText.includes('100,000 rows')`);
    await frame.focus('#grid');
    for (const key of ['ArrowDown', 'End', 'Enter'] as const) await page.keyboard.press(key);
    await frame.waitForSelector('#detail pre');
  }),
  database(['sqlite-rows-phone', 375, 'light'], { sql: lines }, ({ frame }) =>
    frame.waitForSelector('.row .cell'),
  ),
  database(['sqlite-chart-light', 720, 'light'], { sql: months }, async ({ frame }) => {
    await frame.waitForSelector('.row .cell');
    await frame.click('input[value=chart]');
    await frame.waitForSelector('#chart svg');
  }),
  database(
    ['sqlite-schema-light', 720, 'light'],
    { table: 'orders' },
    ({ frame }) => frame.waitForSelector('.canvas'),
    'describe_table',
  ),
  database(
    ['sqlite-schema-dark', 720, 'dark'],
    {},
    ({ frame }) => frame.waitForSelector('.canvas'),
    'describe_table',
  ),
  database(
    ['sqlite-write-light', 720, 'light'],
    {
      sql: 'UPDATE books SET price = price + 1 WHERE author_id = 1',
      more: ["INSERT INTO customers(name, city, since) VALUES ('Ada', 'Oslo', '2026-01-20')"],
    },
    async ({ frame }) => {
      await frame.waitForSelector('.effect');
      await frame.click('.write button');
    },
    'write',
  ),
  repository(['git-history-light', 720, 'light'], 'git_log', { all: true }, ({ frame }) =>
    frame.waitForSelector('#commits .name'),
  ),
  repository(['git-diff-dark', 960, 'dark'], 'git_show', { revision: 'HEAD' }, async ({ frame }) => {
    await frame.waitForSelector('#patch .code');
    await frame.click('input[value=pairs]');
    await frame.waitForSelector('#patch .mark');
  }),
  repository(['git-changes-light', 720, 'light'], 'git_status', {}, async ({ frame }) => {
    await frame.waitForSelector('#patch .hunk button');
    await frame.click('[data-line="-10"]');
    await frame.click('[data-line="+10"]');
    await frame.waitForSelector('#actions .strong');
  }),
  repository(['git-blame-light', 720, 'light'], 'git_blame', { path: 'src/notes.ts' }, ({ frame }) =>
    frame.waitForSelector('#lines .commit'),
  ),
  repository(['git-phone-dark', 375, 'dark'], 'git_status', {}, ({ frame }) =>
    frame.waitForSelector('#patch .hunk button'),
  ),
  files(['filesystem-sizes-light', 720, 'light'], 'directory_tree', { path: '.' }, async ({ frame }) => {
    await frame.waitForSelector('[data-at="2.3"]');
    await frame.click('#entries .row:nth-child(3)');
    await frame.waitForSelector('[aria-level="2"] .size');
    await frame.click('#trail button');
  }),
  files(
    ['filesystem-edit-dark', 720, 'dark'],
    'edit_file',
    { path: 'src/notes.ts', edits, dryRun: true },
    ({ frame }) => frame.waitForSelector('#diff .added'),
  ),
  files(['filesystem-file-light', 720, 'light'], 'read_text_file', { path: 'src/notes.ts' }, ({ frame }) =>
    frame.waitForSelector('#lines .code'),
  ),
  files(['filesystem-phone-dark', 375, 'dark'], 'directory_tree', { path: '.' }, ({ frame }) =>
    frame.waitForSelector('[data-at="2.3"]'),
  ),
];

const chosen = process.argv.slice(2);
await using browser = await ViewBrowser.start();
for (const { name, show, steps } of pictures) {
  if (!isChosen(name)) continue;
  await using shown = await show(browser);
  await steps(shown);
  // The frame has the height that its view has reported.
  const frame = (await shown.page.$('iframe'))!;
  write(name, await frame.screenshot());
  for (const error of shown.errors) console.error(error);
}

for (const theme of ['light', 'dark'] as const) {
  if (!isChosen(`inspect-${theme}`)) continue;
  await using inspector = await InspectorPage.open({ width: 1280, height: 800 });
  await inspector.theme(theme);
  await inspector.server('weather');
  await inspector.server('files');
  await inspector.choose('read_text_file');
  await inspector.page.type('main .field input', 'notes.txt');
  await inspector.call();
  await inspector.server('lab');
  await inspector.choose('noisy');
  await inspector.call();
  await inspector.server('weather');
  await inspector.choose('forecast');
  await inspector.page.type('main .alternatives input', 'Kathmandu');
  await inspector.call();
  await inspector.page.waitForSelector('#rows .result .method ::-p-text(tools/call)');
  await inspector.page.focus('#list');
  await inspector.page.keyboard.press('End');
  await inspector.page.waitForSelector('#message ::-p-text(jsonrpc)');
  await inspector.page.evaluate('document.activeElement.blur()');
  write(`inspect-${theme}`, await inspector.page.screenshot());
  for (const error of inspector.errors) console.error(error);
}

function isChosen(name: string): boolean {
  return chosen.length === 0 || chosen.some((each) => name.startsWith(each));
}

function write(name: string, png: Uint8Array): void {
  const path = join(directory, `${name}.png`);
  writeFileSync(path, withFewerShades(png));
  console.log(`${name}.png: ${statSync(path).size.toLocaleString('en')} bytes`);
}

/** The same picture with fewer shades, which nobody sees, and without transparency: a third of the size. */
function withFewerShades(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png);
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index++)
    for (let channel = 0; channel < 3; channel++)
      pixels[index * 3 + channel] = Math.min(255, Math.round(data[index * channels + channel]! / 5) * 5);
  return encode({ width, height, data: pixels, channels: 3 }, { zlib: { level: 9 } });
}
