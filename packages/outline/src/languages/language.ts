/** How the symbols of a language are found. */
export interface Language {
  /** The file name of the grammar in `dist/grammars`. */
  readonly grammar: string;
  /**
   * A query of tree-sitter. The capture `@name` is the name of a symbol, `@owner` the type to which it
   * belongs, and `@implements` the trait that it implements. Any other capture is the symbol itself, and the
   * capture's name is its kind. If several patterns match a symbol, the first one counts.
   */
  readonly query: string;
}
