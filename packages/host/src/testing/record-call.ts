import { appendFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { codeOf, isObject, messageOf } from '@mcp/kit';
import { withFileLock } from '@mcp/kit/node';
import { usageError } from '../errors.ts';
import { readFile } from '../read-file.ts';
import type { Output } from '../terminal/output.ts';
import { callFileOf } from './read-call-file.ts';
import type { RecordCall } from './record.ts';
import { stepOf, yamlOf } from './step-text.ts';
import { readYaml } from './yaml-document.ts';

/** Returns the function that adds calls to a file, if one can be added to it. */
export async function recorder(file: string, output: Output): Promise<RecordCall> {
  addition(file, await textOf(file), { tool: 'any' });
  return async (call, parts) => {
    await withFileLock(`${file}.lock`, async () => {
      // Another program may have written the file during the call.
      const text = await textOf(file);
      await appendFile(file, addition(file, text, stepOf(call, parts))).catch((error: unknown) => {
        throw usageError(`Cannot write to --record "${file}": ${messageOf(error)}`);
      });
    });
    output.note(`added to ${file}`, 'dim');
  };
}

/** The text that adds a step at the end of a file. */
function addition(file: string, text: string, step: unknown): string {
  const isNew = text.trim() === '';
  if (!isNew) callFileOf(file, text);
  const before = isNew ? [] : stepsOf(text);
  const indent = isNew ? '  ' : indentOf(text);
  const lines = yamlOf(step).replaceAll(/^(?=.)/gm, indent);
  const added = `${isNew ? 'calls:\n' : text.endsWith('\n') ? '' : '\n'}${lines}`;
  if (isDeepStrictEqual(stepsOf(text + added), [...before, step])) return added;
  throw usageError(`Cannot add to --record "${file}": expected a block list "calls" at the end of the file`);
}

/** The space before the hyphen of the first step. */
function indentOf(text: string): string {
  const document = readYaml(text);
  if ('mistake' in document) return '';
  const { line } = document.positionOf(['calls', 0]);
  return /^[ ]*(?=-)/.exec(text.split('\n')[line - 1] ?? '')?.[0] ?? '';
}

function stepsOf(text: string): readonly unknown[] {
  const document = readYaml(text);
  const calls = 'root' in document && isObject(document.root) ? document.root['calls'] : undefined;
  return Array.isArray(calls) ? (calls as readonly unknown[]) : [];
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file)).toString();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw usageError(`Cannot read --record "${file}": ${messageOf(error)}`);
  }
}
