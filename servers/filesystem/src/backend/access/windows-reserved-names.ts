const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|:|$)/i;

/**
 * Why Windows would take a path for something else than a file of that name: a device, a stream of another file, or
 * a name that it cuts off. Nothing where it would not.
 */
export function otherwiseOnWindows(path: string): string | undefined {
  const names = path.replace(/^(\\\\[?.]\\)?[a-z]:/i, '').split(/[\\/]/);
  for (const name of names.filter((each) => each !== '.' && each !== '..')) {
    if (device.test(name)) return 'Names a device on Windows';
    if (name.includes(':')) return 'Names a stream of another file on Windows';
    if (/[. ]$/.test(name)) return 'Windows cuts off dots and spaces at the end of a name';
  }
  return undefined;
}
