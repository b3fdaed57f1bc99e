/**
 * The index of the quote that closes a JSON string, or the length of `json` if there is none; `start` is the
 * index after the opening quote.
 */
export function endOfString(json: string, start: number): number {
  for (let from = start; ;) {
    const end = json.indexOf('"', from);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
    from = end + 1;
  }
}
