import { toolName } from '@mcp/vendors';

/** The strictest rules that a vendor has for the names of tools, so that every vendor accepts them. */
const rules = { allowed: /[\w-]/, first: /[A-Za-z_]/, maxLength: 64 };

/**
 * The name that clients see, `server__name`, shortened if necessary. It does not depend on the other servers,
 * so it stays the same when servers are added or removed.
 */
export function publicName(server: string, name: string, prefixed: boolean): string {
  return prefixed ? toolName({ server, tool: name }, rules) : name;
}

/** The servers that an item with this public name may belong to, by the beginning of the name. */
export function serversOfName(name: string, servers: readonly string[]): readonly string[] {
  return servers.filter((server) => {
    const start = server.replaceAll(/[^\w-]/gu, '_').slice(0, 50);
    return name.startsWith(start) || name.startsWith(`_${start}`);
  });
}
