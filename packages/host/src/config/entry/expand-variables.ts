import { basename, dirname, resolve, sep } from 'node:path';
import type { ExpandedVariable } from './server-entry.ts';
import type { Format } from '../formats/formats.ts';
import { type InputSpec, inputVariable } from './inputs.ts';
import { readFile } from '../../read-file.ts';

/** Asks the user for an input that the configuration declares; returns undefined if the user gives none. */
export type AskInput = (id: string, input: InputSpec) => Promise<string | undefined> | string | undefined;

export interface VariableScope {
  readonly format: Format;
  /** The configuration file whose values are expanded. */
  readonly file: string;
  readonly home: string;
  /** The directory of the project; without one, the current directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The inputs that the file describes, by id. */
  readonly inputs: ReadonlyMap<string, InputSpec>;
  readonly askInput: AskInput;
}

/** A variable that has no value. */
export class UnsetVariable extends Error {
  override readonly name = 'UnsetVariable';
}

/** The variables of each syntax, in groups by their parts. */
export const syntaxes = {
  shell: /\$\{(?<name>[A-Za-z_]\w*)(?::-(?<fallback>[^}]*))?\}/g,
  vscode:
    /\$\{(?:(?<kind>env|input):(?<name>[^}]+)|(?<builtIn>workspaceFolderBasename|workspaceFolder|userHome|pathSeparator|\/))\}/g,
  mcporter: /\$\{(?<name>[A-Za-z_]\w*)(?::-(?<fallback>[^}]*))?\}|^\$env:(?<bare>\w+)$/g,
  gemini: /\$\{(?<braced>[A-Za-z_]\w*)\}|\$(?<bare>[A-Za-z_]\w*)|%(?<percent>[A-Za-z_]\w*)%/g,
  opencode: /\{(?<kind>env|file):(?<name>[^}]+)\}/g,
} as const;

/** Expands the variables of one value and notes each of them in `expanded`. */
export async function expandVariables(
  value: string,
  key: string,
  scope: VariableScope,
  expanded: ExpandedVariable[],
): Promise<string> {
  const { variables } = scope.format;
  if (variables === 'none') return value;
  let result = '';
  let at = 0;
  for (const found of value.matchAll(syntaxes[variables])) {
    const [text] = found;
    const one = await valueOf(found.groups ?? {}, scope);
    if (one.value === undefined && one.source === 'input')
      throw withoutInput(found.groups?.['name'] ?? '', scope);
    if (one.value === undefined && scope.format.unset === 'error')
      throw new UnsetVariable(`The variable ${text} in "${key}" is not set`);
    const known = one.value ?? '';
    expanded.push({ text, key, source: one.source, value: known });
    result += value.slice(at, found.index) + known;
    at = found.index + text.length;
  }
  return result + value.slice(at);
}

type Groups = Readonly<Record<string, string | undefined>>;

async function valueOf(
  groups: Groups,
  scope: VariableScope,
): Promise<{ readonly value: string | undefined; readonly source: ExpandedVariable['source'] }> {
  const { kind, fallback, builtIn } = groups;
  if (builtIn !== undefined) return { value: builtInValue(builtIn, scope), source: 'built-in' };
  const name = groups['name'] ?? groups['braced'] ?? groups['bare'] ?? groups['percent'] ?? '';
  if (kind === 'input') return inputOf(name, scope);
  if (kind === 'file') return { value: await readValue(name, scope), source: 'file' };
  const set = scope.env[name];
  if (fallback !== undefined && !set) return { value: fallback, source: 'default' };
  return { value: set, source: 'environment' };
}

async function inputOf(id: string, { env, inputs, askInput }: VariableScope) {
  const set = env[inputVariable(id)];
  const input = inputs.get(id) ?? {};
  // The value is not shown, because it may be a secret.
  if (set !== undefined && input.options && !input.options.includes(set))
    throw new UnsetVariable(
      `Invalid ${inputVariable(id)} for the input "${id}"; expected ${input.options.join(', ')}`,
    );
  if (set !== undefined) return { value: set, source: 'environment' } as const;
  const asked = await askInput(id, input);
  if (asked === undefined && input.default !== undefined)
    return { value: input.default, source: 'default' } as const;
  return { value: asked, source: 'input' } as const;
}

function withoutInput(id: string, { inputs }: VariableScope): UnsetVariable {
  const { description } = inputs.get(id) ?? {};
  const described = description === undefined ? '' : ` (${description})`;
  return new UnsetVariable(
    `The input "${id}"${described} has no value; set the environment variable ${inputVariable(id)}`,
  );
}

function builtInValue(name: string, { cwd, home }: VariableScope): string {
  if (name === 'workspaceFolder') return cwd;
  if (name === 'workspaceFolderBasename') return basename(cwd);
  return name === 'userHome' ? home : sep;
}

async function readValue(name: string, { file, home }: VariableScope): Promise<string | undefined> {
  const path = name.startsWith('~/') ? home + name.slice(1) : resolve(dirname(file), name);
  try {
    return (await readFile(path)).toString().trim();
  } catch {
    return undefined;
  }
}
