import type { Outline, OutlineSymbol } from '@mcp/outline';

export interface OutlineLines {
  readonly lines: readonly string[];
  /** The symbols that `lines` show, for structured content. */
  readonly shown: { name: string; kind: string; startLine: number; endLine: number; depth: number }[];
  /**
   * The line of the file at which the first symbol that is not in `lines` starts; undefined if `lines` show
   * all.
   */
  readonly next?: number | undefined;
}

/** Returns lines such as `4-9 method next`, from `offset` on, down to `depth`, in `room` characters. */
export function outlineLines(
  { symbols }: Outline,
  {
    depth = Infinity,
    offset = 1,
    room,
  }: { depth?: number | undefined; offset?: number | undefined; room: number },
): OutlineLines {
  const lines: string[] = [];
  const shown: OutlineLines['shown'] = [];
  let length = 0;
  let next: number | undefined;
  const add = (list: readonly OutlineSymbol[], level: number) => {
    for (const { name, kind, startLine, endLine, children } of list) {
      if (next !== undefined || level >= depth) return;
      if (startLine >= offset) {
        const range = startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
        const line = `${'  '.repeat(level)}${range} ${kind} ${name}`;
        length += line.length + 1;
        if (length > room) return void (next = startLine);
        lines.push(line);
        shown.push({ name, kind, startLine, endLine, depth: level });
      }
      add(children, level + 1);
    }
  };
  add(symbols, 0);
  return { lines, shown, next };
}

/** The note in an answer on an outline that may be incomplete; empty for a complete outline. */
export function outlineNotes({ hasErrors, isCut, count }: Outline): string[] {
  return [
    ...(hasErrors ? ['syntax errors: symbols may be missing'] : []),
    ...(isCut ? [`only the first ${count} symbols`] : []),
  ];
}

/**
 * The symbols around a line as one name, with the lines of the innermost symbol; empty if no symbol has the
 * line.
 */
export function symbolPath(path: readonly OutlineSymbol[]): string {
  if (path.length === 0) return '';
  const names = path.map(({ kind, name }) => `${kind} ${name}`).join(' > ');
  const { startLine, endLine } = path.at(-1)!;
  return `${names} (${startLine}-${endLine})`;
}
