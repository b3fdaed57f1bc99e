import type { Attributes } from '@opentelemetry/api';
import type { ObservedRequest } from '../define/observer.ts';

/** The maximum length of an attribute in characters: names, ids and URIs come from the peer. */
const maxLength = 1_024;

/** The methods with a resource URI, which the conventions name. */
const withUri = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

/** The attribute for the name of the tool or prompt that a method names. */
const nameAttributes: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'gen_ai.tool.name'],
  ['prompts/get', 'gen_ai.prompt.name'],
]);

/** What a span and a metric say of a request. */
export interface Described {
  /** The name of the span: the method, and the tool or prompt. */
  readonly spanName: string;
  /** What a metric has too: attributes with few values. */
  readonly common: Attributes;
  /** The tool or prompt. */
  readonly target: Attributes;
  /** What only a span has. */
  readonly own: Attributes;
}

/**
 * The attributes of a request, without values of arguments.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp
 */
export function describe({ id, method, params, revision, route }: ObservedRequest): Described {
  const { name, uri } = params;
  const key = nameAttributes.get(method);
  const target = key !== undefined && typeof name === 'string' ? short(name) : undefined;
  return {
    spanName: target === undefined ? short(method) : `${method} ${target}`,
    common: {
      'mcp.method.name': short(method),
      ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
      ...(revision !== undefined && { 'mcp.protocol.version': revision }),
      ...(route && { 'network.transport': route.transport }),
      ...(route?.http && { 'network.protocol.name': 'http' }),
      ...(route?.address !== undefined && { 'server.address': route.address }),
      ...(route?.port !== undefined && { 'server.port': route.port }),
    },
    target: key !== undefined && target !== undefined ? { [key]: target } : {},
    own: {
      'jsonrpc.request.id': short(String(id)),
      ...(withUri.has(method) && typeof uri === 'string' && { 'mcp.resource.uri': short(uri) }),
    },
  };
}

function short(text: string): string {
  return text.length > maxLength ? text.slice(0, maxLength) : text;
}
