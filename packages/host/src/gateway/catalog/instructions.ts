import type { JsonObject } from '@mcp/protocol/proxy';
import { isObject } from '@mcp/kit';
import type { ServerLink } from '../links/server-link.ts';

const lazyHint =
  'Find tools with `list_tools`, read a definition with `describe_tool`, call it with `call_tool`.';

/** The instructions of all servers, each under its name, and a list of the servers that are not available. */
export function joinInstructions(
  links: readonly ServerLink[],
  { prefixed, lazy }: { readonly prefixed: boolean; readonly lazy: boolean },
): string | undefined {
  const [only] = links;
  const parts = lazy ? [lazyHint] : [];
  if (!prefixed && only)
    return [...parts, instructionsOf(only) ?? ''].filter(Boolean).join('\n\n') || undefined;
  for (const link of links) {
    const text = instructionsOf(link);
    if (text !== undefined) parts.push(`# ${link.name}\n\n${text}`);
  }
  const missing = links
    .filter(({ connection }) => !connection)
    .map(({ name, error }) => missingServer(name, error));
  if (missing.length > 0) parts.push(`# Servers that are not available\n\n${missing.join('\n')}`);
  return parts.join('\n\n') || undefined;
}

function instructionsOf({ connection }: ServerLink): string | undefined {
  return connection?.client.instructions?.trim() || undefined;
}

function missingServer(name: string, error: Error | undefined): string {
  return error ? `- ${error.message}` : `- ${name}: still starting; its tools follow`;
}

const unknown: JsonObject = {
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};

/**
 * The union of all servers' capabilities. The client's handshake is not repeated, so a server that is not
 * connected yet counts as having every capability, as does one that a `reconfigurable` gateway may add later.
 */
export function joinCapabilities(
  links: readonly ServerLink[],
  { reconfigurable }: { readonly reconfigurable: boolean },
): JsonObject {
  const all: JsonObject = reconfigurable ? { ...unknown } : {};
  for (const { connection } of links) {
    const capabilities = connection ? connection.client.capabilities : unknown;
    for (const name of ['tools', 'resources', 'prompts', 'completions', 'logging']) {
      if (capabilities[name] !== undefined)
        all[name] = { ...objectOf(all[name]), ...objectOf(capabilities[name]) };
    }
    const tasks = objectOf(capabilities['extensions'])['io.modelcontextprotocol/tasks'];
    if (tasks !== undefined) all['extensions'] = { 'io.modelcontextprotocol/tasks': {} };
  }
  // All lists are declared as changing: servers may start and end, and the gateway itself notifies of that.
  for (const name of ['tools', 'resources', 'prompts']) {
    if (all[name] !== undefined) all[name] = { ...objectOf(all[name]), listChanged: true };
  }
  return all;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
