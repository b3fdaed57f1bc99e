import type { DocumentKind } from './document-kind.ts';
import type { DocumentRequest, DocumentText } from './document.ts';

/** The first line of stdin of the process that reads a document, as JSON. The document's bytes follow it. */
export interface ReaderRequest extends DocumentRequest {
  readonly kind: DocumentKind;
  readonly maxCharacters: number;
  /** Maximum number of bytes to which a compressed document expands. */
  readonly maxExpanded: number;
}

/**
 * The output of the process that reads a document, as JSON. A refusal is a sentence without its subject, the
 * document's name.
 */
export type ReaderResponse = { readonly document: DocumentText } | { readonly refusal: string };
