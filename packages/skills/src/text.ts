// With `ignoreBOM`, a byte order mark stays in the text, so that the text has the same bytes as the file.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text; undefined if they are not UTF-8, or have a NUL, so that they are not text. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
