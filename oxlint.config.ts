import { readdirSync } from 'node:fs';
import { arrows, separateFiles } from './import-arrows.ts';

/** Rules for some files. The linter is installed apart, so that its own types are not at hand. */
interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/**
 * An import that is forbidden: a target, as a regular expression, relative to a directory
 * so many levels above.
 */
interface Forbidden {
  readonly levels: number;
  readonly target: string;
  readonly message: string;
}

export default {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'node', 'promise'],
  jsPlugins: ['./lint/comment-width.ts'],
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    'prefer-const': 'error',
    eqeqeq: 'error',
    'project/comment-width': 'error',
  },
  overrides: [
    {
      files: [
        'scripts/**',
        'bench/**',
        'mutation/**',
        'conformance/**',
        'docs/*.ts',
        'docs/.vitepress/*.ts',
        'release/**',
        'test/tasks/run.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    { files: ['conformance/fixture/schemas.ts'], rules: { 'unicorn/no-thenable': 'off' } },
    ...Object.keys(arrows)
      .filter((directory) => !Object.keys(arrows).some((other) => directory.startsWith(`${other}/`)))
      .flatMap((directory) => overridesBelow(directory, [])),
    { files: ['**/*.test.ts'], rules: { 'no-restricted-imports': 'off' } },
  ],
};

/** The overrides for a directory and all below it. `inherited` is what the directories above forbid. */
function overridesBelow(directory: string, inherited: readonly Forbidden[]): Override[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const table = arrows[directory];
  const forbiddenIn = (name: string): Forbidden[] => {
    const allowed = table?.[name];
    const denied = allowed && entries.filter((other) => other.name !== name && !allowed.includes(other.name));
    if (!denied?.length) return [];
    const target = denied
      .map((other) => other.name.replaceAll('.', String.raw`\.`) + (other.isDirectory() ? '/' : '$'))
      .join('|');
    return [{ levels: 0, target: `(?:${target})`, message: 'This import is against import-arrows.ts' }];
  };
  return [
    restrict(`${directory}/*.ts`, inherited),
    ...entries
      .filter((entry) => !entry.isDirectory() && table?.[entry.name])
      .map(({ name }) => restrict(`${directory}/${name}`, [...inherited, ...forbiddenIn(name)])),
    ...entries
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => {
        const below = `${directory}/${name}`;
        if (table && !table[name]) throw new Error(`import-arrows.ts has no entry for "${below}"`);
        const forbidden = [...inherited, ...forbiddenIn(name)].map((each) => ({
          ...each,
          levels: each.levels + 1,
        }));
        return overridesBelow(below, [...forbidden, ...forbiddenToAll(name)]);
      }),
  ];
}

/** What the files of a folder may not import because of the folder's name. */
function forbiddenToAll(folder: string): Forbidden[] {
  if (folder === 'backend')
    return [{ levels: 1, target: '', message: 'A backend imports nothing outside itself' }];
  if (separateFiles.includes(folder)) {
    return [
      { levels: 0, target: String.raw`[^/]+\.ts$`, message: 'A definition does not import another one' },
    ];
  }
  return [];
}

function restrict(files: string, forbidden: readonly Forbidden[]): Override {
  const patterns = forbidden.map(({ levels, target, message }) => ({
    regex: `^${levels === 0 ? String.raw`\./` : String.raw`\.\./`.repeat(levels)}${target}`,
    message,
  }));
  if (files.includes('/backend/'))
    patterns.push({ regex: '^@mcp/protocol(?:$|/)', message: 'A backend knows nothing of MCP' });
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}
