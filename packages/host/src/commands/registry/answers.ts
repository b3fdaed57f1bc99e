import { resolve } from 'node:path';
import type { CommandInput } from '../../command-line/command.ts';
import { headersOf, variablesOf } from '../../command-line/server-settings.ts';
import { pairOf } from '../../command-line/target.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { usageError } from '../../errors.ts';
import { answerKey, type Answers, type Question } from '../../registry/fill-inputs.ts';
import { askLine } from '../../terminal/ask-line.ts';
import { sanitizeLine } from '../../terminal/sanitize.ts';
import { questionText } from './info.ts';

/**
 * The answers of the options; those that are missing and required are asked for in a terminal. Throws a
 * `HostError` for a wrong one and, without a terminal, for each that is missing.
 */
export async function answersTo(questions: readonly Question[], input: CommandInput): Promise<Answers> {
  const answers = givenAnswers(questions, input);
  const missing = questions.filter(
    (each) => each.input.isRequired && each.input.default === undefined && !answers.has(answerKey(each)),
  );
  for (const each of missing) {
    const answer = await ask(each, input);
    if (answer === undefined)
      throw usageError(
        `The server needs values:\n${missing.map((one) => `  ${sanitizeLine(questionText(one))}`).join('\n')}`,
        'give them by these options, or run the command in a terminal, which asks for them',
      );
    answers.set(answerKey(each), [checked(each, answer)]);
  }
  return answers;
}

function givenAnswers(
  questions: readonly Question[],
  { options }: CommandInput,
): Map<string, readonly string[]> {
  const answers = new Map<string, readonly string[]>();
  const add = (key: string, value: string) => answers.set(key, [...(answers.get(key) ?? []), value]);
  const find = (key: string) => questions.find((each) => answerKey(each) === key);
  for (const [name, value] of variablesOf(options)) {
    const question = find(answerKey({ kind: 'env', name }));
    const text = value ?? `\${${name}}`;
    add(answerKey({ kind: 'env', name }), question && value !== undefined ? checked(question, text) : text);
  }
  for (const [name, value] of headersOf(options)) add(answerKey({ kind: 'header', name }), value);
  const { input = [] } = options;
  for (const word of Array.isArray(input) ? (input as readonly string[]) : []) {
    const [name, value] = pairOf(word, '--input name=value');
    const question = find(answerKey({ kind: 'input', name }));
    if (question) {
      add(answerKey(question), checked(question, value));
      continue;
    }
    const names = questions.filter(({ kind }) => kind === 'input').map((each) => each.name);
    throw usageError(
      `The server has no value "${name}"${didYouMean(name, names)}`,
      names.length === 0 ? 'it takes no --input' : `it has ${names.join(', ')}`,
    );
  }
  return answers;
}

async function ask(question: Question, { output, signal }: CommandInput): Promise<string | undefined> {
  if (!output.interactive || !process.stdin.isTTY) return undefined;
  const terminal = { input: process.stdin, output: process.stderr };
  const { isSecret } = question.input;
  output.note(`${question.name}: ${sanitizeLine(questionText(question))}`);
  const answer = await askLine(`${sanitizeLine(question.name)}: `, terminal, { signal, isSecret });
  return answer === '' ? undefined : answer;
}

/** The answer, if the description allows it. The answer is not shown: it may be a secret. */
function checked({ name, input: { choices, format } }: Question, answer: string): string {
  const fail = (expected: string): never => {
    throw usageError(`Invalid value of "${name}"; expected ${expected}`);
  };
  if (/\$\{\w+\}/.test(answer)) return answer;
  if (choices.length > 0 && !choices.includes(answer)) fail(choices.join(', '));
  if (format === 'boolean' && answer !== 'true' && answer !== 'false') fail('true or false');
  if (format === 'number' && (answer.trim() === '' || !Number.isFinite(Number(answer)))) fail('a number');
  // The host starts the server in another directory.
  return format === 'filepath' ? resolve(answer) : answer;
}
