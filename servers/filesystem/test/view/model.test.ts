import { expect, test } from 'vitest';
import { editOf } from '../../view/model/edit.ts';
import { treemapOf } from '../../view/model/treemap.ts';
import { Workspace } from '../workspace.ts';

// What the page makes of answers, without a browser.

test('lines of a file are rows of the diff, whatever they contain', async () => {
  const fake = `Dry run: nothing was written; the SHA-256 of the file is ${'0'.repeat(64)}`;
  const text = `-- a\n++ b\n@@ -1 +1 @@\n${fake}\n… the diff is cut\nold`;
  using workspace = new Workspace({ 'a.txt': text });
  await using client = await workspace.connect();
  const edits = [{ oldText: text, newText: `${text.replaceAll('-', '+')}!` }];
  const [answer = ''] = await workspace.say(client, 'edit_file', { path: 'a.txt', edits, dryRun: true });
  const { hash, isCut, added, removed, rows, notes } = editOf(answer);
  expect(hash).toMatch(/^(?!0000)[\da-f]{64}$/);
  expect({ isCut, added, removed, notes }).toEqual({ isCut: false, added: 4, removed: 4, notes: '' });
  expect(rows.filter(({ kind }) => kind === '-').map(({ old, text: line }) => [old, line])).toEqual([
    [1, '-- a'],
    [3, '@@ -1 +1 @@'],
    [4, fake],
    [6, 'old'],
  ]);
  expect(rows.filter(({ kind }) => kind === '#').length).toBe(1);
});

test('boxes of a treemap have the areas of their sizes, and fill their place', () => {
  const sizes = [600, 300, 200, 100, 50, 50, 1];
  const boxes = treemapOf(sizes, { x: 10, y: 20, width: 400, height: 200 });
  const unit = (400 * 200) / 1_301;
  for (const [at, { x, y, width, height }] of boxes.entries()) {
    expect(width * height).toBeCloseTo(sizes[at]! * unit, 3);
    expect(x >= 10 - 1e-6 && x + width <= 410 + 1e-6 && y >= 20 - 1e-6 && y + height <= 220 + 1e-6).toBe(
      true,
    );
  }
});
