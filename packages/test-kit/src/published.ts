import type { Client } from '@mcp/protocol/testing';

/** Returns the lists of everything that a server publishes to a client, as text for a snapshot. */
export async function published(client: Client): Promise<string> {
  const all = {
    title: client.serverInfo?.title,
    capabilities: client.capabilities,
    tools: await client.listTools(),
    resourceTemplates: await client.listResourceTemplates(),
    prompts: await client.listPrompts(),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
