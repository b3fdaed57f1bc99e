/** A kind of document, named by the extension of its files. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx';

export const kindNames: Readonly<Record<DocumentKind, string>> = {
  pdf: 'a PDF file',
  docx: 'a Word file (.docx)',
  xlsx: 'an Excel file (.xlsx)',
};

/**
 * Extensions of similar formats that cannot be read. The texts follow the file's name in a message, and say
 * what to do.
 */
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

/** Returns the kind of a document by its extension, in any letter case; undefined for other files. */
export function documentKindOf(fileName: string): DocumentKind | undefined {
  const extension = extensionOf(fileName);
  return isKind(extension) ? extension : undefined;
}

function isKind(text: string): text is DocumentKind {
  return Object.hasOwn(kindNames, text);
}

/** Returns why a file is not read, if it only looks like a supported document; undefined for other files. */
export function reasonNotRead(fileName: string): string | undefined {
  const extension = extensionOf(fileName);
  return Object.hasOwn(unread, extension) ? unread[extension] : undefined;
}
