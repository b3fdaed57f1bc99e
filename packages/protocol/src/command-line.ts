import { parseArgs } from 'node:util';
import { closestNames, messageOf, stackOf } from '@mcp/kit';
import type { Observer } from './define/observer.ts';
import type { Server } from './define/server.ts';
import type { HttpOptions } from './http/endpoint.ts';
import type { ListenAddress } from './http/adapters/listen.ts';
import type { Authorization } from './http/security/authorization.ts';
import { serveStdio } from './stdio.ts';
import type { ExportingProgram, TelemetryExport } from './telemetry/start-export.ts';

export type { ExportingProgram, TelemetryExport };
import { warnOnStderr } from './transports/stderr.ts';

/** One command-line option of a program. */
export interface ProgramOption {
  /** The name of the value in `--help`, such as `file`. An option without `value` is a flag. */
  readonly value?: string;
  /** One letter as a short form of the option: `r` for `-r`. */
  readonly short?: string;
  /** The effect of the option, for `--help`. */
  readonly help: string;
}

/** The arguments of the command line. */
export interface Given {
  /** The arguments without the options, in their order. */
  readonly positionals: readonly string[];
  /** Whether a flag is present. */
  readonly flag: (name: string) => boolean;
  /** The values of an option, in their order. */
  readonly values: (name: string) => readonly string[];
  /** Writes a line to stderr. */
  readonly warn: (message: string) => void;
  /**
   * Prints the error and exits with 2. For an invalid argument that is only found after the program's
   * function `server` has returned.
   */
  readonly fail: (error: unknown) => void;
}

/** Defines a program that runs a server. `--help`, `--version`, and stdio or `--http` are built in. */
export interface Program {
  /** The program's own `package.json`. */
  readonly manifest: {
    readonly name?: string;
    readonly version: string;
    readonly description: string;
    /**
     * The file of each command, by the name of the command. If this is a string, there is one command, and
     * its name is the name of the package without the scope.
     */
    readonly bin: object | string;
    /** If Node is older than `engines.node`, such as `>=20.19`, the program exits with a message. */
    readonly engines?: { readonly node?: string };
  };
  /** The positional arguments, for `--help`: `<directory> [directory…]`. */
  readonly usage: string;
  /**
   * Returns lines for the end of `--help`, for example which external programs were found on this machine.
   */
  readonly notes?: () => readonly string[];
  /** Options in addition to the options that every program has, by their names without `--`. */
  readonly options?: { readonly [name: string]: ProgramOption };
  /** A way to authorize clients over HTTP, beside `--token`, with options of its own. Default: none. */
  readonly authorization?: ProgramAuthorization;
  /** Makes the server; an error that it throws is printed, and the program exits with 2. */
  server(given: Given): Server | Promise<Server>;
}

/** A way to authorize the clients of a program over HTTP, such as `login` of `@mcp/login/command-line`. */
export interface ProgramAuthorization {
  /** Its options, by their names without `--`. Without `--http`, they are refused. */
  readonly options: { readonly [name: string]: ProgramOption };
  /**
   * Makes the authorization, before the server is made; undefined if its options are not given. An error that
   * it throws is printed, and the program exits with 2.
   */
  open(given: Given, program: ListeningProgram): Promise<Authorization | undefined>;
}

/** A program that is about to listen. */
export interface ListeningProgram {
  /** The name of its command. */
  readonly command: string;
  /** The address of `--http`; the port 0 is any free one. */
  readonly host: string;
  readonly port: number;
}

const common: { readonly [name: string]: ProgramOption } = {
  http: {
    value: '[host:]port',
    help: 'serve HTTP on this port, or at unix:path, instead of stdin and stdout; the default host is 127.0.0.1',
  },
  token: {
    value: 'token',
    help: 'require this token from HTTP clients; MCP_TOKEN in the environment keeps it out of process lists',
  },
  'allow-host': {
    value: 'name',
    help: 'accept HTTP requests for this host too, such as host.docker.internal; repeatable',
  },
  'allow-origin': {
    value: 'origin',
    help: 'accept HTTP requests of web pages of this origin; repeatable',
  },
  otel: {
    help: 'export traces and metrics with OpenTelemetry, as the OTEL_… variables of the environment say',
  },
  version: { help: 'print the version' },
  help: { help: 'print this help' },
};

/**
 * Runs a program over stdio or HTTP. Over stdio, it ends when its client disconnects or a signal arrives;
 * over HTTP, when a signal arrives. The process exits with 2 if the program cannot start.
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

function commandOf({ name = '', bin }: Program['manifest']): string {
  const [command] = typeof bin === 'string' ? [name.slice(name.indexOf('/') + 1)] : Object.keys(bin);
  return command || 'server';
}

async function start(program: Program, command: string, fail: Given['fail']): Promise<void> {
  const { authorization } = program;
  const options = { ...program.options, ...authorization?.options, ...common };
  const given = { ...parse(options), fail };
  if (given.flag('help')) return print(help(program, command, options));
  if (given.flag('version')) return print(`${program.manifest.version}\n`);
  const telemetry = given.flag('otel') ? await telemetryOf(program, command, given) : undefined;
  const serverOf = async () => {
    const made = await program.server(given);
    return telemetry ? observed(made, telemetry.observer) : made;
  };
  const [address] = given.values('http');
  if (address !== undefined) return listen({ program, command, serverOf, telemetry }, address, given);
  const unused = Object.keys(authorization?.options ?? {}).find((name) => given.flag(name));
  if (unused !== undefined) throw new Error(`The option "--${unused}" has no effect without --http`);
  await serveStdio(await serverOf());
  if (!telemetry) return;
  await telemetry.stop();
  // Connections to a collector that does not answer would keep the process alive.
  process.exit();
}

function telemetryOf(
  { manifest }: Program,
  command: string,
  { positionals, warn }: Given,
): Promise<TelemetryExport> {
  const { name = command, version } = manifest;
  const start = `npx -y -p ${name} -p @opentelemetry/sdk-node ${command} --otel`;
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
  readonly serverOf: () => Promise<Server>;
  readonly telemetry: TelemetryExport | undefined;
}

async function listen(
  { program, command, serverOf, telemetry }: Listening,
  address: string,
  given: Given,
): Promise<void> {
  // Loaded only here, because most servers are started over stdio.
  const { listenAddressOf, serveHttp } = await import('./http.ts');
  const at = listenAddressOf(address);
  if (!at) throw new Error(`Invalid --http: ${JSON.stringify(address)}; expected [host:]port or unix:path`);
  const [token = process.env['MCP_TOKEN']] = given.values('token');
  const authorization = await authorizationOf(program, command, { at, given });
  if (authorization && token !== undefined)
    throw new Error('Clients cannot both log in and send a token: leave out --token, and unset MCP_TOKEN');
  const server = await serverOf();
  const listener = await serveHttp(server, {
    ...at,
    ...(authorization && { authorization }),
    ...(token !== undefined && { token }),
    ...allowed(given),
    onWarning: given.warn,
  });
  process.stderr.write(`Listening on ${listener.url}\n`);
  const stop = () =>
    void listener
      .close()
      .then(() => telemetry?.stop())
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

/** Opens the authorization of a program, which is for clients of a host and port. */
async function authorizationOf(
  { authorization }: Program,
  command: string,
  { at, given }: { readonly at: ListenAddress; readonly given: Given },
): Promise<Authorization | undefined> {
  if (!authorization) return undefined;
  if ('port' in at) return authorization.open(given, { command, ...at });
  const used = Object.keys(authorization.options).find((name) => given.flag(name));
  if (used !== undefined)
    throw new Error(
      `The option "--${used}" needs --http with [host:]port; the permissions of a socket protect it`,
    );
  return undefined;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

function allowed({ values }: Given): Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins'> {
  const hosts = values('allow-host');
  const origins = values('allow-origin');
  return {
    ...(hosts.length > 0 && { allowedHosts: [...loopback, ...hosts] }),
    ...(origins.length > 0 && { allowedOrigins: origins }),
  };
}

function parse(options: { readonly [name: string]: ProgramOption }): Omit<Given, 'fail'> {
  const args = process.argv.slice(2);
  // Most hosts give no options; returning here saves the time that the parser takes to load.
  if (!args.some((arg) => arg.startsWith('-'))) return givenOf({}, args);
  const { values, positionals, tokens } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          multiple: true as const,
          ...(short !== undefined && { short }),
        },
      ]),
    ),
  });
  for (const token of tokens) if (token.kind === 'option') checkOption(options, token);
  return givenOf(values, positionals);
}

interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption(
  options: { readonly [name: string]: ProgramOption },
  { name, rawName, value, inlineValue }: GivenOption,
): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) {
    const [nearest] = closestNames(name, Object.keys(options), 1);
    throw new Error(
      `Unknown option: "${rawName}"${nearest === undefined ? '' : `; did you mean "--${nearest}"?`}`,
    );
  }
  if (option.value === undefined) {
    if (value !== undefined) throw new Error(`The option "--${name}" takes no value; got "${value}"`);
    return;
  }
  const isMissing = value === undefined || (!inlineValue && /^-./.test(value));
  if (isMissing) throw new Error(`The option "--${name}" needs a value: --${name}=<${option.value}>`);
}

function givenOf(
  values: { readonly [name: string]: readonly (string | boolean)[] | undefined },
  positionals: readonly string[],
): Omit<Given, 'fail'> {
  return {
    positionals,
    flag: (name) => values[name] !== undefined,
    values: (name) => (values[name] ?? []).filter((value) => typeof value === 'string'),
    warn: warnOnStderr,
  };
}

function help(
  { manifest, usage, notes }: Program,
  command: string,
  options: { readonly [name: string]: ProgramOption },
): string {
  const rows = Object.entries(options).map(([name, { value, short, help: text }]) => {
    const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
    return [`${names}${value === undefined ? '' : ` ${value}`}`, text] as const;
  });
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    `${manifest.description}\n`,
    `${['Usage:', command, usage, '[options]'].filter(Boolean).join(' ')}\n`,
    ...rows.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
    '\nServes the Model Context Protocol on stdin and stdout by default.\n',
    ...(notes ? [...notes(), ''] : []),
  ].join('\n');
}

function print(text: string): void {
  process.stdout.write(text);
}
