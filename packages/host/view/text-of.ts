/** A value for display: a text as it is, any other value as JSON, and nothing for undefined. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
