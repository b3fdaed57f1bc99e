/** Makes names unique, in any letter case as SQLite demands. A repeated name gets a suffix such as `_2`. */
export function uniqueColumnNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let times = 2; taken.has(free.toLowerCase()); times++) free = `${name}_${times}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
