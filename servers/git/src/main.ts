import { parseArgs } from 'node:util';
import { serveStdio } from '@mcp/protocol/stdio';
import manifest from '../package.json' with { type: 'json' };
import { git } from './server.ts';

const [command] = Object.keys(manifest.bin);

const help = `${manifest.description}

Usage: ${command} --repository <path> [--repository <path>…] [options]

  --repository <path>  a repository, or a directory of repositories; may be given without the option too
  --read-only          publish no tool that changes anything
  --trust              run the hooks, filters, signing and helpers that the repositories are set to
  --allow-remote       publish the tools that fetch, pull, push and clone
  --version            print the version
  --help               print this

Speaks the Model Context Protocol on stdin and stdout.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      repository: { type: 'string', multiple: true },
      'read-only': { type: 'boolean' },
      trust: { type: 'boolean' },
      'allow-remote': { type: 'boolean' },
      version: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return print(help);
  if (values.version) return print(`${manifest.version}\n`);
  const directories = [...(values.repository ?? []), ...positionals];
  if (directories.length === 0) throw new Error('Name at least one repository, with --repository <path>');

  const warn = (message: string) => void process.stderr.write(`${message}\n`);
  const server = await git({
    directories,
    environment: process.env,
    readOnly: values['read-only'],
    trust: values.trust,
    allowRemote: values['allow-remote'],
    warn,
  });
  await serveStdio(server, { warn });
}

function print(text: string): void {
  process.stdout.write(text);
}

main().catch((error: unknown) => {
  process.stderr.write(`${command}: ${error instanceof Error ? error.message : String(error)}\nTry --help\n`);
  process.exitCode = 2;
});
