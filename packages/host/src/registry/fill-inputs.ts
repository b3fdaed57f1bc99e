import { escapeText } from '@mcp/kit';
import type { Argument, Input, NamedInput } from './registry-server.ts';

/** Where an answer belongs: names of variables, headers and arguments are apart. */
export type AnswerKind = 'env' | 'header' | 'input';

/** A value that the user gives, and the name by which an option gives it. */
export interface Question {
  readonly kind: AnswerKind;
  readonly name: string;
  readonly input: Input;
}

/** The given values, by `answerKey`; several only for an argument that may be repeated. */
export type Answers = ReadonlyMap<string, readonly string[]>;

export function answerKey({ kind, name }: Pick<Question, 'kind' | 'name'>): string {
  return `${kind}:${kind === 'header' ? name.toLowerCase() : name}`;
}

/** The name of an argument in `--input name=value`: `path` for `--path` and for the hint `path`. */
export function argumentName({ name, hint }: Argument, index: number): string {
  return name?.replace(/^-+/, '') ?? hint ?? `argument ${index + 1}`;
}

/** The questions of one described value: itself, or the variables in its fixed value. */
export function questionsOf(kind: AnswerKind, name: string, input: Input): Question[] {
  if (input.value === undefined) return [{ kind, name, input }];
  return namesIn(input.value)
    .filter((each) => Object.hasOwn(input.variables, each))
    .map((each) => ({ kind: 'input', name: each, input: input.variables[each]! }));
}

/**
 * The value of an environment variable or a header, undefined where the user gives none. Throws for a fixed
 * value that a host would expand: what an unknown author writes must not read variables of the user.
 */
export function valueOfInput(kind: AnswerKind, input: NamedInput, answers: Answers): string | undefined {
  return valuesOf(kind, input.name, input, answers)[0];
}

/** The words of a list of arguments. */
export function wordsOf(args: readonly Argument[], answers: Answers): string[] {
  return args.flatMap((argument, index) => {
    const values = valuesOf('input', argumentName(argument, index), argument, answers);
    const { name, format } = argument;
    if (name === undefined) return values;
    literal(name);
    if (format === 'boolean' && argument.value === undefined)
      return values.flatMap((value) => (value === 'true' ? [name] : []));
    return values.flatMap((value) => (value === '' ? [name] : [name, value]));
  });
}

function valuesOf(kind: AnswerKind, name: string, input: Input, answers: Answers): readonly string[] {
  const { value, default: usual, variables } = input;
  if (value !== undefined) return [filled(value, variables, answers)];
  return answers.get(answerKey({ kind, name })) ?? (usual === undefined ? [] : [literal(usual)]);
}

/** A template with its variables. Throws if what the registry says would be expanded by a host. */
export function filled(
  template: string,
  variables: Readonly<Record<string, Input>>,
  answers: Answers,
): string {
  const fill = (answerOf: (name: string) => string | undefined) =>
    template.replaceAll(variable, (written, name: string) => {
      const input = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return input ? (input.value ?? answerOf(name) ?? input.default ?? '') : written;
    });
  const given = (name: string) => answers.get(answerKey({ kind: 'input', name }))?.[0];
  // The parts may make a variable together. An answer may have one, but not complete one.
  literal(fill((name) => given(name) && 'x'));
  return fill(given);
}

const variable = /\{([\w.-]+)\}/g;

export function namesIn(template: string): string[] {
  return Array.from(template.matchAll(variable), ([, name = '']) => name);
}

/**
 * A text that an unknown author wrote. Throws for one with a variable that a host would expand, or with
 * characters that would not be shown as they are written.
 */
export function literal(text: string, what = 'a value in the registry'): string {
  const hasVariable = /\$\{|\{(?:env|file):|%\w+%|\$[A-Za-z_]/.test(text);
  if (hasVariable || /[^\S ]/.test(text) || escapeText(text) !== text)
    throw new Error(
      `${what} has ${hasVariable ? 'a variable of the environment' : 'hidden characters'}: ${JSON.stringify(escapeText(text.slice(0, 80)))}; add the server by its command instead`,
    );
  return text;
}
