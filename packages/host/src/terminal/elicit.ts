import { jsonText, sanitize, sanitizeLine } from './sanitize.ts';

type Value = string | number | boolean | readonly string[];

interface Field {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[];
  readonly items?: {
    readonly enum?: readonly string[];
    readonly anyOf?: readonly { readonly const: string }[];
  };
}

/** A form that a server asks the user to fill in: a flat object of primitives. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties?: unknown; readonly required?: unknown };
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export type Answer =
  | { readonly action: 'accept'; readonly content: { [name: string]: Value } }
  | { readonly action: 'decline' | 'cancel' };

/**
 * Asks for the fields of a form, one line for each. An empty line accepts the default, `!` declines the form,
 * and the end of the input cancels it.
 */
export async function askForm(
  server: string,
  form: Form,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Answer> {
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: terminal.input, signal });
  const lines = reader[Symbol.asyncIterator]();
  try {
    terminal.output.write(
      `\n${sanitizeLine(server)} asks: ${sanitize(form.message)}\n(an empty line takes the default; ! declines)\n`,
    );
    const fields = Object.entries((form.requestedSchema.properties ?? {}) as Record<string, Field>);
    const required = (form.requestedSchema.required ?? []) as readonly string[];
    if (fields.length === 0) {
      const agreed = await askField('accept', agreement, true, lines, terminal);
      return agreed === true ? { action: 'accept', content: {} } : { action: 'decline' };
    }
    const content: { [name: string]: Value } = {};
    for (const [name, field] of fields) {
      const value = await askField(name, field, required.includes(name), lines, terminal);
      if (value === declined) return { action: 'decline' };
      if (value !== undefined) content[name] = value;
    }
    return { action: 'accept', content };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof InputEnded) return { action: 'cancel' };
    throw error;
  } finally {
    reader.close();
  }
}

/** The question for a form without fields, which a server sends to get consent. */
const agreement: Field = { type: 'boolean', title: 'Accept' };

class InputEnded extends Error {}

const declined = Symbol('declined');

async function askField(
  name: string,
  field: Field,
  required: boolean,
  lines: AsyncIterator<string>,
  { output }: Terminal,
): Promise<Value | undefined | typeof declined> {
  const choices = choicesOf(field);
  if (field.description !== undefined) output.write(`${sanitizeLine(field.description)}\n`);
  const prompt = `  ${sanitizeLine(field.title ?? name)}${hintOf(field, choices, required)}: `;
  for (;;) {
    output.write(prompt);
    const { value: read, done } = await lines.next();
    if (done) throw new InputEnded('The input has ended');
    const line = read.trim();
    if (line === '!') return declined;
    if (line === '' && field.default !== undefined) return field.default;
    if (line === '' && !required) return undefined;
    const value = parseField(line, field, choices);
    if (value !== undefined) return value;
    output.write(
      `  ${sanitizeLine(`"${line}" is not ${choices ? `one of ${choices.join(', ')}` : `a ${field.type ?? 'string'}`}`)}\n`,
    );
  }
}

function choicesOf({ enum: values, oneOf, items }: Field): readonly string[] | undefined {
  return values ?? oneOf?.map((each) => each.const) ?? items?.enum ?? items?.anyOf?.map((each) => each.const);
}

function hintOf(field: Field, choices: readonly string[] | undefined, required: boolean): string {
  const parts = [
    choices ? choices.map(sanitizeLine).join(' | ') : field.type === 'boolean' ? 'yes | no' : undefined,
    field.default === undefined ? (required ? undefined : 'optional') : `default ${jsonText(field.default)}`,
  ].filter((each) => each !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function parseField(
  line: string,
  { type }: Field,
  choices: readonly string[] | undefined,
): Value | undefined {
  if (type === 'array') {
    const values = line === '' ? [] : line.split(',').map((each) => each.trim());
    return !choices || values.every((each) => choices.includes(each)) ? values : undefined;
  }
  if (choices) return choices.includes(line) ? line : undefined;
  if (type === 'boolean')
    return /^(?:y|yes|true)$/i.test(line) ? true : /^(?:n|no|false)$/i.test(line) ? false : undefined;
  if (type === 'number' || type === 'integer') {
    const value = Number(line);
    return line !== '' && Number.isFinite(value) && (type === 'number' || Number.isInteger(value))
      ? value
      : undefined;
  }
  return line;
}
