import { isObject, messageOf } from '@mcp/kit';
import { keyText, type Path, ValueReader } from '@mcp/kit/jsonc';
import { revisions } from '@mcp/protocol/client';
import { stepsOf } from '../command-line/result-options.ts';
import { usageError } from '../errors.ts';
import { readNamedFile } from '../read-file.ts';
import type { Call, CallFile, ElicitAnswer, Saved, Step } from './call-file.ts';
import { expectedOf, operandsOf } from './read-expected.ts';
import { variablesIn } from './variables.ts';
import { readYaml } from './yaml-document.ts';

/** Reads a file of calls; rejects with a `HostError` that has the file, line and column of each mistake. */
export async function readCallFile(file: string, signal?: AbortSignal): Promise<CallFile> {
  let text: string;
  try {
    text = (await readNamedFile(file, signal)).toString();
  } catch (error) {
    throw usageError(`Cannot read "${file}": ${messageOf(error)}`);
  }
  return callFileOf(file, text);
}

export function callFileOf(file: string, text: string): CallFile {
  const document = readYaml(text);
  if ('mistake' in document) {
    const { message, line, column } = document.mistake;
    throw usageError(`${file}:${line}:${column}: ${message}`);
  }
  const reader = new StepReader();
  const steps = reader.steps(document.root);
  const faults = reader.faults
    .slice(0, maxFaults)
    .map(({ path, message }) => ({ path, message, ...document.positionOf(path) }));
  if (faults.length === 0) return { file, steps, positionOf: (path) => document.positionOf(path) };
  const lines = faults
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, path, message }) => `${file}:${line}:${column}: ${keyText(path)}${message}`);
  const more = reader.faults.length - faults.length;
  if (more > 0) lines.push(`and ${more} more mistakes`);
  throw usageError(lines.join('\n'), 'mcp test --schema prints the JSON Schema of these files');
}

/** How many mistakes an error shows. */
const maxFaults = 100;

/** The key that says what a step calls, with the other keys of such a step. */
const kinds = {
  tool: ['arguments'],
  resource: [],
  prompt: ['arguments'],
  complete: ['argument', 'typed', 'arguments'],
} as const;

const kindNames = Object.keys(kinds) as readonly (keyof typeof kinds)[];

class StepReader extends ValueReader {
  /** The names of the values that the steps so far have saved. */
  readonly #saved = new Set<string>();

  steps(root: unknown): readonly Step[] {
    const file = this.object(root, [], ['$schema', 'calls']);
    if (!file) return [];
    const steps = this.list(file['calls'], ['calls']);
    if (Array.isArray(file['calls']) && steps.length === 0)
      this.fault(['calls'], 'Expected at least one call');
    return steps.flatMap((each, index) => this.#step(each, ['calls', index]) ?? []);
  }

  #step(value: unknown, path: Path): Step | undefined {
    const given = isObject(value) ? kindNames.filter((kind) => value[kind] !== undefined) : [];
    const [kind] = given;
    if (isObject(value) && (kind === undefined || given.length > 1)) {
      this.fault(path, `Expected one of ${kindNames.join(', ')} in each call`);
      return undefined;
    }
    const own = kind === undefined ? [] : [kind, ...kinds[kind]];
    const step = this.object(value, path, [...own, 'name', 'since', 'answers', 'expect', 'save']);
    if (!step || kind === undefined) return undefined;
    const call = this.#call(kind, step, path);
    const name = step['name'] === undefined ? undefined : this.text(step['name'], [...path, 'name']);
    const since = this.choice(step['since'], [...path, 'since'], revisions);
    const expected = expectedOf(step['expect'], [...path, 'expect'], this);
    if (kind !== 'tool' && expected.checks.some(({ part }) => part === 'structuredContent'))
      this.fault([...path, 'expect', 'structuredContent'], 'Only tools have structured content');
    for (const key of own) this.#assertSaved(step[key], [...path, key]);
    for (const check of expected.checks) this.#assertSaved(operandsOf(check), check.path);
    const save = this.entries(step['save'], [...path, 'save']).flatMap(
      ([each, from]) => this.#save(each, from, [...path, 'save', each]) ?? [],
    );
    for (const each of save) this.#saved.add(each.name);
    const answers = this.#answers(step['answers'], [...path, 'answers']);
    return { name: name ?? `${kind} ${String(step[kind])}`, call, since, answers, expected, save, path };
  }

  #call(kind: keyof typeof kinds, step: { readonly [key: string]: unknown }, path: Path): Call {
    const text = (key: string) => this.text(step[key], [...path, key]) ?? '';
    const args =
      step['arguments'] === undefined ? {} : this.#members(step['arguments'], [...path, 'arguments']);
    if (kind === 'resource') return { resource: text('resource') };
    if (kind === 'tool') return { tool: text('tool'), arguments: args };
    for (const [key, value] of Object.entries(args))
      if (typeof value !== 'string')
        this.fault([...path, 'arguments', key], `Expected a string, not ${JSON.stringify(value)}`);
    if (kind === 'prompt') return { prompt: text('prompt'), arguments: args };
    const { typed } = step;
    if (typeof typed !== 'string') this.fault([...path, 'typed'], 'Expected a string, which may be empty');
    return { complete: text('complete'), argument: text('argument'), typed: String(typed), arguments: args };
  }

  #answers(value: unknown, path: Path): readonly ElicitAnswer[] {
    if (value === undefined) return [];
    return this.list(value, path).flatMap((each, index) => {
      const answer = this.object(each, [...path, index], ['action', 'content']);
      const actions = ['accept', 'decline', 'cancel'] as const;
      const action = answer && this.choice(answer['action'] ?? 'accept', [...path, index, 'action'], actions);
      const { content } = answer ?? {};
      if (content !== undefined && !isObject(content))
        this.fault([...path, index, 'content'], 'Expected an object with the values of the form');
      return action ? [{ action, ...(content !== undefined && { content }) } as ElicitAnswer] : [];
    });
  }

  #members(value: unknown, path: Path): { readonly [key: string]: unknown } {
    return isObject(value) ? value : Object.fromEntries(this.entries(value, path));
  }

  #save(name: string, value: unknown, path: Path): Saved | undefined {
    if (typeof value !== 'string') {
      const given = this.object(value, path, ['matches']);
      const from = given && this.pattern(given['matches'] ?? '', [...path, 'matches']);
      return from && { name, from, path };
    }
    try {
      return { name, from: stepsOf(value), path };
    } catch {
      this.fault(path, `Expected a path such as structuredContent.items[0].id, not "${value}"`);
      return undefined;
    }
  }

  #assertSaved(value: unknown, path: Path): void {
    for (const name of new Set(variablesIn(value)))
      if (!this.#saved.has(name))
        this.fault(path, `No earlier call saves "${name}"; write $\${ for the text \${`);
  }
}
