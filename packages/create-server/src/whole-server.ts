import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowScripts, hostText, type Project, shortName } from './project.ts';

interface Manifest {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly scripts: { readonly build: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

/** The first version of Node that runs TypeScript files, such as the script that bundles the server. */
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

${hostText(project)}

## Make it your own

The server runs on Node ${engines.node.replace('>=', '')} or newer; building and testing it takes Node ${developmentNode} or newer. \`npm run build\` bundles
it with \`scripts/bundle.ts\`; ${listed(Object.keys(dependencies))} are installed beside it.
Replace \`${project.template.whole?.data}\`, which does not know MCP, then the tools, resources and prompts, one at a time, with
their tests.

To add a tool:

1. Write it and its test in \`src/tools/\`, and put it into the list of \`src/tools.ts\`.
2. \`npx vitest run -u\` updates \`test/published.json\`. Write its row in the table below.
3. Raise \`maxToolList\` in \`test/published.test.ts\` if the list has become too long.
4. Write a valid call and hostile values of each argument in \`test/hostile-arguments.test.ts\`.
5. \`npm test\` fails for every other list in the tests that lacks the tool.
6. After \`npm run build\`, \`npx @mcp/host trust ${shortName(project)} --yes\` accepts the tool: the host withholds tools that were
   added or changed since you accepted the others. Without \`--yes\` it shows the changes.

To remove one, undo these steps, and change the tests that call it by its name: \`grep -rl <name> src test\` lists them.

The tests of \`${original}\` are here: \`npm test\` runs them, in one to three minutes on two cores. Those in \`src/\` try
the definitions; those in \`test/\` try the server as a whole, and some of them start the built program. Tests that need root or
a program that is missing are skipped. The original has more in its repository that is not here: configurations for hosts,
comparisons with other servers, benchmarks, and the official conformance suite. \`test/kit/\` has the helpers of the tests.
\`test/published.json\` has everything that the server publishes; the tables below are compared with it too.

${readFileSync(join(templateDirectory, 'README.md'), 'utf8').trim()}

## License

\`LICENSE\` is the license of the original. Keep its notice in copies of this project.
`;
}

/** The names in backticks, as an enumeration: `a`, `b` and `c`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' and ');
}

function readManifest(templateDirectory: string): Manifest {
  return JSON.parse(readFileSync(join(templateDirectory, 'package.json'), 'utf8')) as Manifest;
}
