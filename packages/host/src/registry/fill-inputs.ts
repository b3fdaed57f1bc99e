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
    if (format === 'boolean' && argument.value === undefined)
      return values.flatMap((value) => (value === 'true' ? [name] : []));
    return values.flatMap((value) => (value === '' ? [name] : [name, value]));
  });
}

function valuesOf(kind: AnswerKind, name: string, input: Input, answers: Answers): readonly string[] {
  const { value } = input;
  if (value === undefined) {
    const given = answers.get(answerKey({ kind, name }));
    if (given) return given;
    return input.default === undefined ? [] : [literal(input.default)];
  }
  return [filled(value, input.variables, answers)];
}

/** A template with its variables; throws for one that has no value. */
export function filled(
  template: string,
  variables: Readonly<Record<string, Input>>,
  answers: Answers,
): string {
  return literal(template).replaceAll(variable, (written, name: string) => {
    const input = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!input) return written;
    const [value] = valuesOf('input', name, input, answers);
    return value ?? '';
  });
}

const variable = /\{([\w.-]+)\}/g;

export function namesIn(template: string): string[] {
  return Array.from(template.matchAll(variable), ([, name = '']) => name);
}

/** A text of the registry. Throws for one with a variable that a host would expand. */
function literal(text: string): string {
  if (/\$\{|\{(?:env|file):|%\w+%|\$[A-Za-z_]/.test(text))
    throw new Error(
      `a value in the registry has a variable of the environment: ${JSON.stringify(text.slice(0, 80))}; add the server by its command instead`,
    );
  return text;
}
