/** The text without its percent-encoding; undefined if the encoding is not valid. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}

/** The entries of a list with commas in a variable, without blank ones. */
export function entriesOf(list = ''): string[] {
  return list.split(',').filter((entry) => entry.trim() !== '');
}
