import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type * as Databases from './views/database-page.ts';
import { chromium } from './views/bundle-script.ts';
import type * as Shown from './views/shown-view.ts';
import { effectsOn, handlesOf, harmless } from './views/view-checks.ts';

// The view of the sqlite server in Chromium, in the frame of the official host, on databases of the tests.

const isRunnable = inject('official') && existsSync(chromium);

const shownView = isRunnable
  ? await import('./views/shown-view.ts')
  : ({ looks: [] } as never as typeof Shown);
const { looks, overflowOf, ViewBrowser, violationsIn } = shownView;
const { showDatabase, Workspace } = isRunnable
  ? await import('./views/database-page.ts')
  : ({} as typeof Databases);

let browser: Shown.ViewBrowser;
let workspace: InstanceType<typeof Databases.Workspace>;

type Options = Partial<Parameters<typeof showDatabase>[2]>;

const numbers = `
  CREATE TABLE numbers(id INTEGER PRIMARY KEY, name TEXT, square);
  INSERT INTO numbers WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000)
    SELECT x, printf('number %d', x), x * x FROM c;
  CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT NOT NULL, stock INTEGER, kind REFERENCES kinds(name));
  CREATE TABLE kinds(name TEXT PRIMARY KEY, items INTEGER);
  INSERT INTO kinds VALUES ('fruit', 2), ('root', 1);
  INSERT INTO items VALUES (1, 'apple', 3, 'fruit'), (2, 'pear', 5, 'fruit'), (3, 'beet', 8, 'root');
`;

describe.skipIf(!isRunnable)('the view of a database', () => {
  beforeAll(async () => {
    browser = await ViewBrowser.start();
    workspace = new Workspace(numbers);
    return async () => {
      await browser[Symbol.asyncDispose]();
      workspace[Symbol.dispose]();
    };
  });

  /** The view when it shows a part of the page, by default rows. */
  async function shown(options: Options = {}, awaited = '.row .cell') {
    const all = { width: 720, input: { sql: 'SELECT * FROM numbers' }, ...options };
    const calls: (readonly [name: string, args: { readonly [name: string]: unknown }])[] = [];
    const view = await showDatabase(browser, workspace, {
      ...all,
      onCall(name, args) {
        calls.push([name, args as never]);
        return options.onCall?.(name, args);
      },
    });
    onTestFinished(() => view[Symbol.asyncDispose]());
    const { frame } = view;
    await frame.waitForSelector(awaited);
    /** The text of the cell that has the focus, and of its column. */
    const active = () =>
      frame.evaluate(`(() => {
        const node = document.getElementById(document.activeElement.getAttribute('aria-activedescendant'));
        return node && [node.parentElement.getAttribute('aria-rowindex'), node.innerText.split('\\n')[0]].join(' ');
      })()`);
    /** The texts of the visible rows, without their numbers. */
    const rows = async () => {
      const all = await frame.$$eval('.row', (nodes) =>
        nodes.map(
          (node) =>
            [
              Number(node.getAttribute('aria-rowindex')),
              [...node.querySelectorAll('.cell')].map(({ textContent }) => textContent),
            ] as const,
        ),
      );
      return all.toSorted(([a], [b]) => a - b).map(([, cells]) => cells);
    };
    return { ...view, ...handlesOf(view), calls, active, rows };
  }

  test.each(looks)('is accessible and fits at $width pixels, $theme', async (look) => {
    const { frame, errors, press, says } = await shown({ ...look, input: { sql: 'SELECT * FROM items' } });
    const check = async () => {
      expect(await violationsIn(frame)).toEqual([]);
      expect(await overflowOf(frame)).toBe(0);
    };
    await frame.click('#statement summary');
    await frame.focus('#grid');
    await press('ArrowRight', 'Enter');
    await frame.click('#detail .title button');
    await says('#filters', 'name is apple');
    await frame.focus('#grid');
    await press('Enter');
    await frame.click('#filter-open');
    await check();
    await frame.click('input[value=chart]');
    await frame.waitForSelector('#chart svg');
    await check();
    await frame.click('input[value=schema]');
    await frame.waitForSelector('.canvas');
    await check();
    expect(errors).toEqual([]);
  });

  test('of 100,000 rows, only the visible ones are in the page, and only their pages are read', async () => {
    const { frame, calls, text, says, rows } = await shown();
    await says('#facts', '100,000 rows');
    expect((await text('#facts')).replaceAll(/\s+/g, ' ')).toMatch(/^100,000 rows 3 columns [\d.]+ m?s$/);
    expect(await frame.$eval('#grid', (grid) => [grid.ariaRowCount, grid.ariaColCount])).toEqual([
      '100001',
      '4',
    ]);
    let most = 0;
    for (const part of [0.1, 0.5, 0.9, 1]) {
      await frame.evaluate(`(() => { const grid = document.getElementById('grid');
        grid.scrollTop = ${part} * (grid.scrollHeight - grid.clientHeight); })()`);
      await frame.waitForFunction(`!document.querySelector('.waiting')
        && document.querySelector('.row:last-child')?.getAttribute('aria-rowindex') > ${part * 99_000}`);
      most = Math.max(most, Number(await frame.evaluate(`document.querySelectorAll('*').length`)));
    }
    expect((await rows()).at(-1)).toEqual(['100000', 'number 100000', '10000000000']);
    expect(most).toBeLessThan(400);
    expect(calls.length).toBeLessThan(12);
    expect(calls.every(([name]) => name === 'read_result')).toBe(true);
  });

  test.each([
    ['limits', { maxHeight: 360 }, 360],
    ['fixes', { height: 800 }, 800],
  ])(
    'the number of rows and the time stay in sight where the host %s the height',
    async (_, containerDimensions, height) => {
      const context = { containerDimensions, availableDisplayModes: ['inline', 'fullscreen'] };
      const { page, frame } = await shown({ context });
      await page.$eval('iframe', (element, value) => element.setAttribute('height', value), String(height));
      await frame.waitForFunction(`innerHeight === ${height}
      && document.querySelector('#facts').getBoundingClientRect().bottom <= innerHeight
      && document.querySelector('#facts').getBoundingClientRect().bottom > innerHeight - 24
      && document.documentElement.scrollHeight <= innerHeight`);
      expect(await frame.$eval('#whole', (button) => button.ariaPressed)).toBe('false');
    },
  );

  test('is used with the keyboard alone', async () => {
    const { frame, press, active, text, says } = await shown();
    await says('#facts', '100,000 rows');
    await press('Tab', 'Tab', 'Tab', 'Tab');
    expect(await active()).toBe('2 1');
    await press('ArrowDown', 'ArrowRight');
    expect(await active()).toBe('3 number 2');
    await press('PageDown');
    expect(await active()).toBe('15 number 14');
    await press('End');
    expect(await active()).toBe('15 196');
    await press('PageUp', 'Home');
    expect(await active()).toBe('3 2');
    await frame.page().keyboard.down('Control');
    await press('End');
    expect(await frame.evaluate(`document.activeElement.getAttribute('aria-activedescendant')`)).toBe(
      'cell99999_2',
    );
    await frame.waitForFunction(`!document.querySelector('.waiting')`);
    expect(await active()).toBe('100001 10000000000');
    await press('Home');
    await frame.page().keyboard.up('Control');
    await press('ArrowUp');
    expect(await active()).toBe('1 id');
    await press('Enter');
    await frame.waitForFunction(`document.querySelector('[aria-sort=ascending]')`);
    await press('Enter');
    await frame.waitForFunction(`document.querySelector('#cell-1_0[aria-sort=descending]')`);
    await press('ArrowDown');
    await frame.waitForFunction(`document.querySelector('#cell0_0')?.textContent === '100000'`);
    await press('ArrowRight', 'Enter');
    expect(await text('#detail')).toContain('name row 1');
    expect(await frame.evaluate(`document.activeElement.tagName`)).toBe('PRE');
    await press('Escape');
    expect(await active()).toBe('2 number 100000');
  });

  test('sorts and filters on the server, by parameters', async () => {
    const { frame, calls, rows, says, text } = await shown();
    await says('#facts', '100,000 rows');
    const attack = "' OR 1=1; DROP TABLE numbers --";
    await frame.click('#filter-open');
    await frame.select('#filter-column', '2');
    await frame.select('#filter-operator', '>=');
    await frame.type('#filter-value', '9999800001');
    await frame.click('#filter-add');
    await says('#facts', '2 of 100,000 rows');
    await frame.click('#cell-1_1');
    await frame.waitForFunction(`document.querySelector('#cell-1_1[aria-sort=ascending]')`);
    expect(await rows()).toEqual([
      ['100000', 'number 100000', '10000000000'],
      ['99999', 'number 99999', '9999800001'],
    ]);
    expect(calls.at(-1)).toEqual([
      'read_result',
      {
        sql: 'SELECT * FROM numbers',
        filters: [{ column: 2, operator: '>=', value: { $int: '9999800001' } }],
        sort: { column: 1, descending: false },
        limit: 200,
      },
    ]);
    await frame.click('#filter-open');
    await frame.select('#filter-column', '1');
    await frame.select('#filter-operator', 'contains');
    await frame.type('#filter-value', attack);
    await frame.click('#filter-add');
    await says('#facts', '0 of 100,000 rows');
    await frame.click('#filters button:nth-child(2)');
    await says('#facts', '2 of 100,000 rows');
    expect(await text('#filters')).toMatch(/^square at least 9999800001/);
  });

  test('values are exact, and NULL differs from its name and from an empty text', async () => {
    const sql = `SELECT 9223372036854775807, -9223372036854775808 AS least, 1.0 AS one, -0.0 AS zero, 9e999 AS inf,
      0.1 + 0.2 AS sum, NULL AS none, 'NULL' AS name, '' AS empty, x'00ff41' AS bytes, zeroblob(3000) AS many,
      printf('%.*c', 10000000, 'x') AS long, CAST(x'ff' AS TEXT) AS raw`;
    const { frame, press, text, says } = await shown({ width: 2_000, input: { sql } });
    const cells = await frame.$$eval('.row .cell', (all) =>
      all.map((cell) => [String(cell.textContent), String(cell.className)] as const),
    );
    expect(cells.map(([content, kind]) => [content.slice(0, 30), kind.includes('number')])).toEqual([
      ['9223372036854775807', true],
      ['-9223372036854775808', true],
      ['1.0', true],
      ['-0.0', true],
      ['Infinity', true],
      ['0.30000000000000004', true],
      ['NULL', false],
      ['NULL', false],
      ['empty text', false],
      ['BLOB, 3 bytes', false],
      ['BLOB, 3,000 bytes', false],
      ['x'.repeat(30), false],
      ['not UTF-8, 1 byte', false],
    ]);
    const tags = await frame.$$eval('.row .tag', (all) => all.map((tag) => tag.textContent));
    expect(tags).toEqual(['NULL', 'BLOB, 3 bytes', 'BLOB, 3,000 bytes', 'cut', 'not UTF-8, 1 byte']);
    await frame.focus('#grid');
    await press('End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter');
    expect(await text('#detail pre')).toBe(`000000  00 ff 41${' '.repeat(41)}..A`);
    await press('Escape', 'ArrowRight', 'Enter');
    await frame.waitForFunction(
      `document.querySelector('#detail pre').innerText.split('\\n').length === 188`,
    );
    await press('Escape', 'ArrowRight', 'Enter');
    await says('#detail', 'TEXT, 10,000,000 bytes, its beginning');
    await frame.waitForFunction(`!document.querySelector('#detail').innerText.includes('Reading')`);
  });

  test('reads anew when the database has changed', async () => {
    using other = new Workspace(numbers);
    const view = await showDatabase(browser, other, { width: 720, input: { sql: 'SELECT * FROM numbers' } });
    onTestFinished(() => view[Symbol.asyncDispose]());
    await view.frame.waitForFunction(`document.querySelector('#facts')?.innerText.includes('100,000 rows')`);
    other.make(other.path, 'DELETE FROM numbers WHERE id > 50000');
    await view.frame.evaluate(`document.getElementById('grid').scrollTop = 1e6`);
    await view.frame.waitForFunction(
      `/^50,000 rows[^]*The database has changed/.test(document.querySelector('#facts').innerText)`,
    );
  });

  test('charts two columns, as bars or as a line of each n-th row', async () => {
    const bars = await shown({ input: { sql: 'SELECT name, stock FROM items' } });
    await bars.frame.click('input[value=chart]');
    await bars.frame.waitForSelector('#chart .bar');
    expect(await bars.frame.$$eval('.bar', (all) => all.length)).toBe(3);
    expect(await bars.text('#chart output')).toBe('name: apple, stock: 3');
    await bars.frame.focus('#chart input');
    await bars.press('End');
    expect(await bars.text('#chart output')).toBe('name: beet, stock: 8');

    const line = await shown();
    await line.says('#facts', '100,000 rows');
    await line.frame.click('input[value=chart]');
    await line.frame.waitForSelector('#chart svg');
    await line.frame.select('#chart select', '0');
    await line.frame.waitForSelector('#chart .line');
    expect(await line.text('#chart > p')).toBe('1,000 points, each 100th row');
    expect(line.calls.at(-1)).toMatchObject(['read_result', { columns: [0, 2], every: 100, limit: 1_000 }]);
  });

  test('shows the schema, from which a table is opened', async () => {
    const { frame, text, says, rows } = await shown(
      { tool: 'describe_table', input: { table: 'Items' } },
      '.canvas',
    );
    expect((await text('#facts')).split(/\n+/)).toEqual(['3 tables and views', '1 reference', 'shop']);
    expect(
      await frame.$$eval('.table.marked', (all) => all.map((each) => each.querySelector('bdi')!.textContent)),
    ).toEqual(['items']);
    expect(await frame.$$eval('.edge', (all) => all.length)).toBe(1);
    expect(await text('.table.marked')).toContain('→ kinds.name');
    await frame.click('.table.marked button');
    await says('#facts', '3 rows');
    expect(await rows()).toContainEqual(['1', 'apple', '3', 'fruit']);
    expect(await text('#statement-line')).toBe('SELECT * FROM "items"');
  });

  describe('a write', () => {
    const shownWrite = async (
      input: { readonly [name: string]: unknown },
      answer = true,
      awaited = '.effect',
    ) => {
      const other = new Workspace(numbers.replace('LIMIT 100000', 'LIMIT 10'));
      onTestFinished(() => other[Symbol.dispose]());
      const elicit = async () =>
        answer ? { action: 'accept' as const, content: { confirm: true } } : { action: 'decline' as const };
      const view = await showDatabase(browser, other, {
        tool: 'write',
        width: 320,
        input,
        server: { allowWrite: true, elicit },
      });
      onTestFinished(() => view[Symbol.asyncDispose]());
      await view.frame.waitForSelector(awaited);
      const text = (selector: string) =>
        view.frame.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);
      const stock = () => other.rows(view.client, 'SELECT stock FROM items ORDER BY id');
      return { ...view, text, stock };
    };

    test('shows its confirmation, its effect and its undo, which runs when it is confirmed', async () => {
      const { frame, text, stock } = await shownWrite({ sql: 'UPDATE items SET stock = 0' });
      expect(await violationsIn(frame)).toEqual([]);
      expect(await overflowOf(frame)).toBe(0);
      expect(await text('blockquote')).toContain('Change all 3 rows of "items" in "shop"?');
      expect(await text('.effect')).toBe('Changed 3 rows');
      expect(await text('.undo pre')).toMatch(/^UPDATE "items" SET "stock"/);
      await frame.click('.write button');
      await frame.click('.approval button:last-child');
      expect(await stock()).toEqual([[0], [0], [0]]);
      await frame.click('.write button');
      expect(await violationsIn(frame)).toEqual([]);
      await frame.click('.approval .strong');
      await frame.waitForSelector('.write:nth-child(2)[data-state=done]');
      expect(await stock()).toEqual([[3], [5], [8]]);
      expect(await text('.write:nth-child(2) h2')).toMatch(/^Undo/);
    });

    test('that the user refuses changes nothing, and says so', async () => {
      const { frame, text, stock } = await shownWrite({ sql: 'DELETE FROM items' }, false, '.problem');
      expect(await text('.write h2')).toContain('Not done');
      expect(await text('.problem')).toBe('Not done: the user declined');
      expect(await frame.$$('.write button')).toEqual([]);
      expect(await stock()).toHaveLength(3);
    });

    test('that was tried runs when it is confirmed', async () => {
      const more = ['CREATE TABLE log(word)', "INSERT INTO log VALUES ('a') RETURNING word"];
      const { frame, text, stock } = await shownWrite({
        sql: 'UPDATE items SET stock = 9 WHERE id = 1',
        more,
        dry_run: true,
      });
      expect(await text('.write')).toMatch(
        /Dry run: nothing was changed[^]*Would change 1 row[^]*create table log/,
      );
      await frame.click('.write button');
      await frame.click('.approval .strong');
      await frame.waitForSelector('.write:nth-child(2)[data-state=done]');
      expect(await text('.write:nth-child(2)')).toMatch(/created table log[^]*word\s+a/);
      expect(await stock()).toEqual([[9], [5], [8]]);
    });
  });

  test('shows the text of the result where the host calls no tools', async () => {
    const refused = { isError: true, content: [{ type: 'text', text: 'Tools are off' }] };
    const { text } = await shown({ input: { sql: 'SELECT 1 AS one' }, onCall: () => refused }, '#trouble p');
    expect(await text('#trouble')).toMatch(/^Tools are off\s+\| one \|\s+\|---\|\s+\| 1 \|/);
  });

  test('says what is wrong with a query', async () => {
    const { text } = await shown({ input: { sql: 'SELECT * FROM number' } }, '#trouble p');
    expect(await text('#trouble')).toContain('no such table: number\nDid you mean "numbers"?');
  });

  test('hostile data neither run nor break the layout', async () => {
    const attack = [
      '<script>parent.hacked = hacked = 1</script><img src=x onerror="hacked=1">',
      `"><svg onload=hacked=1>{{7*7}}\${hacked=1}javascript:hacked=1`,
      '\u202eevil\u2066\u200f\ufeff\n\r\t',
      'e\u0301'.padEnd(500, '\u0301'),
      'W'.repeat(5_000),
    ].join(' ');
    const name = `"${attack.replaceAll('"', '""')}"`;
    const text = `'${attack.replaceAll("'", "''")}'`;
    const wide = Array.from(
      { length: 1_000 },
      (_, index) => `'<img src=x onerror=hacked=1>' AS "<b>${index}"`,
    );
    using hostile = new Workspace(`
      CREATE TABLE ${name}(${name} TEXT PRIMARY KEY, "${'b'.repeat(3_000)}" ${name} REFERENCES ${name});
      INSERT INTO ${name} VALUES (${text}, ${text});`);
    for (const [tool, input, awaited] of [
      [
        'query',
        { sql: `SELECT *, printf('%.*c', 10000000, 'x'), x'3c7363726970743e' FROM ${name}` },
        '.row .cell',
      ],
      ['query', { sql: `SELECT ${wide.join()}`, limit: 1 }, '.row .cell'],
      ['describe_table', {}, '.canvas'],
      ['write', { sql: `INSERT INTO ${name}(${name}) VALUES (${text} || 2) RETURNING *` }, '.effect'],
    ] as const) {
      const view = await showDatabase(browser, hostile, {
        tool,
        width: 375,
        input,
        server: { allowWrite: true },
      });
      const { frame, page } = view;
      await frame.waitForSelector(awaited);
      if (tool === 'query') {
        await frame.focus('#grid');
        await page.keyboard.press('Enter');
        await frame.click('#statement summary');
        await frame.click('input[value=chart]');
        await frame.waitForSelector('#chart > p');
        await frame.click('input[value=rows]');
      }
      expect(await effectsOn(view, { nodes: 3_500, length: 300_000, height: 3_000 }), tool).toEqual(harmless);
      await view[Symbol.asyncDispose]();
    }
  });
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: the view of a database: there is no "${chromium}"\n`);
});
