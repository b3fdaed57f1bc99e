import { quoted } from '@mcp/kit';
const maxLength = 200;

/** Formats an untrusted value for an error message or a log line; a string is cut at 200 characters. */
export function quote(value: unknown): string {
  // Arrays and objects are not serialized, because very many levels would exhaust the stack.
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? quoted(value, maxLength) : (JSON.stringify(value) ?? 'nothing');
}
