import { allowScripts, devScript, hostText, type Project, shortName } from './project.ts';

/** The `package.json` of a project that begins with one of the small templates. */
export function smallManifest(project: Project): object {
  const { name, range, template, node } = project;
  const typed = template.language === 'ts';
  // Vitest 5 does not support Node 20, so a project that is created with Node 20 gets Vitest 4.
  const tested = Number.parseInt(node) < 22 ? { vite: '^7.0.0', vitest: '^4.0.0' } : newest;
  return {
    name,
    version: '0.1.0',
    description: 'A Model Context Protocol server',
    keywords: ['mcp', 'mcp-server', 'model-context-protocol'],
    bin: { [shortName(project)]: template.main },
    files: typed ? ['dist'] : ['src'],
    type: 'module',
    scripts: {
      ...(typed && {
        build:
          'tsc --noEmit && esbuild src/main.ts --bundle --platform=node --format=esm --packages=external --banner:js="#!/usr/bin/env node" --outfile=dist/main.js',
        prepack: 'npm run build',
      }),
      dev: devScript(`src/main.${template.language}`, project),
      test: 'vitest run',
      lint: 'oxlint',
    },
    dependencies: { '@mcp/protocol': range, '@mcp/watch': range, zod: '^4.2.0' },
    devDependencies: {
      ...(typed && { '@types/node': '^24.9.0', esbuild: '^0.28.0', typescript: '>=5.8' }),
      oxlint: '^1.0.0',
      ...tested,
    },
    ...(typed && { allowScripts }),
    engines: { node: '>=20.19' },
  };
}

const newest = { vite: '^8.0.0', vitest: '^5.0.0' };

export function smallReadme(project: Project): string {
  return `# ${project.name}

A [Model Context Protocol](https://modelcontextprotocol.io) server.

\`\`\`sh
npm install
${project.template.language === 'ts' ? 'npm run build\n' : ''}npm test
npx @mcp/host tools
npx @mcp/host call ${shortName(project)}.${project.template.call}
\`\`\`

${hostText(project)}

\`npm run dev\` serves the server over HTTP and starts it anew when a source changes; clients stay connected.${typed(project)}

The definitions are in \`src/\`; the README of \`@mcp/protocol\` shows everything that they can have.
`;
}

/** The version of Node that a TypeScript project needs for `npm run dev`, as a sentence. */
function typed({ template }: Project): string {
  return template.language === 'ts' ? ' It needs Node 22.18 or newer.' : '';
}
