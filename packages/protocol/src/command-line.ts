import { parseArgs } from 'node:util';
import type { Server } from './define/server.ts';
import { messageOf } from './jsonrpc/error.ts';
import { serveStdio } from './stdio.ts';
import { warnOnStderr } from './transports/stderr.ts';

/** One option of a program; `value` names what it takes, where it takes something. */
export interface ProgramOption {
  readonly value?: string;
  readonly help: string;
}

/** What was given on the command line. */
export interface Given {
  readonly positionals: readonly string[];
  /** Whether an option without a value was given. */
  readonly flag: (name: string) => boolean;
  /** What an option was given, as often as it was. */
  readonly values: (name: string) => readonly string[];
  /** Tells the operator something, on stderr. */
  readonly warn: (message: string) => void;
  /** Ends the program as a mistake of the command line does, for what is found out only when it runs. */
  readonly fail: (error: unknown) => void;
}

/** A server as a program: `--help`, `--version`, and stdio or `--http` come with it. */
export interface Program {
  /** The program's own `package.json`. */
  readonly manifest: { readonly version: string; readonly description: string; readonly bin: object };
  /** What follows the program's name, such as `<directory> [directory…]`. */
  readonly usage: string;
  readonly options?: { readonly [name: string]: ProgramOption };
  /** Makes the server; what it throws is a mistake of the command line. */
  server(given: Given): Server | Promise<Server>;
}

const common: { readonly [name: string]: ProgramOption } = {
  http: {
    value: '[host:]port',
    help: 'listen for HTTP there, on the loopback without a host, instead of stdin and stdout',
  },
  token: {
    value: 'token',
    help: 'ask HTTP clients for this token; better given as MCP_TOKEN in the environment',
  },
  version: { help: 'print the version' },
  help: { help: 'print this' },
};

/** Runs a program until its conversation ends, or forever over HTTP. Exits with 2 where it cannot begin. */
export function run(program: Program): void {
  const [command = 'server'] = Object.keys(program.manifest.bin);
  const complain = (error: unknown) => {
    process.stderr.write(`${command}: ${messageOf(error)}\nTry --help\n`);
    process.exitCode = 2;
  };
  const fail = (error: unknown) => {
    complain(error);
    process.exit();
  };
  start(program, command, fail).catch(complain);
}

async function start(program: Program, command: string, fail: Given['fail']): Promise<void> {
  const options = { ...program.options, ...common };
  const given = { ...parse(options), fail };
  if (given.flag('help')) return print(help(program, command, options));
  if (given.flag('version')) return print(`${program.manifest.version}\n`);
  const [address] = given.values('http');
  if (address === undefined) {
    return serveStdio(await program.server(given));
  }
  await listen(await program.server(given), address, given);
}

async function listen(server: Server, address: string, given: Given): Promise<void> {
  const { host, port } = parseAddress(address);
  const [token = process.env['MCP_TOKEN']] = given.values('token');
  // Most servers are started by a host, over stdio, and never need this.
  const { serveHttp } = await import('./http.ts');
  const listener = await serveHttp(server, {
    host,
    port,
    ...(token !== undefined && { token }),
    warn: given.warn,
  });
  process.stderr.write(`Listening on ${listener.url}\n`);
  const stop = () => void listener.close().then(() => process.exit());
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

function parseAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  const host = colon === -1 ? '127.0.0.1' : address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const digits = address.slice(colon + 1);
  if (host === '' || !/^\d{1,5}$/.test(digits) || Number(digits) > 65_535) {
    throw new Error(`--http takes [host:]port, and not "${address}"`);
  }
  return { host, port: Number(digits) };
}

function parse(options: { readonly [name: string]: ProgramOption }): Omit<Given, 'fail'> {
  const args = process.argv.slice(2);
  // Most hosts give no options, and the parser takes its time to load.
  if (!args.some((arg) => arg.startsWith('-'))) return givenOf({}, args);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true as const },
      ]),
    ),
  });
  return givenOf(values, positionals);
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
  { manifest, usage }: Program,
  command: string,
  options: { readonly [name: string]: ProgramOption },
): string {
  const rows = Object.entries(options).map(
    ([name, { value, help: text }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, text] as const,
  );
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    `${manifest.description}\n`,
    `${['Usage:', command, usage, '[options]'].filter(Boolean).join(' ')}\n`,
    ...rows.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
    '\nSpeaks the Model Context Protocol, on stdin and stdout unless told otherwise.\n',
  ].join('\n');
}

function print(text: string): void {
  process.stdout.write(text);
}
