import { isObject } from '@mcp/kit';
import { type Document, type DuplicateKey, duplicateKeys } from '@mcp/kit/jsonc';
import { HostError } from '../../errors.ts';
import { readFile } from '../../read-file.ts';
import { maskCommand } from '../entry/mask-secrets.ts';
import { UnsetVariable } from '../entry/expand-variables.ts';
import { inputsOf } from '../entry/inputs.ts';
import { ForOneHost } from '../entry/read-entry.ts';
import type { ServerEntry } from '../entry/server-entry.ts';
import { formats } from '../formats/formats.ts';
import { parseDocument } from '../formats/parse-document.ts';
import type { WellKnownFile } from '../formats/well-known-files.ts';
import type { Configuration, ConfiguredServer } from '../load-configuration.ts';
import { commandHint } from './command-hint.ts';
import { entryFindings, type KeyFinding, variableFindings } from './entry-findings.ts';
import { findProgram, isDirectory, missingScript } from './find-program.ts';

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
  const read = await Promise.all(files.map(readChecked));
  const documents = new Map(read.map(({ path, document }) => [path, document]));
  const found = await Promise.all(
    [...servers, ...shadowed].map((server) => checkEntry(server, documents.get(server.origin.file))),
  );
  const hidden = servers.flatMap(hiddenFindings);
  const order = [...problems.map(({ file }) => file), ...files.map(({ path }) => path)];
  return [...unreadable, ...read.flatMap(checkFile), ...found.flat(), ...hidden].toSorted(
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

interface CheckedFile extends WellKnownFile {
  readonly text: string;
  readonly document: Document;
}

async function readChecked(file: WellKnownFile): Promise<CheckedFile> {
  const text = (await readFile(file.path).catch(() => Buffer.from(''))).toString('utf8');
  return { ...file, text, document: documentOf(file.path, text, formats[file.format].language) };
}

function checkFile({ path: file, format, text, document }: CheckedFile): ConfigurationFinding[] {
  const { language, containers, title } = formats[format];
  const twice = language === 'json' ? duplicateKeys(text).map((key) => twiceFinding(file, key)) : [];
  const { root } = document;
  if (!isObject(root)) return twice;
  const used = containers.find((each) => root[each] !== undefined && root[each] !== null);
  const unused = Object.keys(root).filter(
    (key) =>
      key !== used &&
      (hasServers(root[key])
        ? isContainer(key) || containers.some((each) => normal(each) === normal(key))
        : used === undefined && containers.some((each) => normal(each) === normal(key))),
  );
  const findings = unused.map((key): ConfigurationFinding => {
    const message = `${title} reads "${used ?? containers[0]}", and not "${key}": it sees none of these servers`;
    return { level: 'fault', file, line: document.lineOf([key]), message };
  });
  return [...twice, ...findings];
}

/** Whether a key contains the servers of some host. */
function isContainer(key: string): boolean {
  return formats.any.containers.some((each) => each === key);
}

function twiceFinding(file: string, { path, line, later }: DuplicateKey): ConfigurationFinding {
  const inside = path.length > 1 ? ` in "${path.slice(0, -1).join('.')}"` : '';
  const message = `"${path.at(-1)}"${inside} is named again in line ${later}, which counts`;
  return { level: 'warning', file, line, message };
}

function documentOf(file: string, text: string, language: 'json' | 'toml'): Document {
  try {
    return parseDocument(file, text, language);
  } catch {
    // The file is empty, or its mistake is a finding already.
    return { root: undefined, lineOf: () => 1 };
  }
}

/** Whether a value looks like the servers of another host. */
function hasServers(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).some((each) => isObject(each) && ('command' in each || 'url' in each))
  );
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

async function checkEntry(
  server: ConfiguredServer,
  document: Document | undefined,
): Promise<ConfigurationFinding[]> {
  const { name, origin, enabled, written, format } = server;
  const at = { file: origin.file, line: origin.line, server: name };
  const placed = ({ key, ...finding }: KeyFinding): ConfigurationFinding => {
    const keys = key.replace(/\[\d+\]$/, '').split('.');
    return { ...at, ...finding, line: document?.lineOf([...server.path, ...keys]) ?? origin.line };
  };
  const keys = isObject(written) ? entryFindings(written, format).map(placed) : [];
  try {
    const entry = await server.resolve((id) => `‹input ${id}›`);
    const inputs = inputsOf(isObject(document?.root) ? document.root : {});
    const variables = variableFindings(entry.variables, format, inputs).map(placed);
    const findings = enabled ? await checkTarget(entry) : [];
    const notes = entry.notes.map((message) => ({ level: 'note' as const, message }));
    return [...keys, ...variables, ...[...findings, ...notes].map((each) => ({ ...at, ...each }))];
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const [, line] = /", line (\d+): /.exec(error.message) ?? [];
    const level = levelOf(error.cause);
    return [...keys, { ...at, level, line: Number(line ?? origin.line), message: withoutPlace(error) }];
  }
}

function levelOf(cause: unknown): ConfigurationFinding['level'] {
  if (cause instanceof ForOneHost) return 'note';
  return cause instanceof UnsetVariable ? 'warning' : 'fault';
}

type TargetFinding = Pick<ConfigurationFinding, 'level' | 'message'>;

async function checkTarget({ target, scope }: ServerEntry): Promise<TargetFinding[]> {
  if (target.kind !== 'stdio') return [];
  const here = process.cwd();
  const { command, cwd } = target;
  if (cwd !== undefined && !(await isDirectory(cwd)))
    return [{ level: 'fault', message: `"cwd" is not a directory: "${cwd}"` }];
  const program = await findProgram(target, { env: process.env, cwd: here });
  if (program !== 'found') {
    const place = /[\\/]/.test(command) ? 'does not exist' : 'is not on the PATH';
    const reason = program === 'missing' ? place : 'is not executable';
    const hint = commandHint(command, scope);
    const advice = hint === undefined ? '' : `: ${maskCommand(hint)}`;
    return [{ level: 'fault', message: `the command "${maskCommand(command)}" ${reason}${advice}` }];
  }
  const script = await missingScript(target, here);
  return script === undefined ? [] : [{ level: 'fault', message: `the script does not exist: "${script}"` }];
}
