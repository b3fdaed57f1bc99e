import type { Client } from '@mcp/protocol/client';
import { listSkills } from '@mcp/skills';
import { loadSkills } from './skills.ts';

export type Scenario = (client: Client, context: { readonly [key: string]: unknown }) => Promise<unknown>;

/** Lists the tools and calls each one; enough for every scenario that is not in the table below. */
export const usual: Scenario = async (client) => {
  const tools = await client.listTools();
  for (const { name } of tools) await client.callTool(name);
};

/** What the client does in a scenario, where that differs from {@link usual}. */
export const scenarios: { readonly [name: string]: Scenario } = {
  tools_call: async (client) => {
    await client.listTools();
    await client.callTool('add_numbers', { a: 5, b: 3 });
  },
  initialize: (client) => client.listTools(),
  'request-metadata': (client) => client.listTools(),
  'json-schema-ref-no-deref': (client) => client.listTools(),
  'json-schema-2020-12-preservation': async (client) => {
    const tool = (await client.listTools()).find(({ name }) => name === 'json_schema_2020_12_tool');
    await client.callTool('json_schema_echo', { schema: tool?.inputSchema });
  },
  'http-standard-headers': async (client) => {
    await usual(client, {});
    for (const { uri } of await client.listResources()) await client.readResource(uri);
    await client.listResourceTemplates();
    for (const { name } of await client.listPrompts()) await client.getPrompt(name);
  },
  'http-custom-headers': async (client, context) => {
    await client.listTools();
    const calls = context['toolCalls'] as readonly { name: string; arguments: { [name: string]: unknown } }[];
    for (const call of calls) await client.callTool(call.name, call.arguments);
  },
  'auth/client-credentials-basic': (client) => client.listTools(),
  'auth/client-credentials-jwt': (client) => client.listTools(),
  'sep-2640-client-no-prefetch': (client) => listSkills(client),
  'sep-2640-client-verify-digest': loadSkills,
  'sep-2640-client-verify-size': loadSkills,
  'sep-2640-client-verify-frontmatter': loadSkills,
};
