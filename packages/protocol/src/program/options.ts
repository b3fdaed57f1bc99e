import { closestNames } from '@mcp/kit';
import { builtinModule } from '../platform/builtin-module.ts';
import type { SharedStore } from '../state/shared-store.ts';
import { warnOnStderr } from '../transports/stderr.ts';

/** One command-line option of a program. */
export interface ProgramOption {
  /** The name of the value in `--help`, such as `file`. An option without `value` is a flag. */
  readonly value?: string;
  /** One letter as a short form of the option: `r` for `-r`. */
  readonly short?: string;
  /** The effect of the option, for `--help`. */
  readonly help: string;
}

/** Options by their names without `--`. */
export type ProgramOptions = { readonly [name: string]: ProgramOption };

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
  /** What `--redis` names, for `createTasks` and states. Default: undefined. */
  readonly shared?: SharedStore | undefined;
  /**
   * Prints the error and exits with 2. For an invalid argument that is only found after the program's
   * function `server` has returned.
   */
  readonly fail: (error: unknown) => void;
}

/** The options for the operation of a process over HTTP. */
export const operationOptions: ProgramOptions = {
  health: { help: 'answer the probes /healthz and /readyz over HTTP, without a token' },
  metrics: {
    value: '[host:]port',
    help: 'serve metrics for Prometheus at /metrics of this port, without a token; the default host is 127.0.0.1',
  },
  drain: {
    value: 'seconds',
    help: 'after SIGTERM, answer requests for this long while /readyz fails; the default is 0',
  },
  card: {
    value: 'name=url',
    help: 'publish a card of the server to everybody: com.example/name=https://mcp.example.com/mcp',
  },
};

/** The options that every program has. */
export const commonOptions: ProgramOptions = {
  http: {
    value: '[host:]port',
    help: 'serve HTTP on this port, or at unix:path, instead of stdin and stdout; the default host is 127.0.0.1',
  },
  token: {
    value: 'token',
    help: 'require this token from HTTP clients; MCP_TOKEN in the environment keeps it out of process lists',
  },
  redis: {
    value: 'url',
    help: 'share sessions, streams and tasks with other processes over HTTP; MCP_REDIS_URL keeps a password secret',
  },
  'allow-host': {
    value: 'name',
    help: 'accept HTTP requests for this host too, such as host.docker.internal; repeatable',
  },
  'allow-origin': {
    value: 'origin',
    help: 'accept HTTP requests of web pages of this origin; repeatable',
  },
  ...operationOptions,
  'log-json': { help: 'write warnings, and a line for each request, as JSON on stderr' },
  otel: {
    help: 'export traces and metrics with OpenTelemetry, as the OTEL_… variables of the environment say',
  },
  version: { help: 'print the version' },
  help: { help: 'print this help' },
};

/** Parses the command line of this process. Throws an `Error` for an unknown option or a wrong value. */
export function parseOptions(options: ProgramOptions): Omit<Given, 'fail'> {
  const args = process.argv.slice(2);
  // Most hosts give no options; returning here saves the time that the parser takes to load.
  if (!args.some((arg) => arg.startsWith('-'))) return givenOf({}, args);
  // An `import` of it in an ES module loads and opens the stream of stderr, which takes 4 ms.
  const { parseArgs } = builtinModule('node:util')!;
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

function checkOption(options: ProgramOptions, { name, rawName, value, inlineValue }: GivenOption): void {
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
