import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@mcp/kit';
import manifest from '../package.json' with { type: 'json' };
import { create } from './create.ts';
import { type Project, shortName } from './project.ts';
import { askInTerminal } from './questions.ts';
import { findTemplate, templates } from './templates.ts';
import { developmentNode } from './whole-server.ts';

const names = [...new Set(templates.map(({ name }) => name))];

const usage = `npm create @mcp/server [directory] [-- options]

Creates a Model Context Protocol server with a tool, a watched resource, a prompt and their tests.

  --from <template>    ${names.slice(0, -1).join(', ')} or ${names.at(-1)}; default minimal
  --language <ts|js>   default ts; js only with the template minimal
  --name <name>        the name of the package; default the name of the directory
  --yes                takes the defaults, without questions
  --version, --help
`;

main().catch((error: unknown) => {
  process.stderr.write(`create-server: ${messageOf(error)}\n`);
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
  const answer = async (given: string | undefined, text: string, fallback: string) =>
    given ?? (mayAsk ? askInTerminal(text, fallback) : fallback);
  const directory = await answer(positionals[0], 'Directory', 'my-server');
  const from = await answer(values.from, `Template: ${names.join(', ')}`, 'minimal');
  const inBoth = templates.filter(({ name }) => name === from).length > 1;
  const language = inBoth
    ? await answer(values.language, 'Language: ts or js', 'ts')
    : (values.language ?? 'ts');

  const template = findTemplate(from, language);
  const target = resolve(directory);
  const project = {
    name: values.name ?? packageName(target),
    template,
    range: `^${manifest.version}`,
    node: process.versions.node,
  };
  checkName(project.name);
  create(project, target, join(import.meta.dirname ?? __dirname, 'templates'));
  process.stdout.write(`Created ${project.name} in ${directory}. Next:\n\n`);
  for (const command of nextCommands(directory, project)) process.stdout.write(`  ${command}\n`);
  if (template.whole && isOlder(process.versions.node, developmentNode)) {
    process.stdout.write(
      `\nTo build and test it, install Node ${developmentNode} or newer; this is ${process.version}.\n`,
    );
  }
}

/** The commands to run next: they build the project, list its tools and call one of these. */
function nextCommands(directory: string, project: Project): string[] {
  const [manager = 'npm'] = /^(?:pnpm|yarn)/.exec(process.env['npm_config_user_agent'] ?? '') ?? [];
  const { whole, language, call, first } = project.template;
  const build = language === 'ts' ? [`${manager} run build`] : [];
  return [
    `cd ${directory}`,
    ...(first ? [first] : []),
    `${manager} install`,
    ...build,
    whole ? 'npx vitest run src' : `${manager} test`,
    `npx @mcp/host tools ${shortName(project)}`,
    `npx @mcp/host call ${shortName(project)}.${call}`,
  ];
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** A name that npm accepts, made from the name of the directory. */
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
