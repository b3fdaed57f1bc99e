import { escapeName } from '@mcp/kit';

// The names that a device has on Windows, whatever their extension is.
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** The maximum length of a name in bytes, on most file systems. */
const maxNameBytes = 255;

/** The maximum number of names in a path. */
const maxNames = 32;

/**
 * Throws an `Error` for paths that are not plain files of their own on each system: with a name that starts
 * with a dot, which is that of a setting or hook of a program; that has hidden characters; or that Windows
 * does not have or reads as another one. See `refuseSameFiles`, too. With `mayStartWithDot`, names may
 * start with a dot, except for `.` and `..`.
 */
export function refuseUnportable(paths: readonly string[], { mayStartWithDot = false } = {}): void {
  for (const path of paths) {
    const names = path.split('/');
    const shown = escapeName(path);
    if (names.length > maxNames) throw new Error(`"${shown}" is more than ${maxNames} levels deep`);
    for (const name of names) {
      const fault = name.startsWith('.') && !mayStartWithDot ? 'starts with a dot' : faultOf(name);
      if (fault !== undefined) throw new Error(`"${shown}" has a name that ${fault}: "${escapeName(name)}"`);
    }
  }
  refuseSameFiles(paths);
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (escapeName(name) !== name) return 'has hidden characters';
  if (Buffer.byteLength(name) > maxNameBytes) return `has more than ${maxNameBytes} bytes`;
  return /[<>:"|?*]|[. ]$/.test(name) || deviceName.test(name) ? 'is not valid on each system' : undefined;
}

/**
 * Throws an `Error` for two paths that differ only in case or in the form of their letters, and for one that
 * is a directory of another.
 */
export function refuseSameFiles(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const other = seen.get(folded(path));
    if (other !== undefined) throw new Error(`"${path}" and "${other}" are the same file on some systems`);
    seen.set(folded(path), path);
  }
  for (const path of paths) {
    const names = path.split('/');
    for (let count = 1; count < names.length; count++) {
      const other = seen.get(folded(names.slice(0, count).join('/')));
      if (other !== undefined) throw new Error(`"${other}" is a file, and a directory of "${path}"`);
    }
  }
}

/** Upper case first: file systems also take letters for the same that have no lower case in common. */
function folded(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
