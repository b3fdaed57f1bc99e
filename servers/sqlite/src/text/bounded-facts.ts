import { beginningOf } from '@mcp/sqlite-pool';
import { maxAnswerLength } from './bounded-lines.ts';

/** The facts of an answer, or, where they are too long, the same with shorter lists and texts, and a note. */
export function boundedFacts<Facts extends object>(facts: Facts): Facts & { readonly shortened?: true } {
  let size = lengthOf(facts);
  if (size <= maxAnswerLength) return facts;
  const shorter: { [name: string]: unknown } = { ...facts, shortened: true };
  while (size > maxAnswerLength) {
    const sizes = Object.entries(shorter).map(([name, value]) => [name, lengthOf(value)] as const);
    const [name, length] = sizes.reduce((a, b) => (b[1] > a[1] ? b : a));
    shorter[name] = half(shorter[name]);
    size += lengthOf(shorter[name]) - length;
  }
  return shorter as Facts & { readonly shortened: true };
}

function half(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, value.length >> 1);
  return typeof value === 'string' ? beginningOf(value, value.length >> 1) : boundedFacts(value as object);
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
