/** A document cannot be read: it is damaged, encrypted, too large, of another kind, or lacks the part. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
