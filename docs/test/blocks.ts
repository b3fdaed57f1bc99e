/** A block of a Markdown document, without line breaks that only wrap it. */
export interface Block {
  /** `heading 2`, `code json [server.mjs]`, `table 3`, `list` … */
  readonly kind: string;
  /** The lines of code, the rows of a table, the items of a list; else one text. */
  readonly parts: readonly string[];
}

/** The blocks of a document. */
export function blocksOf(document: string): Block[] {
  const [, front = '', body = document] = /^(---\n[\s\S]*?\n---\n)?([\s\S]*)$/.exec(document) ?? [];
  const blocks: Block[] = front === '' ? [] : [{ kind: 'front matter', parts: [front] }];
  const pattern = /^(`{3,})(.*)\n([\s\S]*?)^\1$|^(?:(?!```).+\n?)+/gm;
  for (const [text, fence, info = '', code = ''] of body.matchAll(pattern)) {
    if (fence === undefined) blocks.push(...blocksOfText(text));
    else blocks.push({ kind: `code ${info}`, parts: code.split('\n') });
  }
  return blocks;
}

function blocksOfText(text: string): Block[] {
  const lines = text.trimEnd().split('\n');
  const [first = '', ...rest] = lines;
  const heading = /^(#+) (.*)/.exec(first);
  if (heading) {
    return [
      { kind: `heading ${heading[1]!.length}`, parts: [heading[2]!] },
      ...(rest.length > 0 ? blocksOfText(rest.join('\n')) : []),
    ];
  }
  if (first.startsWith('<!--')) return [{ kind: 'comment', parts: [lines.join('\n')] }];
  if (first.startsWith('|')) {
    return [{ kind: `table of ${cellsOf(first).length} columns`, parts: lines.toSpliced(1, 1) }];
  }
  if (/^(?:- |\d+\. )/.test(first))
    return [{ kind: 'list', parts: lines.join('\n').split(/\n(?=- |\d+\. )/) }];
  return [{ kind: first.startsWith('<') ? 'HTML' : 'paragraph', parts: [lines.join('\n')] }];
}

/** The cells of a row of a table. */
export function cellsOf(row: string): string[] {
  return row
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The text without the spaces that align tables. */
export function rowsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => (line.startsWith('|') ? cellsOf(line).join('|').replaceAll(/-+/g, '-') : line));
}
