import { likenessTo } from './likeness.ts';

const minLength = 3;

/**
 * Similarity of names from 0 to 1, ignoring case: the Dice coefficient of their pairs of characters.
 * One typing error counts as one wrong character, because short names have few pairs.
 */
export function nameLikenessTo(wanted: string): (name: string) => number {
  const lower = wanted.toLowerCase();
  const likeness = likenessTo(lower);
  return (name) => {
    const other = name.toLowerCase();
    const like = likeness(other);
    return isOneTypoAway(lower, other) ? Math.max(like, 1 - 1 / Math.max(lower.length, other.length)) : like;
  };
}

/** Whether one character is added, missing, different, or exchanged with the next one. */
function isOneTypoAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || Math.min(one.length, other.length) < minLength) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const rest = one.slice(start);
  const otherRest = other.slice(start);
  if (rest.length !== otherRest.length)
    return rest.length > otherRest.length ? rest.slice(1) === otherRest : rest === otherRest.slice(1);
  const isExchanged = rest[0] === otherRest[1] && rest[1] === otherRest[0];
  return rest.slice(1) === otherRest.slice(1) || (isExchanged && rest.slice(2) === otherRest.slice(2));
}
