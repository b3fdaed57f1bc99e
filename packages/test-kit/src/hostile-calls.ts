import type { Client } from '@mcp/protocol/testing';

/** For each tool, a valid call and, for each of its arguments, hostile values. */
export interface HostileCalls {
  readonly [tool: string]: {
    readonly valid: object;
    readonly values: { readonly [argument: string]: readonly unknown[] };
  };
}

/** The names of the arguments for which there are hostile values, by tool. */
export function triedArguments(calls: HostileCalls): object {
  return Object.fromEntries(Object.entries(calls).map(([name, { values }]) => [name, namesOf(values)]));
}

/** The names of the arguments that a server publishes, by tool. */
export async function publishedArguments(client: Client): Promise<object> {
  const tools = await client.listTools();
  return Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, namesOf(inputSchema['properties'] as object)]),
  );
}

/** The test cases for `test.each`, one for each argument. */
export function hostileCases(calls: HostileCalls) {
  return Object.entries(calls).flatMap(([tool, { valid, values }]) =>
    Object.entries(values).map(([argument, tries]) => ({ tool, argument, valid, tries })),
  );
}

function namesOf(values: object): string[] {
  return Object.keys(values).toSorted();
}
