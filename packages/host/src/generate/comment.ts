import { oneLine } from '@mcp/kit';

const maxWidth = 100;

/** A note as lines of a comment for documentation; none for an empty note. */
export function commentLines(note: string, indent: string): readonly string[] {
  const lines = note
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => wrapped(harmless(oneLine(line)), maxWidth - indent.length));
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return [];
  if (lines.length === 1) return [`${indent}/** ${lines[0]!} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** A text that neither ends its comment nor tells the compiler anything, as `@ts-expect-error` does. */
function harmless(text: string): string {
  return text.replaceAll('*/', String.raw`*\/`).replaceAll('@ts-', String.raw`\@ts-`);
}

/** Lines of at most `width` characters, unless a word is longer. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
