/** The replacement of a text, of the matches of a regular expression, or of whole lines. */
export interface Edit {
  /** The text to replace; undefined to replace the lines of the range. */
  readonly oldText?: string | undefined;
  readonly newText: string;
  /** The exact number of occurrences, all of which are replaced; 0 allows any number. Default: 1. */
  readonly count?: number | undefined;
  /**
   * Whether `oldText` is a regular expression, and `newText` a template with `$1` or `$&`. Default: false.
   */
  readonly regex?: boolean | undefined;
  /**
   * The first and the last line that the edit may change, from 1. If `endLine` is `startLine` - 1, the edit
   * inserts before `startLine`. Default: all lines; with `startLine` alone, only that line.
   */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** An edit that replaces a text or the matches of a regular expression. */
export type Replaceable = Edit & { readonly oldText: string };

export interface AppliedEdit {
  /** The line number, from 1, of the first replaced occurrence, in the text that the previous edits left. */
  readonly line: number;
  /** `tolerant`: the lines differ from `oldText` in white space. `unchanged`: the edit changes nothing. */
  readonly match: 'exact' | 'tolerant' | 'unchanged';
  readonly occurrences: number;
}
