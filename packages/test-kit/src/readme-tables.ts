import type { Client } from '@mcp/protocol/testing';

/** A row for each tool, template and prompt: its name, then its arguments' names, optional ones with `?`. */
export interface ListedTables {
  readonly tools: readonly (readonly string[])[];
  readonly resources: readonly (readonly string[])[];
  readonly prompts: readonly (readonly string[])[];
}

interface InputSchema {
  readonly properties?: object;
  readonly required?: readonly string[];
}

/** The lists of a server in the form of the rows in its README. Arguments in `omitted` are left out. */
export async function listedTables(client: Client, omitted: readonly string[] = []): Promise<ListedTables> {
  const row = (name: string, args: readonly (readonly [string, boolean])[]) => [
    name,
    ...args.filter(([key]) => !omitted.includes(key)).map(([key, required]) => (required ? key : `${key}?`)),
  ];
  const tools = await client.listTools();
  const templates = await client.listResourceTemplates();
  const prompts = await client.listPrompts();
  return {
    tools: tools.map(({ name, inputSchema }) => {
      const { properties = {}, required = [] } = inputSchema as InputSchema;
      return row(
        name,
        Object.keys(properties).map((key) => [key, required.includes(key)]),
      );
    }),
    resources: templates.map(({ uriTemplate }) => [uriTemplate]),
    prompts: prompts.map(({ name, arguments: args = [] }) =>
      row(
        name,
        args.map((each) => [each.name, each.required ?? false]),
      ),
    ),
  };
}

/** A README's tables below Tools, Resources and Prompts: for each row, the texts in backquotes. */
export function readmeTables(readme: string): ListedTables {
  return {
    tools: rowsOf(readme, 'Tools', 2),
    resources: rowsOf(readme, 'Resources', 1),
    prompts: rowsOf(readme, 'Prompts', 2),
  };
}

function rowsOf(readme: string, heading: string, columns: number): string[][] {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line
        .split('|')
        .slice(1, 1 + columns)
        .join(' ');
      return [...cells.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
    });
}
