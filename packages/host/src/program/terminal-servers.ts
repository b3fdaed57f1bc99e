import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@mcp/protocol/client';
import { type OptionValues, valueOf } from '../command-line/command.ts';
import { logLevelOf } from '../command-line/log-level.ts';
import type { Interrupts } from '../command-line/interrupts.ts';
import type { CommandLine } from '../command-line/parse-command-line.ts';
import type { ServerEntry } from '../config/server-entry.ts';
import type { Configuration } from '../config/load.ts';
import { openBrowser } from '../login/open-browser.ts';
import { composeServers } from '../servers/compose-servers.ts';
import type { HostState } from '../servers/host-state.ts';
import type { LogFeed } from '../servers/log-feed.ts';
import type { Servers } from '../servers/servers.ts';
import { withheldChangesText } from '../servers/withheld-text.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { askConsent, askInputWith, elicitWith } from './ask-user.ts';
import { ServerStderr } from './server-stderr.ts';
import { sampleWithCommand } from './sample-with-command.ts';
import { printedCommand } from '../printed-command.ts';

export interface ServersInput {
  readonly configuration: Configuration;
  readonly line: CommandLine;
  readonly output: Output;
  readonly version: string;
  readonly state: HostState;
  readonly logs: LogFeed;
  readonly warn: (message: string) => void;
  readonly interrupts: Interrupts;
}

/** The servers of a command line, with a terminal to ask its user in. */
export function terminalServers(input: ServersInput): Servers {
  const { configuration, line, output, state, warn, interrupts } = input;
  const { command, options } = line;
  const open = command.name === 'login' ? showLogin(output, options['no-browser'] !== true) : undefined;
  // The gateway runs until it is stopped, and its stderr is a log. For a program, an error
  // is one line of JSON.
  const isLog = command.name === 'serve' || options['verbose'] === true;
  const printed = isLog || !output.json;
  const print = (text: string) => printed && output.note(text, 'dim');
  const stderr = new ServerStderr(print, { atOnce: isLog });
  return composeServers(configuration.servers, state, {
    warn,
    open,
    signal: interrupts.signal,
    askInput: askInputWith(output, interrupts),
    // The stdin of a gateway may belong to its client.
    askConsent: (entry, reads) =>
      command.name === 'serve' || options['yes'] === true
        ? Promise.resolve(options['yes'] === true)
        : askConsent({ entry, reads }, output, interrupts.innermost),
    stderr: (server, text) => stderr.add(server, text),
    failed: (server) => stderr.failed(server),
    toolsWithheld: (server, changes) => {
      warn(sanitizeLine(withheldChangesText(server, changes)));
      warn(`  ${printedCommand('trust', server)} shows the changes`);
    },
    clientOptions: clientOptionsOf(input),
  });
}

/** The capabilities that this host declares to each server, and the information about the host. */
function clientOptionsOf(input: ServersInput): (entry: ServerEntry) => ClientOptions {
  const { line, output, version, logs } = input;
  const { options } = line;
  const elicit = elicitWith(output);
  const sampling = valueOf(options, 'sampling');
  const sample = sampling === undefined ? undefined : sampleWithCommand(sampling);
  const protocolVersion = valueOf(options, 'revision');
  const logLevel = logLevelOf(options, 'log');
  const roots = rootsOf(options);
  return ({ name, scope }) => ({
    name: 'mcp',
    version,
    // Servers take roots instead of the directories in their arguments, which the user has chosen.
    ...((roots.length > 0 || scope === 'project') && {
      roots: () => Promise.resolve(roots.length > 0 ? roots : [rootOf(process.cwd())]),
    }),
    log: (message) => logs.publish(name, message),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(logLevel && { logLevel }),
    ...(sample && { sample, samplesTools: true }),
    ...(elicit && { elicit: elicit(name), elicitsUrls: true }),
  });
}

function rootsOf({ root }: OptionValues) {
  return Array.isArray(root) ? root.map((directory: string) => rootOf(resolve(directory))) : [];
}

function rootOf(directory: string) {
  return { uri: pathToFileURL(directory).href };
}

/** Shows the page of a login, and opens it. */
function showLogin(output: Output, open: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    output.note(`Log in at ${url.href}`);
    if (open && !(await openBrowser(url)))
      output.note('No browser could be opened; open this address yourself');
  };
}
