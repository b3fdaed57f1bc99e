import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@mcp/protocol/client';
import { type CommandInput, type OptionValues, valueOf } from '../command-line/command.ts';
import { logLevelOf } from '../command-line/option-values.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { keepAddress } from '../keep/keep-address.ts';
import { openBrowser } from '../login/open-browser.ts';
import type { OpenKept } from '../servers/connect.ts';
import type { OnMessage } from '../servers/observed-connector.ts';
import type { HostState } from '../servers/host-state.ts';
import { Servers, type ServersOptions } from '../servers/servers.ts';
import { withheldChangesText } from '../servers/withheld-text.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { askConsent, askInputWith, confirmLoginWith, elicitWith } from './ask-user.ts';
import { ServerStderr } from './server-stderr.ts';
import { sampleWithCommand } from './sample-with-command.ts';
import { printedCommand } from '../printed-command.ts';

type ServersInput = Omit<CommandInput, 'servers'>;

/** Commands that start no login: their user may be elsewhere, or their findings must not depend on it. */
const withoutLogins: ReadonlySet<string> = new Set(['serve', 'dev', 'inspect', 'test', 'doctor']);

/**
 * Opens the servers for a command. The user is asked in the terminal: for consent to a server, and for what a
 * server wants to know.
 */
export function terminalServers(
  command: string,
  input: ServersInput,
  {
    state,
    onMessage,
    onSilentLeft,
  }: Required<Pick<ServersOptions, 'onSilentLeft'>> & {
    readonly state: HostState;
    readonly onMessage: OnMessage | undefined;
  },
): Servers {
  const { configuration, options, output, interrupts } = input;
  const isServe = command === 'serve' || command === 'dev';
  const isTest = command === 'test';
  const warn = (message: string) => output.warning(message);
  const isLogin = command === 'login';
  const asksLogin = !isLogin && !withoutLogins.has(command);
  const confirmLogin = asksLogin ? confirmLoginWith(output, interrupts) : undefined;
  // `mcp serve` runs until it is stopped, and its stderr is a log: it prints the stderr of servers
  // immediately. With `--json`, the stderr of servers is not printed, because `mcp` writes its errors to
  // stderr as lines of JSON.
  const isLog = isServe || options['verbose'] === true;
  const printed = isLog || !output.json;
  const print = (text: string) => printed && output.note(text, 'dim');
  const stderr = new ServerStderr(print, { atOnce: isLog });
  return new Servers(configuration.servers, state, {
    onWarning: warn,
    ...((isLogin || confirmLogin) && { onLogin: showLogin(output, options['no-browser'] !== true) }),
    ...(confirmLogin && { confirmLogin }),
    signal: interrupts.signal,
    onSilentLeft,
    acceptsToolChanges: command === 'dev',
    askInput: askInputWith(output, interrupts),
    // `mcp serve` asks the user nothing, because its stdin may carry the messages of its client.
    askConsent: (entry, reads) =>
      isServe || options['yes'] === true
        ? Promise.resolve(options['yes'] === true)
        : askConsent({ entry, reads }, output, interrupts.innermost),
    onStderr: (server, text) => stderr.add(server, text),
    onFailure: (server) => stderr.failed(server),
    onToolsWithheld: (server, changes) => {
      warn(sanitizeLine(withheldChangesText(server, changes)));
      warn(`  ${printedCommand('trust', server)} shows the changes, and with --yes accepts them`);
    },
    // `mcp serve` and `mcp dev` have processes of their own for each client, `mcp test` for each revision. A
    // recording begins with a start, and `mcp load` measures a new process.
    ...(!isServe && !isTest && !onMessage && command !== 'load' && { openKept: openKeptWith(input) }),
    ...(input.observe && { observe: input.observe }),
    ...(onMessage && { onMessage }),
    // A test has the same capabilities in a terminal as in CI.
    clientOptions: clientOptionsOf(input, isTest ? undefined : elicitWith(output)),
  });
}

/** Opens a server of the process of `mcp keep`, if there is one. */
function openKeptWith({ directories, version, load = {} }: ServersInput): OpenKept {
  return async (entry, target, { roots, stderr }) => {
    const address = keepAddress(directories, version);
    if (address === undefined) return undefined;
    const { openKept, wantedServer } = await import('../keep/kept-channel.ts');
    return openKept(address, { ...wantedServer(entry, target, load), roots }, stderr);
  };
}

/** The options of the client for each server. */
function clientOptionsOf(
  { options, version, logs }: ServersInput,
  elicit: ReturnType<typeof elicitWith>,
): (entry: ServerEntry) => ClientOptions {
  const sampling = valueOf(options, 'sampling');
  const sample = sampling === undefined ? undefined : sampleWithCommand(sampling);
  const revision = valueOf(options, 'revision');
  const logLevel = logLevelOf(options, 'log');
  const roots = rootsOf(options);
  return ({ name, scope, project = process.cwd() }) => ({
    name: 'mcp',
    version,
    // Some servers use roots in place of the directories in their arguments. In the user's own files, the
    // user has chosen these directories. So without `--root`, only servers of a project get a root.
    ...((roots.length > 0 || scope === 'project') && {
      roots: () => Promise.resolve(roots.length > 0 ? roots : [rootOf(project)]),
    }),
    onLog: (message) => logs.emit('message', { server: name, ...message }),
    onClose: () => logs.emit('closed', name),
    ...(revision !== undefined && { revision }),
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

/** Returns a function that prints the address of a login page, and opens it if `open` is true. */
function showLogin(output: Output, open: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    output.note(`Log in at ${url.href}`);
    if (open && !(await openBrowser(url)))
      output.note('No browser could be started; open the address above yourself');
  };
}
