/** Which part of a document is wanted. What a kind of documents does not have is an error. */
export interface DocumentRequest {
  /** Pages of a PDF file: `3`, `3-5` or `3-`. Defaults to all. */
  readonly pages?: string | undefined;
  /** The name of a sheet of an Excel file. Defaults to the first that is not hidden. */
  readonly sheet?: string | undefined;
  /** Rows of the sheet: `3`, `3-5` or `3-`. Defaults to all. */
  readonly rows?: string | undefined;
  /** The number of the first line, within the pages of a PDF file or in a Word file. Defaults to 1. */
  readonly offset?: number | undefined;
  /** The most lines of a PDF or Word file. */
  readonly limit?: number | undefined;
  /** The most characters of the text. Defaults to 40,000. */
  readonly maxCharacters?: number | undefined;
}

/** The text of a part of a document. */
export interface DocumentText {
  readonly text: string;
  /** What the text is, of how much: `Pages 1 to 3 of 20`. */
  readonly part: string;
  /** What a request for the part after this one has; undefined at the end. */
  readonly next?: Omit<DocumentRequest, 'maxCharacters'> | undefined;
}
