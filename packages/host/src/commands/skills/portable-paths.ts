// The names that a device has on Windows, whatever their extension is.
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Throws an `Error` for paths that are not files of their own on each system: with a name that Windows does
 * not have or reads as another one, or two that differ only in case or in the form of their letters, or one
 * that is a directory of another.
 */
export function refuseUnportable(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const wrong = path.split('/').find((name) => /[<>:"|?*]|[. ]$/.test(name) || deviceName.test(name));
    if (wrong !== undefined)
      throw new Error(`"${path}" has a name that is not valid on each system: "${wrong}"`);
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

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
