import { isObject } from '@mcp/kit';
import { tasksExtension } from '@mcp/protocol/client';
import { viewsExtension } from '../../shows-views.ts';
import type { ServerLink } from '../links/server-link.ts';
import { skillsExtension } from './skill-routes.ts';

/**
 * The extensions whose methods the gateway knows: each goes to its server without an attempt. That for views
 * has no methods.
 */
const known: readonly string[] = [tasksExtension.id, skillsExtension, viewsExtension];

export interface ExtensionServers {
  /** The servers that are asked in turn, those with an extension of the client first. */
  readonly asked: readonly ServerLink[];
  /**
   * The servers that are not asked, because another server is the same program with the same extension: both
   * have its methods, and the one that is asked would run them.
   */
  readonly alike: readonly ServerLink[];
}

/**
 * The servers that may have a method which the gateway does not know: no server says which methods its
 * extensions have. `declared` are the extensions of the client.
 */
export function extensionServers(
  links: readonly ServerLink[],
  declared: ReadonlySet<string>,
): ExtensionServers {
  const having = links.filter((link) => extensionsOf(link).length > 0);
  const isDeclared = (link: ServerLink) => extensionsOf(link).some((id) => declared.has(id));
  const ordered = [...having.filter(isDeclared), ...having.filter((link) => !isDeclared(link))];
  const hasTwin = (link: ServerLink) => having.some((other) => other !== link && areAlike(link, other));
  return {
    asked: ordered.filter((link) => !hasTwin(link)),
    alike: ordered.filter(hasTwin),
  };
}

function areAlike(one: ServerLink, other: ServerLink): boolean {
  const name = nameOf(one);
  if (name === undefined || name !== nameOf(other)) return false;
  const ids = extensionsOf(other);
  return extensionsOf(one).some((id) => ids.includes(id));
}

/** The name that the server gives itself. */
function nameOf({ connection }: ServerLink): string | undefined {
  return connection?.client.serverInfo?.name;
}

function extensionsOf({ connection }: ServerLink): readonly string[] {
  const { extensions } = connection?.client.capabilities ?? {};
  return isObject(extensions) ? Object.keys(extensions).filter((id) => !known.includes(id)) : [];
}
