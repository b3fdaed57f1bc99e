import { setTimeout } from 'node:timers/promises';
import { login } from '@mcp/login/command-line';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { logLevelOf } from '../command-line/option-values.ts';
import { usageError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Policy } from '../policy/policy.ts';
import { openPolicy, policyOf, policyOption, serversOfSet } from './policy/policy-of.ts';
import { loginOf } from './serve/login-of.ts';
import { servedToolsOf } from './serve/served-tools-of.ts';
import { logOf, operationOptions } from './serve/operation-of.ts';
import { serveGateway } from './serve/serve-gateway.ts';
import { sharingOf } from './serve/sharing-of.ts';
import { shownLogsOf } from './serve/shown-logs-of.ts';
import { followConfiguration } from '../servers/follow-configuration.ts';
import { printedCommand } from '../printed-command.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[--stdio | --http [host:]port]',
  help: 'serves all configured servers as one, to any number of clients over HTTP or to one over stdio',
  words: [],
  options: [
    { name: 'stdio', help: 'serve one client on stdin and stdout; the default' },
    {
      name: 'http',
      value: '[host:]port',
      help: 'serve HTTP on this port, or at unix:path; the default host is 127.0.0.1',
    },
    {
      name: 'token',
      value: 'token',
      help: 'require this token from HTTP clients; MCP_TOKEN in the environment keeps it out of process lists',
    },
    {
      name: 'redis',
      value: 'url',
      help: 'share sessions with other processes over HTTP; MCP_REDIS_URL keeps a password secret',
    },
    ...Object.entries(login.options).map(([name, option]) => ({ name, ...option })),
    {
      name: 'allow',
      value: 'server.tool',
      help: 'with --login, serve this tool although it may write: files.write_file; repeatable',
    },
    ...operationOptions,
    { name: 'log-json', help: 'write warnings, and a line for each request, as JSON on stderr' },
    { name: 'servers', value: 'names', help: 'only these servers: a,b' },
    { name: 'set', value: 'name', help: 'only the servers of this group of the policy; repeatable' },
    policyOption,
    {
      name: 'no-prefix',
      help: 'keeps the names of a single server as they are, without `server__` before them',
    },
    {
      name: 'lazy',
      help: 'three tools that list, describe and call all others, for clients with many servers',
    },
    {
      name: 'otel',
      help: 'export traces and metrics with OpenTelemetry, as the OTEL_… variables of the environment say',
    },
  ],
  async run(input) {
    const { servers, options, output, version, logs } = input;
    // If the host closes the stderr of this process, warnings are lost, and the gateway continues to serve.
    process.stderr.on('error', () => {});
    if (options['http'] !== undefined && options['stdio'])
      throw usageError('Invalid --stdio with --http; expected one of them');
    const log = await logOf(options);
    const warn = log?.warn ?? ((message: string) => output.note(message, 'yellow'));
    const policy = await policyOf(input);
    const names = await namesOf(input, policy);
    const adHoc = input.configuration.files.length === 0 && names.length === 1;
    const prefixed = !adHoc && options['no-prefix'] !== true;
    if (!prefixed && names.length > 1) {
      throw usageError(`Invalid --no-prefix with ${names.length} servers; name one: --servers ${names[0]}`);
    }
    const servedTools = servedToolsOf(options, { names, adHoc, warn });
    // Opened before any server is started, so that no server gets the passphrase in its environment.
    const authorization = await loginOf(options, warn);
    await using sharing = await sharingOf(options, warn);
    await using rules = await openPolicy(policy, warn);
    // Imported only here, so that other commands start faster.
    const { Gateway } = await import('../gateway/gateway.ts');
    await using gateway = new Gateway(names, {
      servers,
      version,
      prefixed,
      lazy: options['lazy'] === true,
      reconfigurable: input.load !== undefined,
      observe: input.observe,
      servedTools,
      ...rules,
      shownLogs: shownLogsOf(logLevelOf(options, 'log'), logs, log),
      shared: sharing.shared,
      warn,
    });
    const fixed = !prefixed || options['servers'] !== undefined || options['set'] !== undefined;
    const following = followServers(gateway, input, fixed ? names : undefined, warn);
    try {
      const address = valueOf(options, 'http');
      return await serveGateway(gateway, input, { address, authorization, sharing: sharing.shared, log });
    } finally {
      (await following)();
    }
  },
};

/** The names of the servers to serve; rejects for a server that is unknown or disabled. */
async function namesOf(
  { options, servers, positionals }: CommandInput,
  policy: Policy | undefined,
): Promise<readonly string[]> {
  if (positionals.length > 0)
    throw usageError(
      `Unexpected argument: "${positionals[0]}"`,
      `${printedCommand('serve', '--servers', positionals.join(','))} serves servers of these names`,
    );
  const { servers: given, set: sets } = options;
  const named = Array.isArray(given) ? given.flatMap((names: string) => names.split(',')) : [];
  const grouped = Array.isArray(sets) ? sets.flatMap((name: string) => serversOfSet(name, policy)) : [];
  const isAll = given === undefined && sets === undefined;
  const wanted = isAll ? servers.names : [...named, ...grouped];
  const names = [...new Set(wanted.map((name) => name.trim()).filter((name) => name !== ''))];
  if (names.length === 0) {
    throw usageError(
      'There are no servers to serve',
      `${printedCommand('config', 'path')} shows the files that were read`,
    );
  }
  // `resolve` rejects for a name that is unknown or disabled. Enabled servers are not resolved here: if a
  // variable of one server has no value, the gateway still serves the other servers.
  for (const name of names) if (!servers.names.includes(name)) await servers.resolve(name);
  return names;
}

/** Milliseconds from the start of the gateway until it watches the configuration files. */
const followDelayMs = 100;

/**
 * Applies changes of the configuration to the gateway, until the returned function is called. The gateway
 * serves the servers named in `fixed`, or else all servers.
 */
async function followServers(
  gateway: Gateway,
  { servers, load }: CommandInput,
  fixed: readonly string[] | undefined,
  warn: (message: string) => void,
): Promise<() => void> {
  // Waits, so that the gateway first answers the handshake of its client.
  await setTimeout(followDelayMs);
  return followConfiguration(servers, {
    load,
    onWarning: warn,
    onChange: (changes) => {
      const enabled = servers.names;
      gateway.reconfigure(fixed?.filter((name) => enabled.includes(name)) ?? enabled, changes);
    },
  });
}
