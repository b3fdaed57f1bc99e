import { dump } from 'js-yaml';
import type { Parts } from './answer.ts';
import type { Call } from './call-file.ts';
import { withoutVariables } from './variables.ts';

/** A call and its answer as a step of a file. */
export function stepText(call: Call, parts: Parts): string {
  return yamlOf(stepOf(call, parts));
}

/** A call and its answer as a value of a file of calls. */
export function stepOf(call: Call, parts: Parts): unknown {
  return withoutVariables({ ...withoutEmpty(call), expect: expectedOf(parts) });
}

/** The YAML of a list with one step. */
export function yamlOf(step: unknown): string {
  return dump([step], { lineWidth: -1, noRefs: true });
}

/** Longer texts are recorded by their beginning. */
const maxLength = 2_000;

/** The assertion of a recorded call: one that holds at every revision, if the result has a text. */
function expectedOf({ text, structuredContent, result, isError = false }: Parts): object {
  const part =
    text !== ''
      ? { text: text.length > maxLength ? { contains: beginning(text) } : { equals: text } }
      : structuredContent === undefined
        ? { result: { contains: result } }
        : { structuredContent: { equals: structuredContent } };
  return { ...(isError && { error: true }), ...part };
}

function beginning(text: string): string {
  return text.slice(0, maxLength / 10).replace(/(?<=\S)\s*\n[^]*$/, '');
}

function withoutEmpty(call: Call): object {
  const { arguments: args, ...rest } = { arguments: undefined, ...call };
  return { ...rest, ...(args !== undefined && Object.keys(args).length > 0 && { arguments: args }) };
}
