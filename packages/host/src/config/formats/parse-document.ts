import { type Document, offsetAt, readJsonc } from '@mcp/kit/jsonc';
import { fileError } from '../../errors.ts';
import { readToml } from './read-toml.ts';

/** Parses the text of a file; throws a `HostError` with the place of the first mistake. */
export function parseDocument(file: string, text: string, language: 'json' | 'toml'): Document {
  const parsed = language === 'toml' ? readToml(text) : readJsonc(text);
  if (!('mistake' in parsed)) return parsed;
  const { message, line, column } = parsed.mistake;
  const offset = offsetAt(text, line, column);
  throw fileError(`Cannot read "${file}", line ${line}, column ${column} (offset ${offset}): ${message}`);
}
