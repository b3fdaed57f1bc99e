const maxLength = 200;

/** A value from outside for an error message or a line of a log: JSON, at most 200 characters of it. */
export function quote(value: unknown): string {
  // Objects are not written out: they may be deeper than the stack.
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
