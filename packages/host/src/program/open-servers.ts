import { pathToFileURL } from 'node:url';
import type { CommandLine } from '../command-line/parse-command-line.ts';
import type { Configuration } from '../config/load.ts';
import { authorizeWith } from '../login/authorize.ts';
import { openBrowser } from '../login/open-browser.ts';
import { Servers } from '../servers/servers.ts';
import type { Output } from '../terminal/output.ts';
import { sanitize, sanitizeLine } from '../terminal/sanitize.ts';
import { askConsent, elicitWith } from './ask-user.ts';
import type { HostState } from './host-state.ts';

export interface ServersInput {
  readonly configuration: Configuration;
  readonly line: CommandLine;
  readonly output: Output;
  readonly version: string;
  readonly state: HostState;
  readonly warn: (message: string) => void;
  /** Fires when the command is interrupted. */
  readonly signal: AbortSignal;
}

/** The servers of a command line, with a terminal to ask its user in. */
export function serversOf({
  configuration,
  line,
  output,
  version,
  state,
  warn,
  signal,
}: ServersInput): Servers {
  const { command, options } = line;
  const { trust, verdicts, listCache, store } = state;
  const open = command.name === 'login' ? showLogin(output, options['no-browser'] !== true) : undefined;
  const elicit = elicitWith(output);
  return new Servers(configuration.servers, {
    trust,
    listCache,
    signal,
    authorize: authorizeWith({ store, open, warn }),
    askInput: (id) => process.env[`MCP_INPUT_${id.toUpperCase().replaceAll('-', '_')}`],
    askConsent: (definition) => askConsent(definition, options['yes'] === true, output),
    stderr: (server, text) => output.note(output.styled('dim', sanitize(`${server}: ${text}`))),
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
