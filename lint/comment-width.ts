const maxWidth = 110;

interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface Context {
  readonly sourceCode: {
    readonly lines: readonly string[];
    getAllComments(): readonly { readonly loc: Location }[];
  };
  report(finding: { readonly loc: Location; readonly message: string }): void;
}

/** The rule `project/comment-width`: the formatter wraps code, but leaves comments as they are. */
export default {
  meta: { name: 'project' },
  rules: {
    'comment-width': {
      create: (context: Context) => ({
        Program() {
          const { lines } = context.sourceCode;
          for (const { loc } of context.sourceCode.getAllComments()) {
            for (let line = loc.start.line; line <= loc.end.line; line++) {
              const text = lines[line - 1]!;
              // A URL cannot be wrapped.
              if (text.length <= maxWidth || /^[\s/*]*(?:@\w+ )?https?:\S+$/.test(text)) continue;
              context.report({
                loc: { start: { line, column: maxWidth }, end: { line, column: text.length } },
                message: `Comment line of ${text.length} columns: at most ${maxWidth} are allowed`,
              });
            }
          }
        },
      }),
    },
  },
};
