import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';

/**
 * A replacement of lines. `path` is relative to the root of the work tree; the texts have one character
 * (latin1) for each byte.
 */
export interface StagedReplacement {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces a file's content in the index. Git itself compares the old content with `from`, while it holds the
 * index lock, and fails if they differ. `reverse` swaps the texts.
 */
export function applyToIndex({ path, from, to }: StagedReplacement, { reverse = false } = {}): Command<void> {
  const [a, b] = [headerName('a', path), headerName('b', path)];
  const [old, made] = [linesOf(from, '-'), linesOf(to, '+')];
  const header = `diff --git ${a} ${b}\n--- ${a}\n+++ ${b}\n@@ -${rangeOf(old)} +${rangeOf(made)} @@\n`;
  return {
    kind: 'write',
    args: argv`apply --cached --whitespace=nowarn --no-ignore-whitespace ${reverse && '--reverse'}`,
    input: Buffer.from(header + old.join('') + made.join(''), 'latin1'),
    refusals: [[/patch does not apply|does not exist in index/, staleDiff]],
  };
}

/** The error message if a file or the index has changed since the diff whose lines are to be staged. */
export const staleDiff =
  'The file, or what is staged of it, has changed since that diff, and nothing was staged: read the unstaged diff again';

/** The lines of a text as a diff writes them: each begins with the sign. */
function linesOf(text: string, sign: '-' | '+'): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) =>
    line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
  );
}

function rangeOf(lines: readonly string[]): string {
  return lines.length === 0 ? '0,0' : `1,${lines.length}`;
}

/** A path in a header line of a diff, quoted as git quotes it, with one character (latin1) for each byte. */
function headerName(side: 'a' | 'b', path: string): string {
  const bytes = Buffer.from(`${side}/${path}`).toString('latin1');
  const escaped = bytes
    .replace(/["\\]/g, String.raw`\$&`)
    .replace(/[^ -~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}
