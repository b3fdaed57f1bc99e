import { builtin, codeOf } from '@mcp/kit';
import type { ToolView } from '@mcp/protocol';
import { viewsExtension } from '../extension.ts';
import { type Meta, type ViewSettings, viewMeta } from './view-meta.ts';

/** A view as its author writes it. */
export type ViewDefinition = ViewSettings & {
  /** The URI of its resource, which begins with `ui://`. */
  readonly uri: string;
  /** Its name in lists. Default: what comes after `ui://`. */
  readonly name?: string;
  /** The name that a host shows to a person. */
  readonly title?: string;
  readonly description?: string;
  /**
   * The HTML document, or the `file:` URL of one, which is read each time that a client asks for it. Needs
   * Node for a file. Put scripts and styles into the document: many hosts load nothing else.
   */
  readonly html: string | URL;
  /** How long clients may keep the document. Default: not at all. */
  readonly cache?: { readonly ttlMs: number; readonly scope: 'public' | 'private' };
};

/** A view, as `defineView` returns it: the `view` of a tool, and an element of `serveViews`. */
export interface View extends ToolView {
  readonly uri: string;
  readonly definition: ViewDefinition;
  /** Its `_meta.ui`. */
  readonly meta: Meta;
  /** Returns the document. Rejects with an `Error` if the file cannot be read, or is not an HTML document. */
  readonly html: () => Promise<string>;
}

/**
 * Defines a view: a page that a host shows with the results of the tools whose `view` it is. The server needs
 * `extensions: [serveViews([…])]` too. Clients that do not show views get the tools as if they had none, so
 * that results must say in text what the view shows. Throws an `Error` for an invalid URI, origin or
 * permission, and for a text that does not begin with a doctype.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @example
 * ```ts
 * import { defineServer, defineTool } from '@mcp/protocol';
 * import { defineView, serveViews } from '@mcp/views';
 *
 * const dial = defineView({ uri: 'ui://clock/dial', html: '<!doctype html><title>Clock</title>' });
 * const time = defineTool({ name: 'time', description: 'Says the time.', view: dial, run: () => Date() });
 *
 * export const server = defineServer({
 *   name: 'clock',
 *   version: '1.0.0',
 *   tools: [time],
 *   extensions: [serveViews([dial])],
 * });
 * ```
 */
export function defineView(definition: ViewDefinition): View {
  const { uri, html } = definition;
  if (typeof uri !== 'string' || !uriSyntax.test(uri) || !URL.canParse(uri))
    throw new Error(`Invalid URI of a view: ${JSON.stringify(uri)}; expected one such as "ui://clock/dial"`);
  if (typeof html === 'string') refuseNoDocument(uri, html);
  else if (!(html instanceof URL) || html.protocol !== 'file:')
    throw new Error(`The \`html\` of the view "${uri}" must be an HTML document or a \`file:\` URL`);
  return {
    uri,
    definition,
    meta: viewMeta(uri, definition),
    extension: viewsExtension,
    toolMeta: { ui: { resourceUri: uri } },
    isOnlyForViews: false,
    html: typeof html === 'string' ? async () => html : () => readDocument(uri, html),
  };
}

const uriSyntax = /^ui:\/\/[^\s\p{Cc}\p{Cs}{}"<>\\^`|]+$/u;

async function readDocument(uri: string, file: URL): Promise<string> {
  const html = textOf(uri, await readBytes(uri, file));
  refuseNoDocument(uri, html);
  return html;
}

async function readBytes(uri: string, file: URL): Promise<Uint8Array> {
  try {
    return await builtin('node:fs/promises').readFile(file);
  } catch (error) {
    // Clients get the message, which must not name a path outside of the server.
    const reason = codeOf(error);
    throw new Error(`The file of the view "${uri}" cannot be read${reason ? ` (${reason})` : ''}`, {
      cause: error,
    });
  }
}

/** The bytes as text, without a byte order mark. */
function textOf(uri: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`The file of the view "${uri}" is not in UTF-8; save it in UTF-8`, { cause: error });
  }
}

/** Without a doctype, browsers show the page in quirks mode, and hosts may refuse it. */
function refuseNoDocument(uri: string, html: string): void {
  if (/^<!doctype html[\s>]/i.test(afterComments(html))) return;
  throw new Error(`The view "${uri}" is not an HTML document: it must begin with "<!doctype html>"`);
}

/** What follows the comments at the beginning; empty if a comment does not end. */
function afterComments(html: string): string {
  let rest = html.trimStart();
  while (rest.startsWith('<!--')) {
    // Also ends `<!-->`, as in browsers.
    const end = rest.indexOf('-->', 2);
    rest = end === -1 ? '' : rest.slice(end + 3).trimStart();
  }
  return rest;
}
