/** The index of the quote that closes the JSON string whose text begins at `start`, or else `json.length`. */
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
