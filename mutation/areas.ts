/** A part of a package that is pure: functions of their arguments, whose tests start no process. */
export interface Area {
  /** The directory of the package. */
  readonly package: string;
  /** The files that are changed, and the tests that should notice it; both relative to `package`. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

export const areas: { readonly [name: string]: Area } = {
  'uri-templates': {
    package: 'packages/protocol',
    sources: ['src/define/uri-template.ts'],
    tests: ['test/uri-template.test.ts'],
  },
  jsonrpc: {
    package: 'packages/protocol',
    sources: ['src/jsonrpc/*.ts'],
    tests: ['test/jsonrpc.test.ts'],
  },
  globs: {
    package: 'packages/sandbox',
    sources: ['src/traverse/glob.ts'],
    tests: ['src/traverse/glob.test.ts'],
  },
  'text-edits': {
    package: 'packages/sandbox',
    sources: ['src/edit/edit-text.ts', 'src/diff/unified-diff.ts'],
    tests: ['src/edit/edit-text.test.ts', 'src/diff/unified-diff.test.ts'],
  },
  'git-parsers': {
    package: 'packages/safe-git',
    sources: [
      'src/commands/history/{blame,grep}.ts',
      'src/commands/refs/refs.ts',
      'src/commands/work-tree/status.ts',
      'src/parse/{line-range,line-selection,nul-records,offset-cursor,printed,record-reader,tag-object}.ts',
      'src/parse/{validate-pattern,validate-revision}.ts',
    ],
    tests: ['src/parse/parse.test.ts'],
  },
  sql: {
    package: 'packages/sqlite-pool',
    sources: [
      'src/sql/{conflict-clauses,mentioned-names,placeholders,quote-identifier,statement-guard,tokenizer}.ts',
    ],
    tests: ['test/sql.test.ts'],
  },
  authorization: {
    package: 'packages/authorization',
    sources: ['src/discovery/{challenge,scopes}.ts', 'src/requests/{json-fields,oauth-reply,url-rules}.ts'],
    tests: ['test/received-values.test.ts'],
  },
};
