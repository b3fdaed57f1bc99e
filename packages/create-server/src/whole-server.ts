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

/** The first Node that runs TypeScript, as the bundler of a whole server is. */
export const developmentNode = '22.18';

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
      build: `tsc --noEmit && ${scripts.build}`,
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

All tests of \`${original}\` are here: \`npm test\` runs them, in one to three minutes on two cores. Those in \`src/\` are
beside the definitions. Those in \`test/\` start the program; a few need root, \`setfacl\` or another program, and are skipped
without. The original has more in its repository that is not here: configurations for hosts, comparisons with other servers,
benchmarks, and the official conformance suite. \`test/kit/\` has the helpers of the tests. \`test/published.json\` has
everything that the server publishes, and \`npx vitest run -u\` updates it; the tables below are compared with it too.

${readFileSync(join(templateDirectory, 'README.md'), 'utf8').trim()}

## License

\`LICENSE\` is that of the original; copies of it keep the notice.
`;
}

/** `a`, `b` and `c`, as names of code. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' and ');
}

function readManifest(templateDirectory: string): Manifest {
  return JSON.parse(readFileSync(join(templateDirectory, 'package.json'), 'utf8')) as Manifest;
}
