import { isUtf8 } from 'node:buffer';
import { escapeName, quoted as quotedText } from '@mcp/kit';

/** Returns a name or path that is safe to print: characters that hide, reorder or forge text are escaped. */
export const displayName: (name: string) => string = escapeName;

/** Returns a path in double quotes for messages, escaped, and shortened to about 300 characters. */
export const quoted: (path: string) => string = (path) => quotedText(path);

/** Matches, in bytes decoded as Latin-1, a sequence that may be a UTF-8 character, or else one byte. */
const sequences = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\0-\xff]/g;

/** Like {@link displayName}, for the bytes of a name; a byte that is not UTF-8 is escaped as in `\xff`. */
export function displayBytes(name: Buffer): string {
  return name.toString('latin1').replace(sequences, (sequence) => {
    const bytes = Buffer.from(sequence, 'latin1');
    if (isUtf8(bytes)) return escapeName(bytes.toString());
    return Array.from(bytes, (byte) => `\\x${byte.toString(16)}`).join('');
  });
}
