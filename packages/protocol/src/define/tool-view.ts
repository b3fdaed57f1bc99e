import type { JsonObject } from '../jsonrpc/message.ts';
import type { Extension } from './extension.ts';

/** What an extension adds to a tool: only clients that support the extension get it. */
export interface ToolView {
  readonly extension: Pick<Extension, 'id' | 'revisions' | 'accepts'>;
  /** Added to the `_meta` of the tool. */
  readonly toolMeta: JsonObject;
  /** The URI of the resource that the extension must serve; undefined if there is none. */
  readonly uri: string | undefined;
  /** Whether the tool does not exist for clients that do not support the extension. */
  readonly isOnlyForViews: boolean;
}

type Viewed = { readonly name: string; readonly definition: { readonly view?: ToolView } };

type Located = { readonly uri: string };
type Served = { readonly extension: Pick<Extension, 'id'>; readonly resources: readonly Located[] };

/**
 * Throws an `Error` for a tool whose view the server does not serve, or serves another resource in place of:
 * `listed` are its own resources, which are read first.
 */
export function refuseUnserved(
  tools: Iterable<Viewed>,
  listed: Iterable<Located>,
  served: readonly Served[] = [],
): void {
  const own = new Set(Array.from(listed, ({ uri }) => uri));
  for (const { name, definition } of tools) {
    const { view } = definition;
    if (!view) continue;
    const { id } = view.extension;
    const found = served.find(({ extension }) => extension.id === id);
    if (!found)
      throw new Error(
        `The tool "${name}" has a view: the server must serve the extension "${id}", with ` +
          '`extensions: [serveViews([…])]`',
      );
    if (view.uri !== undefined && !found.resources.some(({ uri }) => uri === view.uri))
      throw new Error(
        `The tool "${name}" has the view "${view.uri}", which \`serveViews([…])\` must have too`,
      );
    if (view.uri !== undefined && own.has(view.uri))
      throw new Error(`The tool "${name}" has the view "${view.uri}", whose URI another resource has`);
  }
}
