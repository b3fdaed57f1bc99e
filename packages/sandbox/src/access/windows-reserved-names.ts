const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|:|$)/i;

/**
 * Returns why Windows would not create a file of exactly this name: it names a device or an alternate data
 * stream, or Windows would shorten it. Returns undefined if there is no problem.
 */
export function windowsNameProblem(path: string): string | undefined {
  const names = path.replace(/^(\\\\[?.]\\)?[a-z]:/i, '').split(/[\\/]/);
  for (const name of names.filter((each) => each !== '.' && each !== '..')) {
    if (deviceName.test(name)) return 'Names a device on Windows';
    if (name.includes(':')) return 'Names an alternate data stream on Windows';
    if (/[. ]$/.test(name)) return 'Windows removes dots and spaces at the end of a name';
  }
  return undefined;
}
