import { configuration, json, type Project, shortName } from './project.ts';
import { smallManifest, smallReadme } from './small-project.ts';
import { nodeCheck, wholeManifest, wholeReadme } from './whole-server.ts';

/**
 * The generated files of a new project, by path. If the template is a whole server, `package.json` and
 * `README.md` are made from those of the server, in `templateDirectory`.
 */
export function projectFiles(project: Project, templateDirectory: string): Readonly<Record<string, string>> {
  const { whole, language } = project.template;
  const readme = whole ? wholeReadme(project, templateDirectory) : smallReadme(project);
  return {
    ...project.template.files,
    'package.json': json(whole ? wholeManifest(project, templateDirectory) : smallManifest(project)),
    'README.md': readme,
    ...(whole && { [nodeCheck.path]: nodeCheck.text }),
    ...(language === 'ts' && { 'tsconfig.json': json(compilerOptions) }),
    '.mcp.json': configuration(project),
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
    'pnpm-workspace.yaml': pnpmSettings(project),
    '.dockerignore': `*\n!${language === 'ts' ? 'dist' : 'src'}\n!package.json\n!package-lock.json\n`,
    Dockerfile: dockerfile(project),
    '.github/workflows/check.yml': workflow,
  };
}

function pnpmSettings({ template }: Project): string {
  return `# Only pnpm reads this file. It demands a decision on each install script; the project works without these scripts.
allowBuilds:
${template.name === 'sqlite' ? '  better-sqlite3: false\n' : ''}  esbuild: false
`;
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
  const { language, main, whole } = project.template;
  const image = shortName(project);
  const lines = [
    `# After \`npm install\`${language === 'ts' ? ' and `npm run build`' : ''}: docker build --tag ${image} .`,
    ...(whole ? [`# Then: docker run --interactive --rm ${whole.run} ${image}`] : []),
    'FROM node:24-bookworm-slim',
    ...(whole?.setUp ?? []),
    'WORKDIR /app',
    'COPY package.json package-lock.json ./',
    'RUN npm ci --omit=dev --ignore-scripts',
    language === 'ts' ? 'COPY dist ./dist' : 'COPY src ./src',
    'USER node',
    `ENTRYPOINT ["node", "/app/${main}"]`,
    ...(whole && whole.args.length > 0
      ? [`CMD [${whole.args.map((arg) => JSON.stringify(arg)).join(', ')}]`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
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
