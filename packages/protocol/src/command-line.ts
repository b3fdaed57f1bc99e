import { messageOf, stackOf } from '@mcp/kit';
import type { Observer } from './define/observer.ts';
import type { Server } from './define/server.ts';
import type { HttpOptions } from './http/endpoint.ts';
import { openAuthorization, type ProgramAuthorization } from './program/authorization.ts';
import { help } from './program/help.ts';
import { JsonLog } from './program/json-log.ts';
import { commandOf, commandWith, type ProgramManifest, refuseNoManifest } from './program/manifest.ts';
import { operationOf } from './program/operation.ts';
import {
  commonOptions,
  type Given,
  operationOptions,
  parseOptions,
  type ProgramOptions,
} from './program/options.ts';
import { serveProcess } from './program/serve-process.ts';
import type { Sharing, SharingProgram } from './program/open-sharing.ts';
import type { SharedStore } from './state/shared-store.ts';
import type { ExportingProgram, TelemetryExport } from './telemetry/start-export.ts';

export type { ExportingProgram, Sharing, SharingProgram, TelemetryExport };
export {
  type AuthorizedListening,
  type ListeningProgram,
  openAuthorization,
  type ProgramAuthorization,
} from './program/authorization.ts';
export { JsonLog } from './program/json-log.ts';
export { operationOf } from './program/operation.ts';
export type { ProgramManifest } from './program/manifest.ts';
export type { Given, ProgramOption, ProgramOptions } from './program/options.ts';

/** Defines a program that runs a server. `--help`, `--version`, and stdio or `--http` are built in. */
export interface Program {
  /** The program's own `package.json`, or what it would have. */
  readonly manifest: ProgramManifest;
  /** The positional arguments, for `--help`: `<directory> [directory…]`. */
  readonly usage: string;
  /**
   * Returns lines for the end of `--help`, for example which external programs were found on this machine.
   */
  readonly notes?: () => readonly string[];
  /** Options in addition to the options that every program has, by their names without `--`. */
  readonly options?: ProgramOptions;
  /** A way to authorize clients over HTTP, beside `--token`, with options of its own. Default: none. */
  readonly authorization?: ProgramAuthorization;
  /** Makes the server; an error that it throws is printed, and the program exits with 2. */
  server(given: Given): Server | Promise<Server>;
}

/**
 * Runs a program over stdio or HTTP. Over stdio, it ends when its client disconnects or a signal arrives;
 * over HTTP, when a signal arrives. The process exits with 2 if the program cannot start. Throws an `Error`
 * for a manifest without a version.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { runProgram } from '@mcp/protocol/command-line';
 *
 * runProgram({
 *   manifest: { version: '1.0.0', description: 'An example', bin: { example: 'dist/main.js' } },
 *   usage: '[directory]',
 *   server: () => defineServer({ name: 'example', version: '1.0.0' }),
 * });
 * ```
 */
export function runProgram(program: Program): void {
  refuseNoManifest(program.manifest);
  const command = commandOf(program.manifest);
  const printError = (error: unknown) => {
    process.stderr.write(`${command}: ${messageOf(error)}\nRun with --help for usage\n`);
    process.exitCode = 2;
  };
  const fail = (error: unknown) => {
    printError(error);
    process.exit();
  };
  const minVersion = missingNode(program.manifest.engines?.node);
  if (minVersion === undefined) return void start(program, command, fail).catch(printError);
  process.stderr.write(
    `${command} needs Node ${minVersion} or newer, but runs on ${process.versions.node}: update Node, or configure the host to start a newer one\n`,
  );
  process.exitCode = 2;
}

/** The minimum version of the range `>=x.y`, if the running Node is older; otherwise undefined. */
function missingNode(range = ''): string | undefined {
  const [, minVersion, major, minor = 0] = /^>=((\d+)(?:\.(\d+))?)/.exec(range) ?? [];
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  const isOlder = ownMajor! < Number(major) || (ownMajor === Number(major) && ownMinor! < Number(minor));
  return isOlder ? minVersion : undefined;
}

async function start(program: Program, command: string, fail: Given['fail']): Promise<void> {
  const { authorization } = program;
  const options = { ...program.options, ...authorization?.options, ...commonOptions };
  const parsed = parseOptions(options);
  const log = parsed.flag('log-json') ? new JsonLog() : undefined;
  const given = { ...parsed, ...(log && { warn: log.warn }), fail };
  if (given.flag('help')) return print(help(program, command, options));
  if (given.flag('version')) return print(`${program.manifest.version}\n`);
  const [address] = given.values('http');
  if (address === undefined) refuseHttpOptions(given);
  const telemetry = given.flag('otel') ? await telemetryOf(program, command, given) : undefined;
  const serverOf = async (shared?: SharedStore) => {
    const made = await program.server({ ...given, shared });
    const traced = telemetry ? observed(made, telemetry.observer) : made;
    return log ? log.observed(traced) : traced;
  };
  if (address !== undefined) return listen({ program, command, serverOf, telemetry, log }, address, given);
  if (authorization) await openAuthorization(authorization, { command, at: undefined, given });
  await serveProcess(await serverOf(), { onWarning: given.warn }, true);
  if (!telemetry) return;
  await telemetry.stop();
  // Connections to a collector that does not answer would keep the process alive.
  process.exit();
}

function refuseHttpOptions({ flag }: Given): void {
  if (flag('redis')) throw new Error('--redis needs --http: over stdio, one process serves one client');
  const used = Object.keys(operationOptions).find(flag);
  if (used !== undefined) throw new Error(`The option "--${used}" has no effect without --http`);
}

function telemetryOf(
  { manifest }: Program,
  command: string,
  { positionals, warn }: Given,
): Promise<TelemetryExport> {
  const { version } = manifest;
  const start = commandWith('@opentelemetry/sdk-node', '--otel', manifest, command);
  return startTelemetry({ name: command, version, command: start, allowed: positionals, warn });
}

/**
 * Exports telemetry, for a program that `runProgram` does not run. Starts the SDK of OpenTelemetry that is
 * installed with this package or with the bundle that contains it; throws if there is none, or if it lies in
 * a directory of `allowed`. The environment variables `OTEL_…` configure it.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { startTelemetry } from '@mcp/protocol/command-line';
 * import { serveStdio } from '@mcp/protocol/stdio';
 *
 * const telemetry = await startTelemetry({
 *   name: 'example',
 *   version: '1.0.0',
 *   command: 'npm install @opentelemetry/sdk-node',
 *   allowed: [],
 *   warn: console.error,
 * });
 * await serveStdio(defineServer({ name: 'example', version: '1.0.0', observe: telemetry.observer }));
 * await telemetry.stop();
 * ```
 */
export async function startTelemetry(program: ExportingProgram): Promise<TelemetryExport> {
  // Loaded only here, because few servers export telemetry.
  const { startExport } = await import('./telemetry/start-export.ts');
  return startExport(program);
}

/** The same server, whose requests are observed. */
function observed(server: Server, observe: Observer): Server {
  return { ...server, definition: { ...server.definition, observe } };
}

interface Listening {
  readonly program: Program;
  readonly command: string;
  readonly serverOf: (shared?: SharedStore) => Promise<Server>;
  readonly telemetry: TelemetryExport | undefined;
  readonly log: JsonLog | undefined;
}

async function listen(
  { program, command, serverOf, telemetry, log }: Listening,
  address: string,
  given: Given,
): Promise<void> {
  // Loaded only here, because most servers are started over stdio.
  const { listenAddressOf, serveHttp } = await import('./http.ts');
  const at = listenAddressOf(address);
  if (!at) throw new Error(`Invalid --http: ${JSON.stringify(address)}; expected [host:]port or unix:path`);
  const [token = process.env['MCP_TOKEN']] = given.values('token');
  const authorization =
    program.authorization && (await openAuthorization(program.authorization, { command, at, given, token }));
  const operation = await operationOf(given, program.manifest.description);
  const sharing = await sharingOf(program, command, given);
  const shared = sharing?.store;
  const made = await serverOf(shared);
  const server = sharing ? sharing.sealed(made) : made;
  const listener = await serveHttp(server, {
    ...at,
    ...(authorization && { authorization }),
    ...(token !== undefined && { token }),
    ...allowedBy(given),
    ...operation,
    ...(shared && { shared }),
    onWarning: given.warn,
  });
  const { url, metricsUrl } = listener;
  if (log) log.info('Listening', { url, metricsUrl });
  else
    process.stderr.write(
      `Listening on ${url}\n${metricsUrl === undefined ? '' : `Metrics at ${metricsUrl}\n`}`,
    );
  const stop = () =>
    void listener
      .close()
      .then(() => Promise.all([telemetry?.stop(), shared?.close()]))
      .then(() => process.exit());
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  // A rejection concerns one client. After an exception, the state is unknown: the process stops.
  process.on('unhandledRejection', (error) => given.warn(`Unhandled rejection: ${stackOf(error)}`));
  process.once('uncaughtException', (error) => {
    given.warn(`Uncaught exception: ${stackOf(error)}`);
    process.exitCode = 1;
    stop();
  });
}

/**
 * Connects to the Redis at `url`, for a program that `runProgram` does not run. Loads `@mcp/redis`, which is
 * installed with this package or with the bundle that contains it; throws if there is none, if it lies in a
 * directory of `allowed`, or if it cannot connect.
 * @example
 * ```ts
 * import { openSharing } from '@mcp/protocol/command-line';
 *
 * const install = 'npm install @mcp/redis';
 * const program = { command: 'example', install, allowed: [], warn: console.error };
 * const url = process.env['MCP_REDIS_URL'];
 * if (url !== undefined) await (await openSharing(url, program)).store.close();
 * ```
 */
export async function openSharing(url: string, program: SharingProgram): Promise<Sharing> {
  // Loaded only here, because few processes share anything.
  const sharing = await import('./program/open-sharing.ts');
  return sharing.openSharing(url, program);
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** What `--redis`, or the environment, says that this process shares; undefined if it shares nothing. */
async function sharingOf({ manifest }: Program, command: string, given: Given): Promise<Sharing | undefined> {
  const [url = process.env['MCP_REDIS_URL']] = given.values('redis');
  if (url === undefined || url === '') return undefined;
  const { positionals: allowed, warn } = given;
  const install = commandWith('@mcp/redis', '--http 8080 --redis redis://…', manifest, command);
  return openSharing(url, { command, install, allowed, warn });
}

function allowedBy({ values }: Given): Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins'> {
  const hosts = values('allow-host');
  const origins = values('allow-origin');
  return {
    ...(hosts.length > 0 && { allowedHosts: [...loopback, ...hosts] }),
    ...(origins.length > 0 && { allowedOrigins: origins }),
  };
}

function print(text: string): void {
  process.stdout.write(text);
}
