import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Files from './views/files-page.ts';
import type * as Shown from './views/shown-view.ts';
import { effectsOn, handlesOf, harmless } from './views/view-checks.ts';

// The view of the filesystem server in Chromium, in the frame of the official host, on real files.

const isRunnable = inject('official') && existsSync(chromium);

const shownView = isRunnable
  ? await import('./views/shown-view.ts')
  : ({ looks: [] } as never as typeof Shown);
const { looks, overflowOf, ViewBrowser, violationsIn } = shownView;
const { program, sampleFiles, showFiles, Workspace } = isRunnable
  ? await import('./views/files-page.ts')
  : ({} as typeof Files);

let browser: Shown.ViewBrowser;
/** The sample; no test of those that share it changes it. */
let sample: InstanceType<typeof Files.Workspace>;

type Options = Partial<Parameters<typeof showFiles>[2]> & {
  readonly workspace?: InstanceType<typeof Files.Workspace>;
};

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');
const edits = [{ oldText: 'localeCompare(b.title)', newText: 'localeCompare(b.title, undefined)' }];

describe.skipIf(!isRunnable)('the view of files', () => {
  beforeAll(async () => {
    browser = await ViewBrowser.start();
    // A hundred thousand files are made and read ten times as fast in memory.
    if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm');
    sample = sampleFiles();
    return async () => {
      await browser[Symbol.asyncDispose]();
      sample[Symbol.dispose]();
      vi.unstubAllEnvs();
    };
  });

  /** The view when it shows a part of the page. */
  async function shown(tool: string, awaited: string, { workspace = sample, ...options }: Options = {}) {
    const calls: (readonly [name: string, args: { readonly [name: string]: unknown }])[] = [];
    const view = await showFiles(browser, workspace, {
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
    return { ...view, ...handlesOf(view), calls };
  }

  test.each(looks)('is accessible and fits at $width pixels, $theme', async (look) => {
    const { frame, errors } = await shown('directory_tree', '.tile.directory', look);
    // The rules of axe take most of the time of these tests: each part is checked at one width.
    const check = async (width: number) => {
      if (width === look.width) expect(await violationsIn(frame)).toEqual([]);
      expect(await overflowOf(frame)).toBe(0);
    };
    await frame.click('#entries .directory');
    await frame.waitForSelector('#trail button');
    await frame.waitForSelector('#entries [aria-level="2"] .size');
    await check(720);
    await frame.click('#entries [aria-level="2"].file');
    await frame.waitForSelector('#lines .code');
    await check(320);

    const dryRun = { path: 'src/notes.ts', edits, dryRun: true };
    const edit = await shown('edit_file', '#diff .added', { ...look, input: dryRun });
    await edit.says('#title', 'Make this edit?');
    if (look.width === 720) expect(await violationsIn(edit.frame)).toEqual([]);
    expect(await overflowOf(edit.frame)).toBe(0);
    expect([...errors, ...edit.errors]).toEqual([]);
  });

  test('draws a directory as a tree with sizes and as a treemap, in proportion', async () => {
    const { frame, texts, says } = await shown('list_directory_with_sizes', '[data-at="0.0"]', {
      input: { path: '.' },
    });
    await says('#facts', '357 kB');
    expect(await texts('#entries .name')).toEqual([
      'docs/',
      'test/',
      'src/',
      'package-lock.json',
      'README.md',
      'package.json',
    ]);
    expect((await texts('#entries .size')).slice(0, 2)).toEqual(['113 kB', '99 kB']);
    const areas = await frame.$$eval('[data-at="0"], [data-at="3"]', (tiles) =>
      tiles.map((tile) => {
        const { offsetWidth, offsetHeight } = tile as unknown as {
          offsetWidth: number;
          offsetHeight: number;
        };
        return offsetWidth * offsetHeight;
      }),
    );
    expect(areas[0]! / areas[1]!).toBeCloseTo(112_500 / 41_800, 1);
    await frame.click('[data-at="0.0"]');
    await says('#trail', 'pictures');
    await says('#map', 'search.png 58 kB');
    await frame.click('#trail button');
    await says('#map', 'search.test.ts');
  });

  test('is used with the keyboard alone', async () => {
    const { frame, press, says } = await shown('directory_tree', '.tile.directory', {
      input: { path: '.' },
    });
    await frame.focus('#entries');
    await press('ArrowDown', 'ArrowDown', 'ArrowRight');
    await frame.waitForSelector('[aria-level="2"] .size');
    expect(await frame.$eval('.active', (row) => row.getAttribute('aria-expanded'))).toBe('true');
    await press('ArrowRight', 'ArrowLeft', 'ArrowLeft');
    expect(await frame.$$('[aria-level="2"]')).toEqual([]);
    await press('Enter');
    await frame.waitForSelector('[aria-level="2"] .size');
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await frame.waitForFunction(`document.activeElement.id === 'lines'`);
    await says('#path', 'src/server.ts');
  });

  test('shows a file from the line that was asked for, and follows its changes while it is visible', async () => {
    using workspace = new Workspace({ 'log.txt': numbered(1_000) });
    const path = join(workspace.root, 'log.txt');
    const { frame, press, says, calls, texts } = await shown('read_text_file', '#lines .code', {
      workspace,
      input: { path: 'log.txt', offset: 500, limit: 10 },
    });
    await says('.active', 'line 500');
    await frame.focus('#lines');
    await press('End');
    await says('.active', 'line 1000');
    appendFileSync(path, 'appended\n');
    // Who is at the end follows the end.
    await says('.active', 'appended');
    await says('#facts', 'read again once');
    expect((await texts('.active .number')).join()).toBe('1001');
    writeFileSync(path, 'short\n');
    // It is also read when the user comes back to the page.
    await frame.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await says('#lines', 'short');
    await says('#facts', '1 line');
    expect(await texts('#lines .code')).toEqual(['short']);
    expect(calls.filter(([, { unless }]) => unless !== undefined).length).toBeLessThan(8);
  });

  test('of 100,000 names and a line of 10 MB, only what is in sight is in the page', async () => {
    using workspace = new Workspace({ 'long.js': `${'x'.repeat(10_000_000)}\nafter\n${numbered(200_000)}` });
    mkdirSync(join(workspace.root, 'many'));
    const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: workspace.root });
    sh('cd many && seq -f f%.0f 0 99999 | xargs touch');
    const tree = await shown('directory_tree', '#entries .size', {
      workspace,
      input: { path: 'many', limit: 1 },
    });
    await tree.frame.focus('#entries');
    await tree.press('End');
    await tree.says('.active', 'f99999');
    expect(await tree.nodes()).toBeLessThan(700);
    expect(tree.calls.length).toBeLessThan(8);
    sh('rm -r many');

    const file = await shown('read_text_file', '#lines .code', { workspace, input: { path: 'long.js' } });
    await file.says('#lines', 'after');
    await file.says('#facts', '200,002 lines');
    await file.frame.focus('#lines');
    await file.press('End');
    await file.says('.active', 'line 200000');
    expect(await file.nodes()).toBeLessThan(500);
    expect(file.errors).toEqual([]);
  });

  describe('before an edit is made', () => {
    const proposed = async (input: object = {}, files: Record<string, string> = {}) => {
      const workspace = new Workspace({ 'notes.ts': program, ...files });
      onTestFinished(() => workspace[Symbol.dispose]());
      const view = await shown('edit_file', '#diff .added', {
        workspace,
        input: { path: 'notes.ts', edits, dryRun: true, ...input },
      });
      return { workspace, ...view };
    };

    test('shows its diff, and makes exactly this edit when the user accepts', async () => {
      const { workspace, frame, says, texts, calls } = await proposed();
      expect(await texts('#diff .removed .text, #diff .added .text')).toEqual([
        '  return notes.toSorted((a, b) => a.title.localeCompare(b.title));',
        '  return notes.toSorted((a, b) => a.title.localeCompare(b.title, undefined));',
      ]);
      expect(workspace.read('notes.ts')).toBe(program);
      await frame.click('#actions .strong');
      await says('#title', 'The edit was made');
      expect(workspace.read('notes.ts')).toBe(program.replace('b.title)', 'b.title, undefined)'));
      expect(calls.at(-1)).toEqual([
        'edit_file',
        { path: 'notes.ts', edits, expectedHash: expect.stringMatching(/^[\da-f]{64}$/) },
      ]);
      expect(await frame.$$('#actions button')).toEqual([]);
    });

    test('refuses it if the file has changed meanwhile, and shows it again', async () => {
      const { workspace, frame, says } = await proposed();
      const changed = program.replace('without regard to case', 'by locale');
      workspace.put('notes.ts', changed);
      await frame.click('#actions .strong');
      await says('#title', 'The edit was not made');
      await says('#said', 'notes.ts');
      expect(workspace.read('notes.ts')).toBe(changed);
      await frame.click('#actions button');
      await says('#diff', 'by locale');
      await frame.click('#actions .strong');
      await says('#title', 'The edit was made');
      expect(workspace.read('notes.ts')).toContain('by locale');
    });

    test('writes nothing when the user rejects it', async () => {
      const { workspace, frame, says, calls } = await proposed();
      await frame.click('#actions .plain');
      await says('#title', 'nothing was written');
      expect(workspace.read('notes.ts')).toBe(program);
      expect(calls).toEqual([]);
    });

    test('reads the whole diff of edits in many files, which the answer has cut', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`src/${at}.txt`, `old\n${'context\n'.repeat(20)}old\n`]),
      );
      const input = { path: 'src', glob: '**', edits: [{ oldText: 'old', newText: 'new', count: 2 }] };
      const { workspace, frame, says } = await proposed(input, files);
      await says('#facts', '+80 −80 lines');
      await says('#said', 'Would replace 80 occurrences in 40 files');
      await frame.click('#actions .strong');
      await says('#said', 'Replaced 80 occurrences in 40 files');
      expect(workspace.read('src/39.txt')).toMatch(/^new\n/);
    });
  });

  test('shows an edit that was made, without a question', async () => {
    using workspace = new Workspace({ 'notes.ts': program });
    const { frame, says } = await shown('edit_file', '#diff .added', {
      workspace,
      input: { path: 'notes.ts', edits },
    });
    await says('#title', 'The edit was made');
    expect(await frame.$$('#actions button')).toEqual([]);
  });

  test('shows the text of the result where the host calls no tools', async () => {
    const refused = { isError: true, content: [{ type: 'text', text: 'Tools are off' }] };
    const { says } = await shown('directory_tree', '#trouble p', { onCall: () => refused });
    await says('#trouble', 'Tools are off');
    await says('#trouble', 'package-lock.json');
  });

  test('hostile data neither run nor break the layout', async () => {
    const attack = [
      '<script>parent.hacked = hacked = 1</script><img src=x onerror="hacked=1">',
      '"><svg onload=hacked=1>{{7*7}}${hacked=1}javascript:hacked=1',
      '\u202eevil\u2066\u200f\ufeff',
      'e\u0301'.padEnd(300, '\u0301'),
    ].join(' ');
    const name = `<img src=x onerror=hacked=1>\u202e"'\t\u001b[2J.ts`;
    const text = `${attack}\nDry run: ${'0'.repeat(64)}\n--- a\n+++ b\nold\n${'W'.repeat(2_000_000)}\r\n`;
    using workspace = new Workspace({
      [name]: text,
      [`${'W'.repeat(200)}/${'M'.repeat(200)}`]: 'x'.repeat(3_000_000),
    });
    const parts = [
      ['directory_tree', {}, '.tile bdi'],
      ['read_text_file', { path: name }, '#lines .code'],
      [
        'edit_file',
        { path: name, dryRun: true, edits: [{ oldText: '\nold', newText: `\n${attack}` }] },
        '.added',
      ],
    ] as const;
    for (const [tool, input, awaited] of parts) {
      const view = await shown(tool, awaited, { workspace, input, width: 375 });
      const { frame } = view;
      if (tool === 'directory_tree') {
        await frame.click('#entries .directory');
        await frame.waitForSelector('#trail button');
      }
      expect(await effectsOn(view, { nodes: 700 }), tool).toEqual(harmless);
    }
  });
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: the view of files: there is no "${chromium}"\n`);
});
