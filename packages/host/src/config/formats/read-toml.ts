import { parse, TomlError } from 'smol-toml';
import type { Document, SyntaxMistake } from '@mcp/kit/jsonc';

/** Reads TOML. The parser keeps no positions, so the line of a table is found by searching for its header. */
export function readToml(text: string): Document | { readonly mistake: SyntaxMistake } {
  try {
    const root: unknown = parse(text, { integersAsBigInt: 'asNeeded' });
    return { root, lineOf: (path) => lineOfTable(text, path) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = `TOML: ${error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')}`;
    return { mistake: { message, line: error.line, column: error.column } };
  }
}

function lineOfTable(text: string, path: readonly (string | number)[]): number {
  const lines = text.split('\n');
  for (let length = path.length; length > 0; length--) {
    const header = path
      .slice(0, length)
      .map(keyPattern)
      .join(String.raw`\s*\.\s*`);
    const pattern = new RegExp(String.raw`^\s*\[\s*${header}\s*\]`);
    const index = lines.findIndex((line) => pattern.test(line));
    if (index === -1) continue;
    const rest = path.slice(length);
    if (rest.length === 0) return index + 1;
    const key = new RegExp(String.raw`^\s*${keyPattern(rest[0]!)}\s*[.=]`);
    const within = lines.findIndex((line, at) => at > index && key.test(line));
    return (within === -1 ? index : within) + 1;
  }
  return 1;
}

/** The pattern of a key in TOML, which may be bare or in quotes. */
function keyPattern(key: string | number): string {
  const literal = String(key).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const escaped = JSON.stringify(String(key)).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `(?:${literal}|${escaped}|'${literal}')`;
}
