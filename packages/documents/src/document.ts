/** The requested part of a document. An option that does not apply to the kind of document is an error. */
export interface DocumentRequest {
  /** The pages of a PDF file, as `3`, `3-5` or `3-`. Defaults to all pages. */
  readonly pages?: string | undefined;
  /** The name of a sheet of an Excel file. Defaults to the first sheet that is not hidden. */
  readonly sheet?: string | undefined;
  /** The rows of the sheet, as `3`, `3-5` or `3-`. Defaults to all rows. */
  readonly rows?: string | undefined;
  /**
   * The number of the first line to return, counted in the requested pages of a PDF file or in the whole Word
   * file. Defaults to 1.
   */
  readonly offset?: number | undefined;
  /** Maximum number of lines of a PDF or Word file. */
  readonly limit?: number | undefined;
  /** Maximum number of characters of the text. Defaults to 40,000. */
  readonly maxCharacters?: number | undefined;
}

export interface DocumentText {
  readonly text: string;
  /** Says which part of the document the text is, such as `Pages 1 to 3 of 20`. */
  readonly part: string;
  /** The options of a request for the next part; undefined if this part is the last. */
  readonly next?: Omit<DocumentRequest, 'maxCharacters'> | undefined;
}
