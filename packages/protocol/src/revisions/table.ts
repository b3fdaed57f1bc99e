import type { Revision } from './revision.ts';

// Each revision is defined by its differences from the previous one. Source: schema/<revision>/schema.ts of
// the specification.

const v20241105: Revision = {
  version: '2024-11-05',
  stateless: false,
  primesStreams: false,
  batches: false,
  requests: new Set([
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'logging/setLevel',
  ]),
  clientRequests: new Set(['ping', 'roots/list', 'sampling/createMessage']),
  keys: {
    implementation: ['name', 'version'],
    capabilities: ['experimental', 'logging', 'prompts', 'resources', 'tools'],
    tool: ['name', 'description', 'inputSchema'],
    resource: ['uri', 'name', 'description', 'mimeType', 'annotations', 'size'],
    template: ['uriTemplate', 'name', 'description', 'mimeType', 'annotations'],
    contents: ['uri', 'mimeType', 'text', 'blob'],
    prompt: ['name', 'description', 'arguments'],
    promptArgument: ['name', 'description', 'required'],
    annotations: ['audience', 'priority'],
    content: ['type', 'text', 'data', 'mimeType', 'resource', 'annotations'],
  },
  contentTypes: new Set(['text', 'image', 'resource']),
  structuredContent: 'none',
  progressMessage: false,
  resourceNotFound: -32002,
  elicitation: 'none',
  sampling: 'simple',
  elicitationId: false,
};

const v20250326: Revision = {
  ...v20241105,
  version: '2025-03-26',
  batches: true,
  keys: {
    ...v20241105.keys,
    capabilities: [...v20241105.keys.capabilities, 'completions'],
    tool: [...v20241105.keys.tool, 'annotations'],
  },
  contentTypes: new Set([...v20241105.contentTypes, 'audio']),
  progressMessage: true,
};

const v20250618: Revision = {
  ...v20250326,
  version: '2025-06-18',
  batches: false,
  clientRequests: new Set([...v20250326.clientRequests, 'elicitation/create']),
  keys: {
    ...v20250326.keys,
    implementation: [...v20250326.keys.implementation, 'title'],
    tool: [...v20250326.keys.tool, 'title', 'outputSchema', '_meta'],
    resource: [...v20250326.keys.resource, 'title', '_meta'],
    template: [...v20250326.keys.template, 'title', '_meta'],
    contents: [...v20250326.keys.contents, '_meta'],
    prompt: [...v20250326.keys.prompt, 'title', '_meta'],
    promptArgument: [...v20250326.keys.promptArgument, 'title'],
    annotations: [...v20250326.keys.annotations, 'lastModified'],
    content: [...v20250326.keys.content, '_meta'],
  },
  contentTypes: new Set([...v20250326.contentTypes, 'resource_link']),
  structuredContent: 'object',
  elicitation: 'simple',
};

const v20251125: Revision = {
  ...v20250618,
  version: '2025-11-25',
  primesStreams: true,
  keys: {
    ...v20250618.keys,
    implementation: [...v20250618.keys.implementation, 'icons', 'description', 'websiteUrl'],
    tool: [...v20250618.keys.tool, 'icons'],
    resource: [...v20250618.keys.resource, 'icons'],
    template: [...v20250618.keys.template, 'icons'],
    prompt: [...v20250618.keys.prompt, 'icons'],
  },
  elicitation: 'full',
  sampling: 'full',
  elicitationId: true,
};

const v20260728: Revision = {
  ...v20251125,
  version: '2026-07-28',
  stateless: true,
  primesStreams: false,
  requests: new Set([
    'server/discover',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'subscriptions/listen',
  ]),
  clientRequests: new Set(['roots/list', 'sampling/createMessage', 'elicitation/create']),
  structuredContent: 'any',
  resourceNotFound: -32602,
  elicitationId: false,
};

/** Every published revision, newest first. */
export const revisions: readonly Revision[] = [v20260728, v20251125, v20250618, v20250326, v20241105];

export const versions: readonly string[] = revisions.map(({ version }) => version);

/** The one stateless revision. */
export const modern: Revision = v20260728;

/** The newest revision that opens with `initialize`. */
export const latestLegacy: Revision = v20251125;

export function revisionNamed(version: string): Revision | undefined {
  return revisions.find((revision) => revision.version === version);
}

/**
 * The revision that an `initialize` requests. If this revision is unknown or has no handshake, the newest one
 * that has a handshake.
 */
export function negotiate(requested: unknown): Revision {
  return revisions.find(({ version, stateless }) => version === requested && !stateless) ?? latestLegacy;
}
