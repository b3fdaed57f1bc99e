/**
 * Why a document cannot be read: it is damaged, encrypted, too large, of another kind, or has no such part.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
