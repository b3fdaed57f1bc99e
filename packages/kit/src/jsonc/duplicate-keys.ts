import { type Node, parseTree } from 'jsonc-parser';
import type { Path } from './value-reader.ts';
import { positionAt } from './position.ts';

/** A key that an object has twice; the later one counts. */
export interface DuplicateKey {
  /** The keys that lead to the value, with the key itself. */
  readonly path: Path;
  /** The lines of the key that does not count, and of the one that does; from 1. */
  readonly line: number;
  readonly later: number;
}

/** Finds keys that objects have twice in a text of JSON with comments; none in a text that cannot be read. */
export function duplicateKeys(text: string): readonly DuplicateKey[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const found: DuplicateKey[] = [];
  const open: { readonly node: Node; readonly path: Path }[] = [];
  const root = treeOf(body);
  if (root) open.push({ node: root, path: [] });
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next;
    const { children = [] } = node;
    const known = new Map<string, Node>();
    for (const [index, child] of children.entries()) {
      if (node.type !== 'object') {
        open.push({ node: child, path: [...path, index] });
        continue;
      }
      const [keyNode, value] = child.children ?? [];
      const key = String(keyNode?.value);
      const earlier = known.get(key);
      const lineOf = ({ offset }: Node) => positionAt(body, offset).line;
      if (earlier) found.push({ path: [...path, key], line: lineOf(earlier), later: lineOf(child) });
      known.set(key, child);
      if (value) open.push({ node: value, path: [...path, key] });
    }
  }
  return found.toSorted((a, b) => a.line - b.line);
}

function treeOf(body: string): Node | undefined {
  try {
    return parseTree(body, [], { allowTrailingComma: true });
  } catch {
    // The text is nested too deep for the recursive parser.
    return undefined;
  }
}
