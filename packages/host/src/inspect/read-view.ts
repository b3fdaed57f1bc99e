import { isObject } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { viewMimeType } from '@mcp/views';
import { usageError } from '../errors.ts';
import { uiOf } from '../view-of-tool.ts';

/** A view of a server, with what its server says about the frame. */
export interface ReadView {
  readonly html: string;
  readonly csp: { readonly [list: string]: unknown };
  readonly permissions: { readonly [permission: string]: unknown };
  readonly prefersBorder: boolean;
}

type Content = {
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: { readonly [key: string]: unknown };
};

/** Reads a view. Its settings are those of the content, or else those of the list of resources. */
export async function readView(client: Client, uri: string): Promise<ReadView> {
  const { contents } = await client.readResource(uri);
  const { mimeType, text, blob, _meta }: Content = contents[0] ?? {};
  if (mimeType !== viewMimeType)
    throw usageError(
      `The view ${uri} has the type ${JSON.stringify(mimeType)}`,
      `serve it with the MIME type "${viewMimeType}"`,
    );
  const own = _meta?.['ui'] === undefined ? await listedMeta(client, uri) : _meta;
  const { csp, permissions, prefersBorder } = uiOf(own);
  return {
    html: text ?? Buffer.from(blob ?? '', 'base64').toString('utf8'),
    csp: isObject(csp) ? csp : {},
    permissions: isObject(permissions) ? permissions : {},
    prefersBorder: prefersBorder !== false,
  };
}

async function listedMeta(client: Client, uri: string): Promise<Content['_meta']> {
  const listed = await client.listResources().catch(() => []);
  return listed.find((each) => each.uri === uri)?._meta as Content['_meta'];
}
