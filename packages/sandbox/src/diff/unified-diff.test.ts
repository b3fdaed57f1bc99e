import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

describe('unifiedDiff', () => {
  it('a diff equals the output of diff -u', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
    const after = before
      .replace('line 2\n', 'LINE 2\n')
      .replace('line 18\n', '')
      .replace('line 20\n', 'line 20');
    expect(unifiedDiff('a.txt', before, after)).toBe(`--- a.txt
+++ a.txt
@@ -1,5 +1,5 @@
 line 1
-line 2
+LINE 2
 line 3
 line 4
 line 5
@@ -15,6 +15,5 @@
 line 15
 line 16
 line 17
-line 18
 line 19
-line 20
+line 20
\\ No newline at end of file
`);
  });

  it('equal texts give an empty diff, and an empty text has line number 0', () => {
    expect(unifiedDiff('a', 'x', 'x')).toBe('');
    expect(unifiedDiff('a', '', 'x\n')).toBe('--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n');
    expect(unifiedDiff('a\nb', 'x\n', '')).toBe('--- a\\nb\n+++ a\\nb\n@@ -1 +0,0 @@\n-x\n');
  });

  it('changes with at most six lines between them are in one hunk, as in diff -u', () => {
    const text = (between: number, change: string) => `${change}\n${'same\n'.repeat(between)}${change}\n`;
    const hunks = (between: number) =>
      unifiedDiff('a', text(between, 'old'), text(between, 'new')).match(/^@@.*$/gm);
    expect(hunks(6)).toEqual(['@@ -1,8 +1,8 @@']);
    expect(hunks(7)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
  });

  it('of a line with more than 1,000 characters, the part around the first difference is shown', () => {
    const shown = (before: string, after: string) => {
      const [, , , removed, added, ...rest] = unifiedDiff('a', before, after).split('\n');
      expect(rest).toEqual(['']);
      return [removed, added];
    };
    const line = (length: number, at: number, end = '') =>
      `${'a'.repeat(at)}${end}${'b'.repeat(length - at - end.length - 1)}\n`;
    // 1,000 characters with the line break are shown whole.
    expect(shown(line(1000, 500), line(1000, 500, 'X'))).toEqual([
      `-${line(1000, 500).trimEnd()}`,
      `+${line(1000, 500, 'X').trimEnd()}`,
    ]);
    expect(shown(line(1001, 500), line(1001, 500, 'X'))).toEqual([
      `-…${'a'.repeat(200)}${'b'.repeat(400)}…`,
      `+…${'a'.repeat(200)}X${'b'.repeat(399)}…`,
    ]);
    // Near the beginning and the end of the line.
    expect(shown(line(1001, 150), line(1001, 150, 'X'))).toEqual([
      `-${'a'.repeat(150)}${'b'.repeat(450)}…`,
      `+${'a'.repeat(150)}X${'b'.repeat(449)}…`,
    ]);
    expect(shown(line(1001, 601), line(1001, 601, 'X'))).toEqual([
      `-…${'a'.repeat(200)}${'b'.repeat(399)}`,
      `+…${'a'.repeat(200)}X${'b'.repeat(398)}`,
    ]);
    // Beside a short line with the same beginning, beside another one, and without a line break.
    const short = `${'a'.repeat(900)}\n`;
    expect(unifiedDiff('a', short, line(1001, 900))).toContain(`\n+…${'a'.repeat(200)}b`);
    expect(unifiedDiff('a', line(1001, 900), short)).toContain(`\n-…${'a'.repeat(200)}b`);
    expect(unifiedDiff('a', line(1001, 1000), 'a\n')).toContain(`\n-${'a'.repeat(600)}…\n+a\n`);
    expect(unifiedDiff('a', 'a\n', line(1001, 1000))).toContain(`\n-a\n+${'a'.repeat(600)}…\n`);
    expect(unifiedDiff('a', 'a\n', 'a'.repeat(1001))).toContain(
      `\n-a\n+${'a'.repeat(600)}…\n\\ No newline at end of file\n`,
    );
    // The second line of a change is compared with the second one.
    const [first, second] = [line(1001, 900), line(1001, 700)];
    const changed = line(1001, 900, 'X') + line(1001, 700, 'Y');
    const diff = unifiedDiff('a', `1\n2\n${first}${second}`, `1\n2\n${changed}`);
    expect(diff.match(/^-…/gm)).toHaveLength(2);
    expect(diff.match(/X.{5}|.Y/g)).toEqual([`X${'b'.repeat(5)}`, 'aY']);
    // An emoji that the cut would divide.
    const emoji = `${'a'.repeat(599)}😀${'b'.repeat(500)}`;
    expect(unifiedDiff('a', emoji, `X${emoji}`)).toContain(`\n-${'a'.repeat(599)}\ufffd…`);
  });

  it('a long diff is cut after a line, and says how many lines it has', () => {
    const lines = (mark: string) => `${mark}\n`.repeat(10);
    const whole = unifiedDiff('a', lines('old'), lines('new'));
    const printed = whole.length - '--- a\n+++ a\n'.length;
    expect(unifiedDiff('a', lines('old'), lines('new'), printed + 1)).toBe(whole);
    const note = '… the diff is cut; in all 10 lines removed and 10 added; a larger maxDiff shows more\n';
    expect(unifiedDiff('a', lines('old'), lines('new'), printed)).toBe(`${whole}${note}`);
    expect(unifiedDiff('a', lines('old'), lines('new'), 1)).toBe(
      `--- a\n+++ a\n@@ -1,10 +1,10 @@\n-old\n${note}`,
    );
    const [before, after] = [`a\n${'same\n'.repeat(9)}b\n`, `A\n${'same\n'.repeat(9)}B\nC\n`];
    const cut = unifiedDiff('a', before, after, 30);
    expect(cut).toContain('+A\n');
    expect(cut).not.toContain('-b');
    expect(cut).toContain('in all 2 lines removed and 3 added');
  });

  it('two texts without a common line are compared in bounded time', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 50_000 }, (_, i) => `${letter}${i}\n`).join(''),
    );
    const started = performance.now();
    expect(unifiedDiff('x', before!, after!).length).toBeLessThan(70_000);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('applying the diff to the old text with patch gives the new text', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd', '\n', 'e\n', 'f\n'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applied(before, unifiedDiff('x', before, after))).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Applies a diff to `before` as the program `patch` does, and checks every context line. */
function applied(before: string, diff: string): string {
  const lines = before === '' ? [] : before.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  const [, , ...rest] = diff.split(/(?<=\n)/);
  for (const [index, whole] of rest.entries()) {
    if (whole.startsWith('\\')) continue;
    const line = rest[index + 1]?.startsWith('\\') ? whole.slice(0, -1) : whole;
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result.push(...lines.slice(at, start));
      at = start;
    } else if (line[0] === '+') {
      result.push(line.slice(1));
    } else {
      expect(lines[at]).toBe(line.slice(1));
      if (line[0] === ' ') result.push(lines[at]!);
      at++;
    }
  }
  return [...result, ...lines.slice(at)].join('');
}
