const maxLength = 200;

/** An untrusted value for an error message or a log line: JSON, at most 200 characters of it. */
export function quote(value: unknown): string {
  // Objects are not serialized: their depth may exceed the stack.
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
