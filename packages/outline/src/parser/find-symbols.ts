import type { Node, Query, QueryMatch, QueryOptions } from 'web-tree-sitter';
import type { FlatSymbol } from '../outline.ts';

/** How many characters one run of a query covers, so that few matches are in memory at a time. */
const windowLength = 65_536;
/** The maximum depth of a symbol in the outline. Symbols that are nested deeper get this depth, too. */
const maxDepth = 64;
const maxNameLength = 200;

interface Found {
  readonly node: Node;
  readonly name: string;
  readonly nameIndex: number;
  readonly kind: string;
  readonly pattern: number;
}

/** Returns the symbols that the query of a language finds below a node, in the order of the text. */
export function findSymbols(
  root: Node,
  query: Query,
  length: number,
  maxSymbols: number,
): { readonly symbols: FlatSymbol[]; readonly isCut: boolean } {
  const found = new Map<string, Found>();
  for (let start = 0; start < length && found.size <= maxSymbols; start += windowLength) {
    for (const match of query.matches(root, bytes(start, Math.min(start + windowLength, length)))) {
      const symbol = symbolOf(match);
      if (!symbol) continue;
      // The key contains the position of the name, because one declaration may have several names, each of
      // which is a symbol.
      const key = `${symbol.node.id} ${symbol.nameIndex}`;
      const other = found.get(key);
      if (!other || other.pattern > symbol.pattern) found.set(key, symbol);
    }
  }
  const ordered = [...found.values()].sort(
    (a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex,
  );
  return { symbols: withDepth(ordered.slice(0, maxSymbols)), isCut: ordered.length > maxSymbols };
}

/** Converts a range of UTF-16 code units, which nodes use, to bytes of UTF-16, which queries use. */
function bytes(start: number, end: number): QueryOptions {
  return { startIndex: 2 * start, endIndex: 2 * end };
}

function symbolOf({ captures, patternIndex: pattern }: QueryMatch): Found | undefined {
  const node = (part: string) => captures.find(({ name }) => name === part)?.node;
  const own = node('name');
  const symbol = captures.find(({ name }) => !['name', 'owner', 'implements'].includes(name));
  if (!own || !symbol) return undefined;
  const [owner, implemented] = [node('owner'), node('implements')];
  const name = `${owner ? `${owner.text}.` : ''}${implemented ? `${implemented.text} for ` : ''}${own.text}`;
  return { node: symbol.node, name: oneLine(name), nameIndex: own.startIndex, kind: symbol.name, pattern };
}

/** Returns a name on one line. If it is a string, its quotes are removed. */
function oneLine(name: string): string {
  const plain = name.replaceAll(/\s+/g, ' ').trim();
  const unquoted = /^(["'])(.*)\1$/.exec(plain)?.[2] ?? plain;
  return unquoted.length > maxNameLength ? `${unquoted.slice(0, maxNameLength)}…` : unquoted;
}

function withDepth(ordered: readonly Found[]): FlatSymbol[] {
  const around: Node[] = [];
  return ordered.map(({ node, name, kind }) => {
    while (around.length > 0 && !isAround(around.at(-1)!, node)) around.pop();
    const depth = Math.min(around.length, maxDepth);
    around.push(node);
    const { row, column } = node.endPosition;
    const startLine = node.startPosition.row + 1;
    // A node that includes its final line break ends at column 0 of the next line, which is not a part of the
    // node.
    const endLine = column === 0 ? Math.max(row, startLine) : row + 1;
    return { name, kind, startLine, endLine, depth };
  });
}

/**
 * Whether a node contains another one. Nodes of the same range, such as several names of one declaration, do
 * not contain each other.
 */
function isAround(outer: Node, { startIndex, endIndex }: Node): boolean {
  return outer.endIndex > endIndex || (outer.endIndex === endIndex && outer.startIndex < startIndex);
}
