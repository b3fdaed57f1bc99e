/** Compares names with numbers by value: `part2` comes before `part10`. */
export function byNaturalOrder(one: string, other: string): number {
  const parts = partsOf(one);
  const others = partsOf(other);
  for (const [index, part] of parts.entries()) {
    const difference = compare(part, others[index] ?? '');
    if (difference !== 0) return difference;
  }
  return parts.length - others.length || (one < other ? -1 : 1);
}

function partsOf(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? [];
}

function compare(part: string, other: string): number {
  if (!/^\d/.test(part) || !/^\d/.test(other)) return part < other ? -1 : part > other ? 1 : 0;
  const number = part.replace(/^0+/, '');
  const otherNumber = other.replace(/^0+/, '');
  return number.length - otherNumber.length || (number < otherNumber ? -1 : number > otherNumber ? 1 : 0);
}
