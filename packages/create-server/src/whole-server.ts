import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowScripts, devScript, hostText, type Project, shortName } from './project.ts';
import { sourceParts } from './source-parts.ts';

interface Manifest {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly scripts: { readonly build: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

/** The first version of Node that runs TypeScript files, such as the scripts and the tests of a server. */
export const developmentNode = '22.18';

/**
 * A program that ends the build with an error if Node is too old. It is JavaScript, so that older versions
 * can run it.
 */
export const nodeCheck = {
  path: 'scripts/check-node.js',
  text: `// An older Node than ${developmentNode} cannot run the TypeScript of this directory.
if (process.versions.node.localeCompare('${developmentNode}', 'en', { numeric: true }) < 0) {
  console.error(\`Building and testing this server takes Node ${developmentNode} or newer; this is \${process.version}\`);
  process.exitCode = 1;
}
`,
};

/** The `package.json` of a copy of a server. */
export function wholeManifest(project: Project, templateDirectory: string): object {
  const { description, keywords, license, scripts, dependencies, devDependencies, engines } =
    readManifest(templateDirectory);
  const { range } = project;
  return {
    name: project.name,
    version: '0.1.0',
    description,
    keywords,
    license,
    bin: { [shortName(project)]: project.template.main },
    files: ['dist'],
    type: 'module',
    scripts: {
      build: `node ${nodeCheck.path} && tsc --noEmit && ${scripts.build}`,
      prepack: 'npm run build',
      dev: devScript('-- node src/main.ts', project),
      test: 'vitest run',
      lint: 'oxlint',
    },
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([dependency, version]) => [
        dependency,
        dependency.startsWith('@mcp/') ? range : version,
      ]),
    ),
    allowScripts,
    devDependencies: { ...devDependencies, oxlint: '^1.0.0', typescript: '>=5.8', vite: '^8.0.0' },
    engines,
  };
}

export function wholeReadme(project: Project, templateDirectory: string): string {
  const { description, dependencies, engines } = readManifest(templateDirectory);
  const original = `@mcp/server-${project.template.name}`;
  return `# ${project.name}

${description}. It began as a copy of \`${original}\`.

\`\`\`sh
${project.template.first ? `${project.template.first}\n` : ''}npm install
npm run build
npx vitest run src
npx @mcp/host tools
npx @mcp/host call ${shortName(project)}.${project.template.call}
\`\`\`

\`npx vitest run src\` runs the tests of the definitions alone, which takes seconds; \`npm test\` runs all, in one to three minutes on
two cores.

${hostText(project)}

${project.template.whole?.start} The table of options is below.

## Make it your own

| path | what it is |
| --- | --- |
${partRows(templateDirectory)}

The server runs on Node ${engines.node.replace('>=', '')} or newer; building and testing it takes Node ${developmentNode} or newer. \`npm run build\` bundles
it with \`scripts/build.js\`; ${listed(Object.keys(dependencies))} are installed beside it.
\`npm run dev\` serves the sources over HTTP, as \`.mcp.json\` starts the program, and starts the server anew when one changes; clients stay
connected. \`npm run dev -- <options>\` adds options.
Replace \`${project.template.whole?.data}\`, which does not know MCP, then the tools, resources and prompts, one at a time, with
their tests.

To add a tool:

${numbered(toolSteps(templateDirectory))}

After \`npm run build\`, \`npx @mcp/host trust ${shortName(project)} --yes\` accepts the tool: the host withholds tools that were
added or changed since you accepted the others. Without \`--yes\` it shows the changes.

To remove one, undo these steps, and change the tests that call it by its name: \`grep -rl <name> src test\` lists them.

The tests of \`${original}\` are here. Those in \`src/\` try the definitions; those in \`test/\` try the server as a whole, and some of
them start the built program. Tests that need root or a program that is missing are skipped. The original has more in its repository that is not here: configurations for hosts,
comparisons with other servers, benchmarks, and the official conformance suite. \`test/kit/\` has the helpers of the tests.
\`test/published.json\` has everything that the server publishes; the tables below are compared with it too.

${readFileSync(join(templateDirectory, 'README.md'), 'utf8').trim()}

## License

\`LICENSE\` is the license of the original. Keep its notice in copies of this project.
`;
}

/** The rows of the table that says what the files of the project are. */
function partRows(templateDirectory: string): string {
  const present = new Map(
    readdirSync(join(templateDirectory, 'src'), { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    ]),
  );
  const sources = Object.entries(sourceParts).flatMap(([name, contents]) =>
    present.has(name) ? [[`src/${present.get(name)}`, contents] as const] : [],
  );
  const tests = [
    ['test/', 'the tests of the server as a whole'],
    ['test/kit/', 'the helpers of the tests that know nothing of this server'],
    ['test/published.json', 'everything that the server publishes'],
    ['scripts/', 'the build'],
    ['view/', 'the pages that hosts show with results'],
  ] as const;
  const others = tests.filter(([path]) => path !== 'view/' || existsSync(join(templateDirectory, path)));
  return [...sources, ...others].map(([path, contents]) => `| \`${path}\` | ${contents} |`).join('\n');
}

/** What to do for a new tool, in this order. The tests that are named are not in every server. */
function toolSteps(templateDirectory: string): string[] {
  const textOf = (path: string) => {
    const file = join(templateDirectory, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  return [
    'Write it and its test in `src/tools/`, and put it into the list of `src/tools.ts`.',
    'Write its row in the table of tools below.',
    ...(textOf('test/hostile-arguments.test.ts')
      ? ['Write a valid call and hostile values of each argument in `test/hostile-arguments.test.ts`.']
      : []),
    ...(textOf('test/structured.test.ts')
      ? ['If it has an `outputSchema`, write a call of it in `test/structured.test.ts`.']
      : []),
    '`npx vitest run -u test/published.test.ts` writes it into `test/published.json`. Look at the difference.',
    ...(textOf('test/published.test.ts').includes('maxToolList')
      ? ['Raise `maxToolList` in `test/published.test.ts` if this test says that the list is too long.']
      : []),
    '`npm test` runs all tests. A failure about a list says what the list lacks.',
  ];
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}

/** The names in backticks, as an enumeration: `a`, `b` and `c`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' and ');
}

function readManifest(templateDirectory: string): Manifest {
  return JSON.parse(readFileSync(join(templateDirectory, 'package.json'), 'utf8')) as Manifest;
}
