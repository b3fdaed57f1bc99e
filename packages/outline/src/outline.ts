/** A named part of a source text. Lines are counted from 1, and `endLine` belongs to the symbol. */
export interface OutlineSymbol {
  readonly name: string;
  /**
   * The kind of the symbol, as its language calls it, such as `function`, `class`, `method`, `h2` or `key`.
   */
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The symbols inside this symbol, in the order of the text. */
  readonly children: readonly OutlineSymbol[];
}

export interface Outline {
  /** The outermost symbols, in the order of the text. */
  readonly symbols: readonly OutlineSymbol[];
  /** The number of all symbols, including those inside other symbols. */
  readonly count: number;
  /** Whether the text has more symbols than `maxSymbols`, so that the last ones are left out. */
  readonly isCut: boolean;
  /** Whether the parser found syntax errors. Symbols near an error may be missing. */
  readonly hasErrors: boolean;
}

/** A symbol as the parser reports it, in a list in which outer symbols come before inner ones. */
export interface FlatSymbol {
  readonly name: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The number of symbols that contain this symbol. */
  readonly depth: number;
}

/** Returns the symbols that contain a line, from the outermost to the innermost. */
export function symbolsAt(outline: Outline, line: number): OutlineSymbol[] {
  const path: OutlineSymbol[] = [];
  let inside: OutlineSymbol | undefined;
  let { symbols } = outline;
  do {
    // If one symbol ends and another begins on the line, the one that begins is returned.
    inside = symbols.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
    if (inside) {
      path.push(inside);
      symbols = inside.children;
    }
  } while (inside);
  return path;
}

/** Turns a flat list into a tree. Returns the outermost symbols, which have the others as their children. */
export function nest(list: readonly FlatSymbol[]): OutlineSymbol[] {
  const levels: OutlineSymbol[][] = [[]];
  for (const { depth, ...symbol } of list) {
    const children: OutlineSymbol[] = [];
    levels.length = depth + 1;
    levels[depth]!.push({ ...symbol, children });
    levels.push(children);
  }
  return levels[0]!;
}
