import { isDeepStrictEqual } from 'node:util';
import { isObject, messageOf } from '@mcp/kit';
import type { Path } from '@mcp/kit/jsonc';
import { pickValue } from '../views/pick-value.ts';
import type { Answer } from './answer.ts';
import type { Check, Expected } from './call-file.ts';
import { withVariables } from './variables.ts';

/** A failed assertion, and where it is in the file. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Compares an answer with what is expected of it; empty if all assertions hold. */
export function checkAnswer(
  answer: Answer,
  { error, checks, maxMs, maxBytes, path }: Expected,
  variables: ReadonlyMap<string, unknown>,
): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (key: string, message: string) => problems.push({ path: [...path, key], message });
  const text = `: ${shown(answer.text)}`;
  if (error === false && answer.isError) add('error', `The call failed${text}`);
  if (error !== false && !answer.isError) add('error', `Expected the call to fail, but it succeeded${text}`);
  if (typeof error === 'number' && answer.isError && answer.code !== error)
    add('error', `Expected the error ${error}, got ${answer.code ?? 'a result with isError'}${text}`);
  for (const check of problems.length > 0 ? [] : checks) {
    const message = checkPart(answer, check, variables);
    if (message !== undefined) problems.push({ path: check.path, message: `${check.part}: ${message}` });
  }
  if (maxMs !== undefined && answer.ms > maxMs)
    add('maxMs', `The call took ${answer.ms.toFixed(0)} ms; expected at most ${maxMs}`);
  if (maxBytes !== undefined && answer.bytes > maxBytes)
    add('maxBytes', `The result has ${answer.bytes} bytes; expected at most ${maxBytes}`);
  return problems;
}

function checkPart(
  answer: Answer,
  { part, at, test }: Check,
  variables: ReadonlyMap<string, unknown>,
): string | undefined {
  if (answer[part] === undefined) return `the answer has none`;
  let value: unknown;
  try {
    value = pickValue(answer[part], at);
  } catch (error) {
    return messageOf(error);
  }
  if ('schema' in test) {
    const problem = test.schema(value);
    return problem === undefined ? undefined : `${problem}, in ${shown(value)}`;
  }
  if ('matches' in test) {
    const isMatch = typeof value === 'string' && test.matches.test(value);
    return isMatch ? undefined : `expected a match of ${String(test.matches)}, got ${shown(value)}`;
  }
  const isEqual = 'equals' in test;
  const expected = withVariables(isEqual ? test.equals : test.contains, variables);
  if (isEqual ? isDeepStrictEqual(value, expected) : contains(value, expected)) return undefined;
  const from = isEqual ? difference(value, expected) : 0;
  return `expected ${isEqual ? '' : 'to contain '}${shown(expected, from)}, got ${shown(value, from)}`;
}

/** Whether a text has a part (or each of several), or a list the items, or an object the members. */
function contains(value: unknown, expected: unknown): boolean {
  if (typeof value !== 'string') return includes(value, expected);
  const texts: readonly unknown[] = Array.isArray(expected) ? expected : [expected];
  return texts.every((text) => typeof text === 'string' && value.includes(text));
}

function includes(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(expected) ? expected : [expected];
    return items.every((item) => value.some((each) => includes(each, item)));
  }
  if (!isObject(value) || !isObject(expected)) return isDeepStrictEqual(value, expected);
  return Object.entries(expected).every(
    ([key, each]) => Object.hasOwn(value, key) && includes(value[key], each),
  );
}

/** Maximum number of characters of a value in a message. */
const maxShown = 300;

/** A value as JSON, from a character on that differs. */
function shown(value: unknown, from = 0): string {
  const text = JSON.stringify(value) ?? 'nothing';
  const start = from > maxShown / 2 ? from - maxShown / 4 : 0;
  const part = text.slice(start, start + maxShown);
  return `${start > 0 ? '…' : ''}${part}${start + maxShown < text.length ? '…' : ''}`;
}

/** The index of the first character that differs between two values as JSON. */
function difference(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one) ?? '', JSON.stringify(other) ?? ''];
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return index;
}
