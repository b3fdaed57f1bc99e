import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Client } from '@mcp/protocol/testing';
import { expect } from 'vitest';

/** The validators of the published output schemas, by tool. */
export async function validatorsOf(client: Client) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  return new Map(
    (await client.listTools()).flatMap(({ name, outputSchema }) =>
      outputSchema ? [[name, ajv.compile(outputSchema)] as const] : [],
    ),
  );
}

/** The structured content of an answer, which must match the schema of the tool. */
export async function factsOf(
  client: Client,
  tool: string,
  args: object = {},
): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool(tool, { ...args });
  const called = `${tool} ${JSON.stringify(args)} ${JSON.stringify(content)}`;
  expect(isError, called).toBeFalsy();
  const validate = (await validatorsOf(client)).get(tool)!;
  expect(validate(structuredContent), `${called} ${JSON.stringify(validate.errors)}`).toBe(true);
  return structuredContent as Record<string, unknown>;
}
