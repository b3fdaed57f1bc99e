import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { create } from './create.ts';
import { shortName } from './project-files.ts';
import { askInTerminal } from './questions.ts';
import { findTemplate, templates } from './templates.ts';

const usage = `npm create @mcp/server [directory] [-- options]

Creates a Model Context Protocol server with a tool, a watched resource, a prompt and their tests.

  --from <template>    ${[...new Set(templates.map(({ name }) => name))].join(' or ')}; default minimal
  --language <ts|js>   default ts
  --name <name>        the name of the package; default the name of the directory
  --yes                takes the defaults, without questions
  --version, --help
`;

main().catch((error: unknown) => {
  process.stderr.write(`create-server: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      from: { type: 'string' },
      language: { type: 'string' },
      name: { type: 'string' },
      yes: { type: 'boolean' },
      version: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (values.help) return void process.stdout.write(usage);
  if (values.version) return void process.stdout.write(`${manifest.version}\n`);
  if (positionals.length > 1) throw new Error(`Unexpected argument: "${positionals[1]}"; name one directory`);

  const mayAsk = process.stdin.isTTY && process.stdout.isTTY && !values.yes;
  const open = [
    { key: 'directory', given: positionals[0], text: 'Directory', fallback: 'my-server' },
    { key: 'from', given: values.from, text: 'Template: minimal or notes', fallback: 'minimal' },
    { key: 'language', given: values.language, text: 'Language: ts or js', fallback: 'ts' },
  ] as const;
  const missing = open.filter(({ given }) => given === undefined);
  const answers = mayAsk ? await askInTerminal(missing) : missing.map(({ fallback }) => fallback);
  const [directory = '', from = '', language = ''] = open.map(
    (each) => each.given ?? answers[missing.indexOf(each)],
  );

  const template = findTemplate(from, language);
  const target = resolve(directory);
  const project = { name: values.name ?? packageName(target), template, range: `^${manifest.version}` };
  checkName(project.name);
  create(project, target, join(import.meta.dirname ?? __dirname, 'templates'));
  process.stdout.write(
    [
      `Created ${project.name} in ${directory}. Next:`,
      '',
      `  cd ${directory}`,
      '  npm install',
      '  npm test',
      ...(language === 'ts' ? ['  npm run build'] : []),
      `  npx @mcp/host tools ${shortName(project)}`,
      '',
    ].join('\n'),
  );
}

/** A name that npm accepts, from the name of a directory. */
function packageName(directory: string): string {
  return basename(directory)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

function checkName(name: string): void {
  if (/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name) && name.length <= 214) return;
  throw new Error(`Invalid --name: "${name}"; expected lower case letters, digits, ".", "_" and "-"`);
}
