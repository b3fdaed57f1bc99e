/** How the symbols of a language are found. */
export interface Language {
  /** The file of its grammar in `dist/grammars`. */
  readonly grammar: string;
  /**
   * A query of tree-sitter. The capture `@name` is the name of a symbol, `@owner` the type that it belongs
   * to, `@implements` the trait of an implementation; any other capture is the symbol, and named for its
   * kind. Of several patterns that match a symbol, the first counts.
   */
  readonly query: string;
}
