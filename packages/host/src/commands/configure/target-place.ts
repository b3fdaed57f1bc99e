import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '@mcp/kit';
import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import { formatOfContainer, namedFile } from '../../config/formats/file-format.ts';
import { type Format, type FormatName, formats } from '../../config/formats/formats.ts';
import { parseDocument } from '../../config/formats/parse-document.ts';
import { wellKnownFiles } from '../../config/formats/well-known-files.ts';
import { environmentOf } from '../../config/load-configuration.ts';
import { filesOfHost, hostNames } from '../../config/write/hosts.ts';
import { usageError } from '../../errors.ts';
import { readFile } from '../../read-file.ts';

/** A file that a command writes, and where its entries are. */
export interface TargetPlace {
  readonly file: string;
  readonly format: Format;
  /** The name of the host for a person. */
  readonly title: string;
  /** The keys that lead to the object of entries. */
  readonly container: readonly string[];
  /** The directory of the project that the file belongs to. */
  readonly project: string | undefined;
}

/** The options that choose the file to write. */
export const placeOptions: readonly OptionSpec[] = [
  {
    name: 'to',
    value: 'host',
    help: 'the host whose file is written; without it, the file of mcp itself, or .mcp.json with --project',
    choices: hostNames,
  },
  { name: 'project', help: "the host's file in this directory, instead of the user's own" },
];

/** The file that the options choose: that of `--config`, or one of a host. */
export async function targetPlace({ options }: Pick<CommandInput, 'options'>): Promise<TargetPlace> {
  const environment = environmentOf({});
  const isProject = options['project'] === true;
  const { config } = options;
  if (Array.isArray(config)) {
    const [path = '', ...others] = config as readonly string[];
    if (others.length > 0 || options['to'] !== undefined || isProject)
      throw usageError('Name one file to write: a single --config, or --to with or without --project');
    const { format } = namedFile(path, wellKnownFiles(environment));
    return placeIn(resolve(path), formats[format], undefined);
  }
  const given = hostNames.find((each) => each === valueOf(options, 'to'));
  const name: FormatName = given ?? (isProject ? 'claude-code' : 'mcp');
  const files = filesOfHost(name, isProject ? 'project' : 'user', environment);
  const file = files.find(({ path }) => existsSync(path)) ?? files[0];
  if (!file)
    throw usageError(
      `${formats[name].title} has no file ${isProject ? 'of a project in this directory' : 'of the user'}: leave out ${isProject ? '--project' : '--to'}`,
    );
  const project = isProject ? environment.cwd : undefined;
  return placeIn(file.path, formats[file.format], project);
}

async function placeIn(file: string, named: Format, project: string | undefined): Promise<TargetPlace> {
  const root = await rootOf(file, named);
  const format = named.name === 'any' && Object.keys(root).length > 0 ? formatOfContainer(root) : named;
  const key = format.containers.find((each) => isObject(root[each])) ?? format.containers[0]!;
  return { file, format, title: named.name === 'any' ? file : named.title, container: [key], project };
}

/** The object in a file; empty for a file that is missing or empty. Throws for one that cannot be read. */
async function rootOf(file: string, { language }: Format): Promise<{ readonly [key: string]: unknown }> {
  if (!existsSync(file)) return {};
  const text = await readFile(file).then(
    (bytes) => bytes.toString('utf8'),
    (error: Error) => {
      throw usageError(`Cannot read the configuration "${file}": ${error.message}`, undefined, error);
    },
  );
  if (text.trim().replace('\uFEFF', '') === '') return {};
  const { root } = parseDocument(file, text, language);
  if (isObject(root)) return root;
  throw usageError(`Cannot change "${file}": the file must contain an object`);
}
