import type { Template } from './templates.ts';

export interface Project {
  /** The name of the package: lower case, as npm requires. */
  readonly name: string;
  readonly template: Template;
  /** The version of the packages @mcp/protocol and @mcp/watch, as a range. */
  readonly range: string;
}

/** The last part of the name of a package: `@me/server` gives `server`. */
export const shortName = ({ name }: Project): string => name.slice(name.indexOf('/') + 1);

/** The files of a new project besides those of its template, each by its path. */
export function projectFiles(project: Project): Readonly<Record<string, string>> {
  const { template } = project;
  return {
    'package.json': json(manifest(project)),
    ...(template.language === 'ts' && { 'tsconfig.json': json(compilerOptions) }),
    '.mcp.json': json({ mcpServers: { [shortName(project)]: command(project) } }),
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
    '.dockerignore': '*\n!dist\n!src\n!package.json\n!package-lock.json\n',
    Dockerfile: dockerfile(project),
    '.github/workflows/check.yml': workflow,
    'README.md': readme(project),
  };
}

const main = ({ template }: Project) => (template.language === 'ts' ? 'dist/main.js' : 'src/main.js');
const command = (project: Project) => ({ command: 'node', args: [main(project), ...project.template.args] });

function manifest(project: Project): object {
  const { name, range, template } = project;
  const typed = template.language === 'ts';
  return {
    name,
    version: '0.1.0',
    description: 'A Model Context Protocol server',
    keywords: ['mcp', 'mcp-server', 'model-context-protocol'],
    bin: { [shortName(project)]: main(project) },
    files: typed ? ['dist'] : ['src'],
    type: 'module',
    scripts: {
      ...(typed && {
        build:
          'tsc --noEmit && esbuild src/main.ts --bundle --platform=node --format=esm --packages=external --banner:js="#!/usr/bin/env node" --outfile=dist/main.js',
        prepack: 'npm run build',
      }),
      test: 'vitest run',
      lint: 'oxlint',
    },
    dependencies: { '@mcp/protocol': range, '@mcp/watch': range, zod: '^4.2.0' },
    devDependencies: {
      ...(typed && { '@types/node': '^24.9.0', esbuild: '^0.28.0', typescript: '>=5.8' }),
      oxlint: '^1.0.0',
      vite: '^8.0.0',
      vitest: '^5.0.0',
    },
    engines: { node: '>=20.19' },
  };
}

const compilerOptions = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src', 'test'],
};

function dockerfile(project: Project): string {
  const typed = project.template.language === 'ts';
  return `# After \`npm install\`${typed ? ' and `npm run build`' : ''}: docker build --tag ${shortName(project)} .
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
COPY ${typed ? 'dist ./dist' : 'src ./src'}
USER node
ENTRYPOINT ["node", "/app/${main(project)}"]
`;
}

const workflow = `name: check
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: npm ci
      - run: npm run lint
      - run: npm run build --if-present
      - run: npm test
`;

function readme(project: Project): string {
  const typed = project.template.language === 'ts';
  return `# ${project.name}

A [Model Context Protocol](https://modelcontextprotocol.io) server.

\`\`\`sh
npm install
npm test
${typed ? 'npm run build\n' : ''}npx @mcp/host tools
\`\`\`

The last command reads \`.mcp.json\` in this folder, as other hosts do, and lists the tools of the server:

\`\`\`json
${json({ mcpServers: { [shortName(project)]: command(project) } }).trim()}
\`\`\`

The definitions are in \`src/\`; the README of \`@mcp/protocol\` shows everything that they can have.
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
