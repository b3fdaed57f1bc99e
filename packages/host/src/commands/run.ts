import type { AuthorizationStore } from '@mcp/protocol/authorization';
import type { Host, Verdicts } from '@mcp/protocol/client';
import { createInterface } from 'node:readline/promises';
import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { asConfigured } from '../config/ad-hoc.ts';
import type { ServerDefinition } from '../config/definition.ts';
import { explainServer } from '../config/explain.ts';
import { type Configuration, loadConfiguration } from '../config/load.ts';
import { HostError, exitCodes } from '../errors.ts';
import { authorizeWith } from '../login/authorize.ts';
import { fileStore } from '../login/file-store.ts';
import { openBrowser } from '../login/open-browser.ts';
import { fileVerdicts } from '../servers/file-verdicts.ts';
import { Servers } from '../servers/servers.ts';
import { stateDirectories } from '../state-directories.ts';
import { askForm } from '../terminal/elicit.ts';
import { Output } from '../terminal/output.ts';
import { sanitize, sanitizeLine } from '../terminal/sanitize.ts';
import { TrustStore } from '../trust/trust-store.ts';
import type { OptionValues } from './command.ts';
import { helpText } from './help.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';

/** Runs `mcp` with the words of its command line, and returns the exit code. */
export async function runCommandLine(words: readonly string[], version: string): Promise<number> {
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).includes('--json');
  const output = new Output({ stdout: process.stdout, stderr: process.stderr, json, env: process.env });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    return await run(words, version, output, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) return exitCodes.interrupted;
    return report(error, output);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function run(
  words: readonly string[],
  version: string,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const line = parseCommandLine(words);
  if (line.options['version']) return print(output, `mcp ${version}`);
  if (line.options['help']) return print(output, helpText(line.named ? line.command : undefined));
  const configuration = configurationOf(line.options, line.server);
  const host = hostOf(output);
  await using servers = serversOf(configuration, line, output, version, host);
  const { positionals, options } = line;
  const { store } = host;
  return await line.command.run({
    store,
    positionals,
    options,
    configuration,
    servers,
    output,
    stdin: process.stdin,
    signal,
  });
}

function print(output: Output, text: string): number {
  output.text(text);
  return exitCodes.ok;
}

function configurationOf(options: OptionValues, server: ServerDefinition | undefined): Configuration {
  if (server) return { servers: [asConfigured(server)], problems: [], files: [] };
  const files = options['config'];
  return loadConfiguration(Array.isArray(files) ? { files } : {});
}

/** What a host keeps between its runs. */
interface HostState {
  readonly warn: (message: string) => void;
  readonly trust: TrustStore;
  readonly verdicts: Verdicts;
  readonly store: AuthorizationStore;
}

function hostOf(output: Output): HostState {
  const { state, cache } = stateDirectories(homedir(), process.env, process.platform);
  const warn = (message: string) => output.note(output.styled('yellow', message));
  return {
    warn,
    trust: new TrustStore(`${state}/trust.json`, warn),
    verdicts: fileVerdicts(cache, warn),
    store: fileStore(state, warn),
  };
}

function serversOf(
  configuration: Configuration,
  { command, options }: CommandLine,
  output: Output,
  version: string,
  { warn, trust, verdicts, store }: HostState,
): Servers {
  const open = command.name === 'login' ? showLogin(output, options['no-browser'] !== true) : undefined;
  const elicit = process.stdin.isTTY && output.interactive ? elicitWith(output) : undefined;
  return new Servers(configuration.servers, {
    trust,
    authorize: authorizeWith({ store, open, warn }),
    askInput: (id) => process.env[`MCP_INPUT_${id.toUpperCase().replaceAll('-', '_')}`],
    askConsent: (definition) => askConsent(definition, options['yes'] === true, output),
    stderr: (server, line) => output.note(output.styled('dim', sanitize(`${server}: ${line}`))),
    toolsWithheld: (server, changes) => {
      const names = changes.map(({ kind, name }) => `${name} (${kind})`).join(', ');
      warn(`${server}: tools that changed since they were accepted are withheld: ${sanitizeLine(names)}`);
      warn(`  mcp trust ${server} shows the changes`);
    },
    clientOptions: ({ name }) => ({
      name: 'mcp',
      version,
      verdicts,
      roots: () => Promise.resolve([{ uri: pathToFileURL(process.cwd()).href }]),
      ...(elicit && { elicit: elicit(name), elicitsUrls: true }),
    }),
  });
}

/** Shows the page of a login, and opens it. */
function showLogin(output: Output, open: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    output.note(`Log in at ${url.href}`);
    if (open && !(await openBrowser(url)))
      output.note('No browser could be opened; open this address yourself');
  };
}

/** Asks the user what a server asks: a form line by line, a page by its address. */
function elicitWith(output: Output): (server: string) => NonNullable<Host['elicit']> {
  const terminal = { input: process.stdin, output: process.stderr };
  return (server) =>
    (request, { signal }) => {
      if (!('url' in request)) return askForm(server, request, terminal, signal);
      const message = `${request.message}\nOpen ${request.url} and go on when you are done there.`;
      const done = { type: 'boolean', title: 'Done', default: true };
      output.note('');
      return askForm(server, { message, requestedSchema: { properties: { done } } }, terminal, signal);
    };
}

/** Shows what would be started, and asks; without a terminal it is not started. */
async function askConsent(definition: ServerDefinition, agreed: boolean, output: Output): Promise<boolean> {
  if (agreed) return true;
  if (!process.stdin.isTTY || !output.interactive) return false;
  output.note('A file of this project names a server:');
  const { hidden, format } = { hidden: [], format: { title: 'this project' } } as const;
  for (const [label, text] of explainServer({ hidden, format }, definition))
    output.note(sanitize(`  ${label}: ${text}`));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question('Start it? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

/** Prints an error: for a person in words, for a program as one line of JSON. Returns the exit code. */
function report(error: unknown, output: Output): number {
  if (!(error instanceof HostError)) {
    output.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.usage;
  }
  const { message, server, phase, hint, exitCode } = error;
  if (output.json) {
    output.note(JSON.stringify({ error: { message, server, phase, hint, exitCode } }));
  } else {
    output.note(output.styled('red', sanitize(message)));
    if (hint !== undefined) output.note(`  ${sanitize(hint)}`);
  }
  return exitCode;
}
