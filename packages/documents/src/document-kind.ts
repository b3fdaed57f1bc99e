/** A kind of documents, by the extension of their files. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx';

/** The kinds of documents in words. */
export const kindNames: Readonly<Record<DocumentKind, string>> = {
  pdf: 'a PDF file',
  docx: 'a Word file (.docx)',
  xlsx: 'an Excel file (.xlsx)',
};

/** What is not read, by its extension, and what to do. */
const unread: Readonly<Record<string, string>> = {
  doc: 'is a Word file of the format before 2007; save it as .docx',
  xls: 'is an Excel file of the format before 2007; save it as .xlsx',
  xlsb: 'is a binary Excel file; save it as .xlsx',
  docm: 'is a Word file with macros; save it as .docx, without them',
  dotm: 'is a Word template with macros; save it as .docx, without them',
  xlsm: 'is an Excel file with macros; save it as .xlsx, without them',
  xltm: 'is an Excel template with macros; save it as .xlsx, without them',
};

function extensionOf(fileName: string): string {
  return /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** Returns the kind of a document by the extension of its name, in any case; undefined for another file. */
export function documentKindOf(fileName: string): DocumentKind | undefined {
  const extension = extensionOf(fileName);
  return isKind(extension) ? extension : undefined;
}

function isKind(text: string): text is DocumentKind {
  return Object.hasOwn(kindNames, text);
}

/** Why a file is not read that only looks like a document; undefined for any other. */
export function reasonNotRead(fileName: string): string | undefined {
  const extension = extensionOf(fileName);
  return Object.hasOwn(unread, extension) ? unread[extension] : undefined;
}
