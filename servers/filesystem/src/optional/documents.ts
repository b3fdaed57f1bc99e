import type { DocumentReader, DocumentRequest, DocumentText } from '@mcp/documents';
import type { Sandbox } from '@mcp/sandbox';
import type { DocumentsPackage, Loader } from './installed-packages.ts';

/** The largest document in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Extracts the text of documents with the package `@mcp/documents`. */
export class Documents {
  readonly #load: Loader<DocumentsPackage>;
  #reader: DocumentReader | undefined;

  constructor(load: Loader<DocumentsPackage>) {
    this.#load = load;
  }

  async read(
    sandbox: Sandbox,
    path: string,
    request: DocumentRequest,
    signal: AbortSignal,
  ): Promise<DocumentText & { readonly bytes: Uint8Array }> {
    this.#reader ??= new (this.#load(sandbox.directories).DocumentReader)({ maxBytes });
    const { bytes } = await sandbox.readMedia(path, { maxBytes });
    return { ...(await this.#reader.read(bytes, path, request, signal)), bytes };
  }
}
