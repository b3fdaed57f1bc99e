import { isObject } from '@mcp/kit';

/** `${name}` in a text, or `$${`, which stands for `${` itself. */
const pattern = /\$(\$\{)|\$\{([^{}]*)\}/g;

/** The names of the variables in the texts of a value. */
export function variablesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(pattern)].flatMap(([, , name]) => name ?? []);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(variablesIn) : [];
}

/**
 * Puts values in place of variables. A text that is one variable becomes its value, of any type; in a longer
 * text, a value that is no text is written as JSON.
 */
export function withVariables(value: unknown, variables: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([^{}]*)\}$/.exec(value)?.[1];
    if (whole !== undefined) return variables.get(whole);
    return value.replaceAll(pattern, (_, literal?: string, name?: string) =>
      name === undefined ? (literal ?? '') : textOf(variables.get(name)),
    );
  }
  if (Array.isArray(value)) return value.map((each) => withVariables(each, variables));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withVariables(each, variables)]),
  );
}

/** A value whose texts stand for themselves in a file of calls. */
export function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', '$$${');
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutVariables(each)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
