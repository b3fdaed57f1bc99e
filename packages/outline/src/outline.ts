/** A named part of a source text. Lines are counted from 1; the last one belongs to the symbol. */
export interface OutlineSymbol {
  readonly name: string;
  /** The kind of the symbol in its language, such as `function`, `class`, `method`, `h2` or `key`. */
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The symbols inside, in the order of the text. */
  readonly children: readonly OutlineSymbol[];
}

/** The symbols of a source text. */
export interface Outline {
  /** The outermost symbols, in the order of the text. */
  readonly symbols: readonly OutlineSymbol[];
  /** The number of all symbols, with those inside others. */
  readonly count: number;
  /** Whether the text has more symbols than `maxSymbols`: those after the last one are left out. */
  readonly isCut: boolean;
  /** Whether the parser found errors, near which symbols can be missing. */
  readonly hasErrors: boolean;
}

/** A symbol as the parser reports it: the symbols around it come before it. */
export interface FlatSymbol {
  readonly name: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The number of symbols around it. */
  readonly depth: number;
}

/** Returns the symbols that a line is in, from the outermost to the innermost. */
export function symbolsAt(outline: Outline, line: number): OutlineSymbol[] {
  const path: OutlineSymbol[] = [];
  let inside: OutlineSymbol | undefined;
  let { symbols } = outline;
  do {
    // On a line where one symbol ends and the next begins, the next is meant.
    inside = symbols.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
    if (inside) {
      path.push(inside);
      symbols = inside.children;
    }
  } while (inside);
  return path;
}

/** Returns the outermost symbols of a list, with the others as their children. */
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
