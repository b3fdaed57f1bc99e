import { type Entry, isEntry } from './entry-values.ts';

/** A value that the user enters, as a file of VS Code describes it. */
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
  const inputs = Array.isArray(root['inputs']) ? root['inputs'].filter(isEntry) : [];
  return new Map(inputs.map((input) => [String(input['id']), specOf(input)]));
}

function specOf({ description, default: value, password, options }: Entry): InputSpec {
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof value === 'string' && { default: value }),
    ...(password === true && { password }),
    ...(Array.isArray(options) && {
      options: options.map((each) => String(isEntry(each) ? each['value'] : each)),
    }),
  };
}

/** The variable of the environment that has the value of an input. */
export function inputVariable(id: string): string {
  return `MCP_INPUT_${id.toUpperCase().replaceAll(/\W/g, '_')}`;
}
