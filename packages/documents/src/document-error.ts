/**
 * A document cannot be read: it is damaged, encrypted, too large or of another kind, or does not have the
 * requested sheet, pages, rows or lines.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
