import { unquoted } from './statement-guard.ts';
import { tokenize } from './tokenizer.ts';

/** Returns the names that are quoted as identifiers in statements, not as text, each once. */
export function quotedNames(sqls: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const sql of sqls) {
    for (const { kind, text } of tokenize(sql))
      if (kind === 'quoted' && !text.startsWith("'")) names.add(unquoted(text));
  }
  return names;
}

/** Returns the names before a point (of databases, tables or aliases) in lower case, in order, each once. */
export function qualifiers(sqls: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const sql of sqls) {
    let previous: string | undefined;
    for (const { kind, text } of tokenize(sql)) {
      if (text === '.' && previous !== undefined) names.add(previous.toLowerCase());
      previous = kind === 'other' || text.startsWith("'") ? undefined : unquoted(text);
    }
  }
  return names;
}
