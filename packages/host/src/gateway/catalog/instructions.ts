import type { JsonObject } from '@mcp/protocol/proxy';
import { isObject } from '@mcp/kit';
import { tasksExtension } from '@mcp/protocol/client';
import { viewsExtension } from '../../shows-views.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { ServerLink } from '../links/server-link.ts';
import { skillsExtension } from './skill-routes.ts';
import { viewUriOf } from '../../view-of-tool.ts';

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
 * The union of all servers' capabilities. The client gets it only once, in the handshake. Therefore all
 * capabilities are declared while a server is not connected yet, or if the gateway is `reconfigurable`, so
 * that a server may be added later.
 */
export function joinCapabilities(
  links: readonly ServerLink[],
  {
    reconfigurable,
    showsViews,
    servedTools,
  }: Pick<GatewaySettings, 'reconfigurable' | 'servedTools'> & { readonly showsViews: boolean },
): JsonObject {
  const all: JsonObject = reconfigurable ? { ...unknown } : {};
  for (const { connection } of links) {
    const capabilities = connection ? connection.client.capabilities : unknown;
    for (const name of ['tools', 'resources', 'prompts', 'completions', 'logging']) {
      if (capabilities[name] !== undefined)
        all[name] = { ...objectOf(all[name]), ...objectOf(capabilities[name]) };
    }
    const {
      [tasksExtension.id]: tasks,
      [viewsExtension]: _,
      ...extensions
    } = objectOf(capabilities['extensions']);
    const joined = {
      ...(servedTools ? onlySkills(extensions) : extensions),
      ...objectOf(all['extensions']),
      ...(tasks !== undefined && { [tasksExtension.id]: {} }),
    };
    if (Object.keys(joined).length > 0) all['extensions'] = joined;
  }
  // Clients share the connection to a server, which may have declared its views to another one.
  if (showsViews && (reconfigurable || links.some(mayHaveViews)))
    all['extensions'] = { ...objectOf(all['extensions']), [viewsExtension]: {} };
  // `listChanged` is declared for every list: servers may start and end, and the gateway itself notifies the
  // client of this.
  for (const name of ['tools', 'resources', 'prompts']) {
    if (all[name] !== undefined) all[name] = { ...objectOf(all[name]), listChanged: true };
  }
  return all;
}

/** Of the extensions that have methods of their own, the only one whose methods the gateway knows. */
function onlySkills({ [skillsExtension]: skills }: JsonObject): JsonObject {
  return skills === undefined ? {} : { [skillsExtension]: skills };
}

function mayHaveViews({ connection, lists }: ServerLink): boolean {
  return !connection || lists.tools.some((tool) => viewUriOf(tool) !== undefined);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
