export { DocumentReader, type DocumentReaderOptions } from './document-reader.ts';
export { DocumentError } from './document-error.ts';
export type { DocumentRequest, DocumentText } from './document.ts';
export { documentKindOf, type DocumentKind } from './document-kind.ts';
