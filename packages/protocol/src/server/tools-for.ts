import type { Call } from '../define/call.ts';
import { supportsExtension } from '../define/extension.ts';
import type { Tool } from '../define/tool.ts';
import type { ToolView } from '../define/tool-view.ts';

type Client = Pick<Call<unknown, unknown>, 'client' | 'clientCapabilities'>;

/** Whether the tool exists for this client. */
export function existsFor({ definition: { view } }: Tool<object>, client: Client): boolean {
  return !view?.isOnlyForViews || supportsExtension(client, view.extension);
}

interface Variants {
  readonly extensions: readonly ToolView['extension'][];
  /** The tools that clients get, by which of `extensions` they support. */
  readonly bySupport: Map<string, readonly Tool<object>[]>;
}

const variants = new WeakMap<readonly Tool<object>[], Variants>();

/**
 * The tools as a client gets them: those that exist for it, with their views if it supports them. Returns the
 * identical array for clients that support the same extensions, so that it can be the key of a cache, and
 * `tools` itself if no tool has a view.
 */
export function toolsFor(tools: readonly Tool<object>[], client: Client): readonly Tool<object>[] {
  const { extensions, bySupport } = variantsOf(tools);
  if (extensions.length === 0) return tools;
  const key = extensions.map((extension) => (supportsExtension(client, extension) ? 1 : 0)).join('');
  let found = bySupport.get(key);
  if (!found) {
    found = tools.filter((tool) => existsFor(tool, client)).map((tool) => withView(tool, client));
    bySupport.set(key, found);
  }
  return found;
}

/** Whether a tool has a view, so that the list differs between clients. */
export function haveViews(tools: readonly Tool<object>[]): boolean {
  return variantsOf(tools).extensions.length > 0;
}

function withView(tool: Tool<object>, client: Client): Tool<object> {
  const { definition } = tool;
  const { view, _meta } = definition;
  if (!view || !supportsExtension(client, view.extension)) return tool;
  return { ...tool, definition: { ...definition, _meta: { ..._meta, ...view.toolMeta } } };
}

function variantsOf(tools: readonly Tool<object>[]): Variants {
  let known = variants.get(tools);
  if (!known) {
    const extensions = new Set(tools.flatMap(({ definition: { view } }) => view?.extension ?? []));
    variants.set(tools, (known = { extensions: [...extensions], bySupport: new Map() }));
  }
  return known;
}
