import type { DocumentKind } from './document-kind.ts';
import type { DocumentRequest, DocumentText } from './document.ts';

/** The first line of what the process reads from stdin; the bytes of the document follow. */
export interface ReaderRequest extends DocumentRequest {
  readonly kind: DocumentKind;
  readonly maxCharacters: number;
  /** The most bytes that a compressed document expands to. */
  readonly maxExpanded: number;
}

/**
 * What the process writes to stdout. A refusal is a sentence without its subject, the name of the document.
 */
export type ReaderResponse = { readonly document: DocumentText } | { readonly refusal: string };
