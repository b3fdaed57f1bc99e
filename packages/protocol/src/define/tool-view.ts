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

type Served = {
  readonly extension: Pick<Extension, 'id'>;
  readonly resources: readonly { readonly uri: string }[];
};

/** Throws an `Error` for a tool whose view the server does not serve. */
export function refuseUnserved(tools: Iterable<Viewed>, served: readonly Served[] = []): void {
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
  }
}
