import { isObject } from '@mcp/kit';
import type { Entry } from './entry-values.ts';

/** A value that the user must enter, as a configuration file of VS Code describes it. */
export interface InputSpec {
  readonly description?: string;
  readonly default?: string;
  /** Whether the value is a secret. */
  readonly password?: boolean;
  /** The values to choose from. */
  readonly options?: readonly string[];
}

/** The inputs of a file, by their ids. */
export function inputsOf(root: Entry): ReadonlyMap<string, InputSpec> {
  const inputs = Array.isArray(root['inputs']) ? root['inputs'].filter(isObject) : [];
  return new Map(inputs.map((input) => [String(input['id']), specOf(input)]));
}

function specOf({ description, default: value, password, options }: Entry): InputSpec {
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof value === 'string' && { default: value }),
    ...(password === true && { password }),
    ...(Array.isArray(options) && {
      options: options.map((each) => String(isObject(each) ? each['value'] : each)),
    }),
  };
}

/**
 * The name of the environment variable that may contain the value of an input, such as `MCP_INPUT_API_KEY`.
 */
export function inputVariable(id: string): string {
  return `MCP_INPUT_${id.toUpperCase().replaceAll(/\W/g, '_')}`;
}
