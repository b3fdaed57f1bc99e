import { isObject } from '@mcp/kit';
import { duplicateKeys } from '@mcp/kit/jsonc';
import { HostError } from '../../errors.ts';
import { readFile } from '../../read-file.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { UnsetVariable } from '../entry/expand-variables.ts';
import type { ServerEntry } from '../entry/server-entry.ts';
import { formats } from '../formats/formats.ts';
import type { WellKnownFile } from '../formats/well-known-files.ts';
import type { Configuration, ConfiguredServer } from '../load-configuration.ts';
import { exists, findProgram, missingScript } from './find-program.ts';

/** A finding in a configuration file. A fault keeps a server from starting; a warning may do so. */
export interface ConfigurationFinding {
  readonly level: 'fault' | 'warning' | 'note';
  readonly file: string;
  /** The line, from 1; undefined for a file that cannot be read at all. */
  readonly line?: number | undefined;
  readonly server?: string;
  readonly message: string;
}

/** Checks all files of a configuration and all of their entries; starts nothing. */
export async function checkConfiguration(
  configuration: Configuration,
): Promise<readonly ConfigurationFinding[]> {
  const { servers, shadowed, problems, files } = configuration;
  const unreadable = problems.map(({ file, error }): ConfigurationFinding => {
    const [, line] = /, line (\d+)/.exec(error.message) ?? [];
    return {
      level: 'fault',
      file,
      line: line === undefined ? undefined : Number(line),
      message: withoutPlace(error),
    };
  });
  const found = await Promise.all([
    ...files.map(checkFile),
    ...servers.map((server) => checkEntry(server)),
    ...shadowed.map((server) => checkEntry(server)),
  ]);
  const hidden = servers.flatMap(hiddenFindings);
  const order = [...problems.map(({ file }) => file), ...files.map(({ path }) => path)];
  return [...unreadable, ...found.flat(), ...hidden].toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** The message of an error without the file and the line, which are printed before it. */
function withoutPlace({ message }: Error): string {
  return message.replace(
    /^(?:Cannot read ".*?", line \d+(?:, column \d+ \(offset \d+\))?|Server ".*?" in ".*?", line \d+): /s,
    '',
  );
}

async function checkFile({ path: file, format }: WellKnownFile): Promise<ConfigurationFinding[]> {
  const { language, containers, title } = formats[format];
  if (language !== 'json') return [];
  const text = (await readFile(file).catch(() => Buffer.from(''))).toString('utf8');
  const twice = duplicateKeys(text).map(({ path, line, later }): ConfigurationFinding => {
    const key = path.at(-1);
    const inside = path.length > 1 ? ` in "${path.slice(0, -1).join('.')}"` : '';
    return {
      level: 'warning',
      file,
      line,
      message: `"${key}"${inside} is named again in line ${later}, which counts`,
    };
  });
  const root = rootOf(text);
  const keys = Object.keys(root);
  if (containers.some((each) => root[each] !== undefined) || keys.length === 0) return twice;
  const near = keys.find(
    (key) => containers.some((each) => normal(each) === normal(key)) || key === 'mcp_servers',
  );
  if (near === undefined) return twice;
  const message = `${title} reads "${containers[0]}", and not "${near}": it sees none of these servers`;
  return [...twice, { level: 'fault', file, line: 1, message }];
}

function rootOf(text: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text.replace('\uFEFF', ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function normal(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[_-]/g, '')
    .replace(/^mcpserver$/, 'mcpservers');
}

function hiddenFindings({ name, origin, hidden }: ConfiguredServer): ConfigurationFinding[] {
  return hidden.map(({ file, line }) => ({
    level: 'note',
    file,
    line,
    server: name,
    message: `hidden by the entry of the same name at ${origin.file}:${origin.line}`,
  }));
}

async function checkEntry(server: ConfiguredServer): Promise<ConfigurationFinding[]> {
  const { name, origin, enabled, written } = server;
  const at = { file: origin.file, line: origin.line, server: name };
  const misspelt = isObject(written) ? misspeltKeys(written) : [];
  const keys = misspelt.map((message): ConfigurationFinding => ({ ...at, level: 'warning', message }));
  try {
    const entry = await server.resolve((id) => `‹input ${id}›`);
    const findings = enabled ? await checkTarget(entry) : [];
    const notes = entry.notes.map((message) => ({ level: 'note' as const, message }));
    return [...keys, ...[...findings, ...notes].map((each) => ({ ...at, ...each }))];
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const [, line] = /", line (\d+): /.exec(error.message) ?? [];
    const level = error.cause instanceof UnsetVariable ? 'warning' : 'fault';
    return [...keys, { ...at, level, line: Number(line ?? origin.line), message: withoutPlace(error) }];
  }
}

/** The keys whose misspelling changes how a server is started without an error. */
const spelt = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'disabled', 'enabled', 'timeout'];

function misspeltKeys(written: { readonly [key: string]: unknown }): string[] {
  return Object.keys(written).flatMap((key) => {
    const meant = spelt.find(
      (each) => each !== key && (each === key.toLowerCase() || each === `${key}s` || `${each}s` === key),
    );
    return meant === undefined || written[meant] !== undefined
      ? []
      : [`"${key}" is not read${didYouMean(key, [meant])}`];
  });
}

type TargetFinding = Pick<ConfigurationFinding, 'level' | 'message'>;

async function checkTarget({ target }: ServerEntry): Promise<TargetFinding[]> {
  if (target.kind !== 'stdio') return [];
  const here = process.cwd();
  const { command, cwd } = target;
  if (cwd !== undefined && !(await exists(cwd)))
    return [{ level: 'fault', message: `"cwd" does not exist: "${cwd}"` }];
  const program = await findProgram(target, { env: process.env, cwd: here });
  if (program !== 'found') {
    const place = /[\\/]/.test(command) ? 'does not exist' : 'is not on the PATH';
    const reason = program === 'missing' ? place : 'is not executable';
    return [{ level: 'fault', message: `the command "${command}" ${reason}` }];
  }
  const script = await missingScript(target, here);
  return script === undefined ? [] : [{ level: 'fault', message: `the script does not exist: "${script}"` }];
}
