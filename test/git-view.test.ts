import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Repositories from './views/repository-page.ts';
import type * as Shown from './views/shown-view.ts';
import { effectsOn, handlesOf, harmless } from './views/view-checks.ts';

// The view of the git server in Chromium, in the frame of the official host, on real repositories.

const isRunnable = inject('official') && existsSync(chromium);

const shownView = isRunnable
  ? await import('./views/shown-view.ts')
  : ({ looks: [] } as never as typeof Shown);
const { looks, overflowOf, ViewBrowser, violationsIn } = shownView;
const { changeSample, sampleRepository, showRepository, Workspace } = isRunnable
  ? await import('./views/repository-page.ts')
  : ({} as typeof Repositories);

let browser: Shown.ViewBrowser;
/** The sample, with changes; no test of those that share it changes it. */
let sample: InstanceType<typeof Repositories.Workspace>;

type Options = Partial<Parameters<typeof showRepository>[2]> & {
  readonly workspace?: InstanceType<typeof Repositories.Workspace>;
};

const numbered = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');

describe.skipIf(!isRunnable)('the view of a repository', () => {
  beforeAll(async () => {
    [browser, sample] = await Promise.all([ViewBrowser.start(), sampleRepository()]);
    await changeSample(sample);
    return async () => {
      await browser[Symbol.asyncDispose]();
      sample[Symbol.dispose]();
    };
  });

  /** The view when it shows a part of the page. */
  async function shown(tool: string, awaited: string, { workspace = sample, ...options }: Options = {}) {
    const calls: (readonly [name: string, args: { readonly [name: string]: unknown }])[] = [];
    const view = await showRepository(browser, workspace, {
      width: 720,
      input: {},
      ...options,
      tool,
      onCall(name, args) {
        calls.push([name, args as never]);
        return options.onCall?.(name, args);
      },
    });
    onTestFinished(() => view[Symbol.asyncDispose]());
    const { frame } = view;
    await frame.waitForSelector(awaited);
    /** Waits until all that is in sight was read. */
    const settled = () =>
      frame.waitForFunction(`!document.querySelector('#facts')?.innerText.includes('reading')`);
    return { ...view, ...handlesOf(view), calls, settled };
  }

  test.each(looks)('is accessible and fits at $width pixels, $theme', async (look) => {
    const { frame, errors, says } = await shown('git_log', '#commits .name', look);
    // The rules of axe take most of the time of these tests: each part is checked at one width.
    const check = async (width: number) => {
      if (width === look.width) expect(await violationsIn(frame)).toEqual([]);
      expect(await overflowOf(frame)).toBe(0);
    };
    await check(320);
    await frame.click('#commits .row:nth-child(1)');
    await frame.waitForSelector('#patch .code');
    await frame.click('input[value=pairs]');
    await frame.waitForSelector('#patch .paired .mark');
    await check(720);
    await frame.click('#actions button');
    await frame.waitForSelector('#lines .commit');
    await check(720);
    await frame.click('input[value=changes]');
    await frame.waitForSelector('#patch .hunk button');
    await frame.click('[data-line]');
    await says('#actions', 'Stage 1 line');
    await check(320);
    expect(errors).toEqual([]);
  });

  test.each([
    ['git_log', { maxHeight: 300 }, 300],
    ['git_status', { height: 800 }, 800],
  ])('the counts of %s stay in sight in %j', async (tool, containerDimensions, height) => {
    const { page, frame } = await shown(tool, '.long-list .row', { context: { containerDimensions } });
    await page.$eval('iframe', (element, value) => element.setAttribute('height', value), String(height));
    await frame.waitForFunction(`innerHeight === ${height} && document.documentElement.scrollHeight <= innerHeight
      && document.querySelector('#facts').getBoundingClientRect().bottom > innerHeight - 24
      && document.querySelector('#facts').getBoundingClientRect().bottom <= innerHeight`);
  });

  test('draws the graph of all branches in lanes, with their names', async () => {
    const { frame, texts, says } = await shown('git_log', '#commits .row', {
      input: { max_count: 3, all: true },
    });
    await says('#facts', '10 commits');
    expect(await texts('#commits .subject')).toEqual([
      'Keep at most 100 notes',
      "Merge branch 'tags'",
      'Keep the order of notes',
      "Merge branch 'search'",
      'Ignore the case of letters',
      'Sort tags',
      'Say how notes are written',
      'Add a search in titles',
      'List the titles of notes',
      'Read notes from files',
    ]);
    const lanes = await frame.$$eval('.dot', (dots) => dots.map((dot) => dot.getAttribute('cx')));
    expect(lanes).toEqual(['9', '9', '9', '9', '35', '22', '9', '35', '9', '9']);
    expect(await texts('.row:nth-child(2) .name bdi')).toEqual(['release', 'v1.1.0']);
  });

  test('is used with the keyboard alone', async () => {
    const { frame, press, text, says } = await shown('git_log', '#commits .row');
    await press('Tab', 'Tab', 'Tab');
    expect(await frame.evaluate('document.activeElement.id')).toBe('commits');
    await press('ArrowDown', 'End', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await press('ArrowDown', 'Enter');
    await says('#about', 'Ignore the case of letters');
    await frame.waitForFunction(
      `document.activeElement.id === 'files' && document.querySelector('#layout input')`,
    );
    await press('Tab', 'ArrowRight');
    await frame.waitForSelector('#patch .paired');
    await press('Tab', 'Enter');
    await frame.waitForFunction(
      `document.activeElement.id === 'lines' && document.querySelector('#lines .commit')`,
    );
    expect(await text('#blamed')).toMatch(/^src\/search\.ts at [0-9a-f]{10}$/);
    await press('ArrowDown', 'Enter');
    await frame.waitForFunction(`document.activeElement.id === 'files'`);
    await says('#about', 'Ignore the case of letters');
    expect(await text('#about')).toMatch(/Ada Lovelace|Grace Hopper|Edsger Dijkstra/);
  });

  test('of 3,000 commits and a diff of 60 MB, only what is in sight is in the page', async () => {
    using workspace = await Workspace.create({ 'big.txt': 'start\n' });
    const stream = Array.from(
      { length: 3_000 },
      (_, at) =>
        `commit refs/heads/long\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 4\nc${String(at).padStart(3, '0').slice(-3)}\n`,
    );
    await workspace.import(stream.join('\n'));
    const log = await shown('git_log', '#commits .row', { workspace, input: { revision: 'long' } });
    await log.frame.waitForFunction(`(document.getElementById('commits').scrollTop = 1e6,
      document.querySelector('#commits .row:last-child').ariaRowIndex > 300)`);
    expect(await log.nodes()).toBeLessThan(700);

    const lines = numbered(500_000, 'one line of a very long file, '.repeat(4));
    workspace.put('big.txt', `start\n${lines}${'x'.repeat(10_000_000)}\n`);
    const diff = await shown('git_diff_unstaged', '#patch .code', { workspace });
    await diff.says('#facts', 'diff of 500,003 rows');
    await diff.frame.focus('#patch');
    await diff.press('End');
    await diff.frame.waitForFunction(
      `document.querySelector('#patch .active .text')?.innerText.startsWith('xxx')`,
    );
    expect(await diff.nodes()).toBeLessThan(900);
    expect(diff.calls.length).toBeLessThan(12);
    expect(diff.errors).toEqual([]);
  });

  describe('with changes', () => {
    const old = numbered(30);
    const changed = old.replace('line 3\n', 'third\n').replace('line 20\n', 'twentieth\nand more\n');
    const edited = async () => {
      const workspace = await Workspace.create({ 'a.txt': old, 'b.txt': 'b\n' });
      onTestFinished(() => workspace[Symbol.dispose]());
      workspace.put('a.txt', changed);
      return workspace;
    };
    const staged = (workspace: InstanceType<typeof Repositories.Workspace>) => workspace.git.show([':a.txt']);

    test('stages a hunk and single lines, and unstages them', async () => {
      const workspace = await edited();
      const { frame, says, press, settled, texts } = await shown('git_status', '#patch .hunk button', {
        workspace,
      });
      await frame.click('.hunk button');
      await says('#said', 'Staged 2 changed lines; to undo: git_restore with staged');
      expect(await staged(workspace)).toBe(old.replace('line 3\n', 'third\n'));
      await settled();
      await frame.click('[data-line="+21"]');
      await frame.click('#actions .strong');
      await says('#said', 'Staged 1 changed lines');
      expect(await staged(workspace)).toBe(
        old.replace('line 3\n', 'third\n').replace('line 20\n', 'line 20\nand more\n'),
      );
      await settled();
      expect(await texts('#files .group')).toEqual(['not staged', 'staged']);

      await frame.click('#files .row:nth-child(2)');
      await says('#actions', 'Unstage file');
      await settled();
      await frame.focus('#patch');
      await press('ArrowDown', 'ArrowDown', 'ArrowDown', ' ', 'ArrowDown', ' ');
      await says('#actions', 'Unstage 2 lines');
      await frame.click('#actions .strong');
      await says('#said', 'Unstaged 2 changed lines');
      expect(await staged(workspace)).toBe(old.replace('line 20\n', 'line 20\nand more\n'));
      expect(workspace.read('a.txt')).toBe(changed);
    });

    test('stages and unstages whole files', async () => {
      const workspace = await edited();
      workspace.put('new.txt', 'new\n');
      const { frame, says } = await shown('git_diff_unstaged', '#patch .code', { workspace });
      await frame.click('#files .row:nth-child(2)');
      await says('#said', 'not tracked');
      await frame.click('#actions button:last-child');
      await says('#facts', '1 staged');
      expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt\nA  new.txt');
      await says('#actions', 'Unstage file');
      await frame.click('#actions button:last-child');
      await says('#facts', '1 not tracked');
      expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt\n?? new.txt');
    });

    test('stages nothing of a diff that is no longer the present one', async () => {
      const workspace = await edited();
      const { frame, says, text } = await shown('git_status', '#patch .hunk button', { workspace });
      workspace.put('a.txt', changed.replace('third', '3rd'));
      await frame.click('.hunk button');
      await says('#said', 'has changed since that diff, and nothing was staged');
      expect(await staged(workspace)).toBe(old);
      await says('#patch', '3rd');
      expect(await frame.$eval('#said', (said) => said.className)).toBe('problem');
      expect(await text('#path')).toBe('a.txt');
    });

    test('of a server that only reads, nothing can be staged', async () => {
      const workspace = await edited();
      const { frame, text } = await shown('git_status', '#patch .hunk', {
        workspace,
        server: { readOnly: true },
      });
      expect(await text('#actions')).toBe('Blame');
      expect(await frame.$$('.hunk button, [data-line]')).toEqual([]);
    });
  });

  test('says how many changed files are not shown', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    for (let at = 0; at < 5_003; at++) workspace.put(`new/${at}`, '');
    const { says } = await shown('git_status', '#files .row', { workspace });
    await says('#facts', '5,000 not tracked');
    await says('#facts', '3 files more');
  });

  test('colours code, and marks how two lines differ', async () => {
    const { frame, texts } = await shown('git_show', '#patch .code', { input: { revision: 'HEAD' } });
    await frame.click('input[value=pairs]');
    await frame.waitForSelector('.mark');
    expect(await texts('.mark')).toEqual(["'\\n'", '/\\r?\\n/', '.', 'toSorted', '()']);
    const kinds = await frame.$$eval('.k, .s, .c, .t, .f, .n', (all) =>
      all.map((each) => String(each.className)[0]),
    );
    expect([...new Set(kinds)].toSorted((a, b) => a!.localeCompare(b!)).join('')).toBe('cfknst');
  });

  test('blames a function, and opens the commit of a line', async () => {
    const input = { path: 'src/notes.ts', function: 'readNote', revision: 'HEAD' };
    const { frame, text, texts, says } = await shown('git_blame', '#lines .commit', { input });
    expect(await text('#blamed')).toBe('src/notes.ts at HEAD');
    expect((await texts('#lines .code'))[0]).toContain('export async function readNote');
    await frame.click('#lines .row:nth-child(4)');
    await says('#about', 'Keep at most 100 notes');
  });

  test('shows a comparison of two revisions, by file', async () => {
    const { frame, texts, says } = await shown('git_diff', '#patch .code', {
      input: { target: 'v1.0.0..v1.1.0' },
    });
    expect(await texts('#files .path')).toEqual(['README.md', 'src/search.ts', 'src/tags.py']);
    await says('#facts', '3 files');
    await frame.click('#files .row:nth-child(3)');
    await says('#patch', 'def tags(note)');
    expect((await texts('#patch .note')).join()).toContain('new file mode');
  });

  test('shows the text of the result where the host calls no tools', async () => {
    const refused = { isError: true, content: [{ type: 'text', text: 'Tools are off' }] };
    const { says } = await shown('git_log', '#trouble p', { onCall: () => refused });
    await says('#trouble', 'Tools are off');
    await says('#trouble', 'Ada Lovelace: Keep at most 100 notes');
  });

  test('hostile data neither run nor break the layout', async () => {
    const attack = [
      '<script>parent.hacked = hacked = 1</script><img src=x onerror="hacked=1">',
      '"><svg onload=hacked=1>{{7*7}}${hacked=1}javascript:hacked=1',
      '\u202eevil\u2066\u200f\ufeff',
      'e\u0301'.padEnd(300, '\u0301'),
    ].join(' ');
    const name = `<img src=x onerror=hacked=1>\u202e"'\t.ts`;
    using workspace = await Workspace.create({ [name]: `${attack}\n${'W'.repeat(10_000_000)}\r\n` });
    workspace.environment['GIT_AUTHOR_NAME'] = `<b onmouseover=hacked=1>\u202e${'W'.repeat(900)}`;
    await workspace.output(['branch', '\u202e<script>hacked=1<script>']);
    await workspace.commit(`${attack}\n\n${attack}\n${'W '.repeat(5_000)}`, {
      [name]: `${attack} ${attack}\n${'V'.repeat(3_000)}\n`,
    });
    workspace.put(name, `\`${attack}\n\u0000`.replace('\u0000', '\u001b[2J'));
    const parts = [
      ['git_log', {}, '#commits .subject'],
      ['git_show', { revision: 'HEAD' }, '#patch .code'],
      ['git_status', {}, '#patch .code'],
      ['git_blame', { path: name, revision: 'HEAD' }, '#lines .code'],
    ] as const;
    for (const [tool, input, awaited] of parts) {
      const view = await shown(tool, awaited, { workspace, input, width: 375 });
      const { frame } = view;
      if (tool === 'git_show') {
        await frame.click('input[value=pairs]');
        await frame.waitForSelector('.paired');
      }
      expect(await effectsOn(view, { nodes: 900 }), tool).toEqual(harmless);
    }
  });
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: the view of a repository: there is no "${chromium}"\n`);
});
