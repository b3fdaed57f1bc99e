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
};
