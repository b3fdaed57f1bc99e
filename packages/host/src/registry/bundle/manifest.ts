import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { isObject } from '@mcp/kit';
import type { StdioTarget } from '../../config/entry/server-entry.ts';
import { answerKey, type Answers, literal, type Question } from '../fill-inputs.ts';
import type { Input } from '../registry-server.ts';

/** What the `manifest.json` of a bundle says about its start. */
export interface Manifest {
  readonly questions: readonly Question[];
  /** Throws an `Error` for a value that would be expanded by a host. */
  readonly target: (answers: Answers, directory: string) => StdioTarget;
}

type Members = { readonly [key: string]: unknown };

/** Reads the `manifest.json` of a bundle (MCPB). Throws an `Error` that names the key that is wrong. */
export function readManifest(text: string, platform: NodeJS.Platform): Manifest {
  const manifest = objectOf(JSON.parse(text) as unknown, 'manifest.json');
  const { platforms } = isObject(manifest['compatibility']) ? manifest['compatibility'] : {};
  if (Array.isArray(platforms) && !platforms.includes(platform))
    throw new Error(`it is for ${platforms.join(', ')}, and this is ${platform}`);
  const server = objectOf(manifest['server'], 'server');
  const config = objectOf(server['mcp_config'], 'server.mcp_config');
  const overrides = isObject(config['platform_overrides'])
    ? config['platform_overrides'][platform]
    : undefined;
  const { command, args = [], env = {} } = { ...config, ...(isObject(overrides) ? overrides : {}) };
  if (typeof command !== 'string' || command === '')
    throw new Error('"server.mcp_config.command" must be a text');
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string'))
    throw new Error('"server.mcp_config.args" must be a list of texts');
  const variables = Object.entries(objectOf(env, 'server.mcp_config.env'));
  const options = isObject(manifest['user_config']) ? manifest['user_config'] : {};
  const questions = Object.entries(options).map(([name, option]): Question => ({
    kind: 'input',
    name,
    input: inputOf(isObject(option) ? option : {}),
  }));
  return {
    questions,
    target: (answers, directory) => {
      const fill = (value: string) => filled(value, { options, answers, directory });
      return {
        kind: 'stdio',
        command: fill(command)[0] ?? '',
        args: args.flatMap(fill),
        env: Object.fromEntries(
          variables.map(([name, value]) => [literal(name, theManifest), fill(String(value)).join(',')]),
        ),
      };
    },
  };
}

function inputOf(option: Members): Input {
  const { type, title, description, required, sensitive } = option;
  const text = [description, title].find((each) => typeof each === 'string');
  return {
    description: text,
    isRequired: required === true,
    isSecret: sensitive === true,
    format:
      type === 'number' || type === 'boolean'
        ? type
        : type === 'file' || type === 'directory'
          ? 'filepath'
          : 'string',
    default: defaultsOf(option)?.join(', '),
    choices: [],
    variables: {},
  };
}

/** The values of an option that the user does not give; undefined if there are none. */
function defaultsOf({ default: usual }: Members): readonly string[] | undefined {
  const values: readonly unknown[] = Array.isArray(usual) ? usual : [usual];
  const texts = values.flatMap((each) => {
    if (typeof each === 'number' || typeof each === 'boolean') return [String(each)];
    if (typeof each !== 'string') return [];
    literal(each.replaceAll(place, 'x'), theManifest);
    return [withPlaces(each)];
  });
  return texts.length === 0 ? undefined : texts;
}

interface Values {
  readonly options: Members;
  readonly answers: Answers;
  readonly directory: string;
}

const option = /\$\{user_config\.([\w-]+)\}/g;

/** A value with its variables: several for an option that has several, none for one that has none. */
function filled(value: string, { options, answers, directory }: Values): readonly string[] {
  const valuesOf = (name: string): readonly string[] => {
    const described = Object.hasOwn(options, name) ? options[name] : undefined;
    const usual = isObject(described) ? defaultsOf(described) : undefined;
    return answers.get(answerKey({ kind: 'input', name })) ?? usual ?? [];
  };
  const [whole] = value.matchAll(option);
  literal(value.replaceAll(place, 'x').replaceAll('${__dirname}', 'x').replaceAll(option, 'x'), theManifest);
  const ownText = withPlaces(value).replaceAll('${__dirname}', () => directory);
  if (whole?.[0] === value) return valuesOf(whole[1] ?? '');
  return [ownText.replaceAll(option, (_, name: string) => valuesOf(name).join(','))];
}

const theManifest = 'its manifest';
/** The variables of `withPlaces`. */
const place = /\$\{(?:HOME|pathSeparator|\/|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g;

/** A text with the directories of the user. */
function withPlaces(text: string): string {
  const home = homedir();
  return text
    .replaceAll('${HOME}', () => home)
    .replaceAll(/\$\{(?:pathSeparator|\/)\}/g, sep)
    .replaceAll(/\$\{(DESKTOP|DOCUMENTS|DOWNLOADS)\}/g, (_, name: string) =>
      join(home, name[0]! + name.slice(1).toLowerCase()),
    );
}

function objectOf(value: unknown, key: string): Members {
  if (isObject(value)) return value;
  throw new Error(`"${key}" must be an object`);
}
