import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Document, SyntaxMistake } from './document.ts';
import { positionAt } from './position.ts';

/** Reads JSON with comments and trailing commas, as VS Code, Zed and opencode write it. */
export function readJsonc(text: string): Document | { readonly mistake: SyntaxMistake } {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const plain = parseJson(content);
  if (plain) {
    // Parsing the syntax tree takes ten times as long as parsing the value, so it is done only when a line is
    // needed.
    let lineOf: Document['lineOf'] | undefined;
    return { ...plain, lineOf: (path) => (lineOf ??= linesOf(content, treeOf(content)))(path) };
  }
  const errors: ParseError[] = [];
  const tree = treeOf(content, errors, { allowTrailingComma: true });
  if (tree === tooDeep)
    return { mistake: { message: 'JSON: the values are nested too deep', line: 1, column: 1 } };
  const first = errors[0];
  if (first || !tree) {
    const message = first ? `JSON: ${inWords(printParseErrorCode(first.error))}` : 'the file is empty';
    return { mistake: { message, ...positionAt(content, first?.offset ?? 0) } };
  }
  return { root: getNodeValue(tree), lineOf: linesOf(content, tree) };
}

/** The value of JSON without comments; undefined for any text that is not plain JSON. */
function parseJson(text: string): { readonly root: unknown } | undefined {
  try {
    return { root: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Stands for the tree of a text that is nested too deeply for the recursive parser. */
const tooDeep = 'too deep';

function treeOf(...args: Parameters<typeof parseTree>): Node | typeof tooDeep | undefined {
  try {
    return parseTree(...args);
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    throw error;
  }
}

function linesOf(content: string, tree: ReturnType<typeof treeOf>): Document['lineOf'] {
  return (path) => {
    if (tree === tooDeep || !tree) return 1;
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(tree, path.slice(0, length));
      // Returns the line of the key, because the value may begin on another line.
      if (node) return positionAt(content, (node.parent ?? node).offset).line;
    }
    return 1;
  };
}

/** Returns the name of an error as words: `comma expected` for `CommaExpected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
