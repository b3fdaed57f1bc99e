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
