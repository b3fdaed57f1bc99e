/** The message of a thrown value. The value may have any type, and may have no string form. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'A value without a string form was thrown';
  }
}

/** The stack of a thrown value, or its message. */
export function stackOf(thrown: unknown): string {
  try {
    return (thrown instanceof Error && thrown.stack) || messageOf(thrown);
  } catch {
    return messageOf(thrown);
  }
}

/** The code of a system error, such as `ENOENT`; undefined for other values. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

/** The message of a system error without its call and path: `ENOSPC: no space left on device`. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/, \w+ '.*$|, \w+$/s, '');
}
