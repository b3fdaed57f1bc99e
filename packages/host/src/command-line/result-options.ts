import { usageError } from '../errors.ts';
import { type OptionSpec, type OptionValues, valueOf } from './command.ts';

/** The options of commands that print a result for a person or a script. */
export const resultOptions: readonly OptionSpec[] = [
  {
    name: 'pick',
    value: 'path',
    help: 'prints only this part of the structured content, or of a text that is JSON: a.b, items[0].id, items[*].id',
  },
  { name: 'max-chars', value: 'count', help: 'prints at most this many characters of the text' },
];

/** One step of a path: a key, an index, or `*` for each item. */
export type PickStep = string | number | typeof each;

/** Stands for each item of an array, or each value of an object. */
export const each = Symbol('each');

/** What a command line asks of the result. */
export interface ResultOptions {
  readonly pick: readonly PickStep[] | undefined;
  readonly maxChars: number;
}

/** Reads these options; throws a `HostError` for a value that is wrong, before the command does anything. */
export function resultOptionsOf(options: OptionValues): ResultOptions {
  const pick = valueOf(options, 'pick');
  const max = valueOf(options, 'max-chars');
  const isJson = options['json'] === true;
  if (pick !== undefined && options['save'] !== undefined)
    throw usageError('Invalid --pick with --save; expected one of them');
  if (max !== undefined && isJson && pick === undefined)
    throw usageError(
      'Invalid --max-chars with --json: JSON that is cut cannot be read; --pick selects a part',
    );
  const maxChars = max === undefined ? Infinity : Number(max);
  if (max !== undefined && (!Number.isInteger(maxChars) || maxChars < 1))
    throw usageError(`Invalid --max-chars: "${max}"; expected a whole number from 1`);
  return { pick: pick === undefined ? undefined : stepsOf(pick), maxChars };
}

/** The steps of `a.b[0]["c.d"].*`; throws a `HostError` for any other text. */
export function stepsOf(path: string): readonly PickStep[] {
  const steps: PickStep[] = [];
  const pattern = /(?:^|\.)([^.[\]"]+)|\[(?:(\d+)|(\*)|("(?:[^"\\]|\\.)*"))\]/y;
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path);
    const step = found ? stepOf(found) : undefined;
    if (step === undefined)
      throw usageError(`Invalid --pick: "${path}"; expected a path such as a.b, items[0].id or items[*].id`);
    steps.push(step);
  }
  if (steps.length === 0) throw usageError('Invalid --pick: ""; expected a path such as a.b');
  return steps;
}

/** The step of a match; undefined for a key in quotes that is not a string of JSON. */
function stepOf([, key, index, star, quoted]: RegExpExecArray): PickStep | undefined {
  if (star !== undefined || key === '*') return each;
  if (index !== undefined) return Number(index);
  try {
    return quoted === undefined ? key : (JSON.parse(quoted) as string);
  } catch {
    return undefined;
  }
}
