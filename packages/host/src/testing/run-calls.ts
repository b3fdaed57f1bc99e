import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { pickValue } from '../views/pick-value.ts';
import { type Answer, answerTo } from './answer.ts';
import type { Call, CallFile, ElicitAnswer, Saved, Step } from './call-file.ts';
import { checkAnswer, type Problem } from './check-answer.ts';
import { operandsOf } from './read-expected.ts';
import { variablesIn, withVariables } from './variables.ts';

/** What became of one step. */
export interface Outcome {
  readonly name: string;
  /** Where the step is in its file. */
  readonly path: Step['path'];
  /** Milliseconds of the call; 0 if it was not made. */
  readonly ms: number;
  /** The failed assertions; empty if the step has passed, or was skipped. */
  readonly problems: readonly Problem[];
  /** Why the call was not made; undefined if it was. */
  readonly skipped?: string;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Gets the answers of each call; the client takes the first of them for each question. */
  readonly answers: ElicitAnswer[];
  /** Called with the outcome of each step. */
  readonly report: (outcome: Outcome) => void;
}

/** Makes the calls of a file, one after the other. */
export async function runCalls(
  client: Client,
  { steps }: CallFile,
  { signal, answers, report }: RunOptions,
): Promise<void> {
  const variables = new Map<string, unknown>();
  for (const step of steps) {
    const { name, path } = step;
    const skipped = reasonToSkip(step, client.revision, variables);
    answers.splice(0, Infinity, ...step.answers);
    if (skipped === undefined)
      report({ name, path, ...(await runStep(client, step, { variables, signal, answers })) });
    else report({ name, path, ms: 0, problems: [], skipped });
  }
}

function reasonToSkip(
  { since, call, expected }: Step,
  revision: string,
  variables: ReadonlyMap<string, unknown>,
): string | undefined {
  if (since !== undefined && revision < since) return `since ${since}`;
  const needed = variablesIn([call, ...expected.checks.map(operandsOf)]);
  const missing = needed.find((name) => !variables.has(name));
  return missing === undefined ? undefined : `"${missing}" was not saved`;
}

async function runStep(
  client: Client,
  { call, expected, save, path }: Step,
  { variables, signal, answers }: Omit<RunOptions, 'report'> & { readonly variables: Map<string, unknown> },
): Promise<Pick<Outcome, 'ms' | 'problems'>> {
  let answer: Answer;
  const started = performance.now();
  try {
    answer = await answerTo(client, withVariables(call, variables) as Call, { signal });
  } catch (error) {
    signal.throwIfAborted();
    return { ms: performance.now() - started, problems: [{ path, message: messageOf(error) }] };
  }
  const problems = [...checkAnswer(answer, expected, variables)];
  if (answers.length > 0) {
    const message = `The server asked fewer questions: answers are left, ${JSON.stringify(answers)}`;
    problems.push({ path: [...path, 'answers'], message });
  }
  for (const each of problems.length > 0 ? [] : save) {
    try {
      variables.set(each.name, savedOf(answer, each));
    } catch (error) {
      problems.push({ path: each.path, message: `save ${each.name}: ${messageOf(error)}` });
    }
  }
  return { ms: answer.ms, problems };
}

function savedOf({ result, text }: Answer, { from }: Saved): unknown {
  if (!(from instanceof RegExp)) return pickValue(result, from);
  const found = from.exec(text);
  if (found) return found[1] ?? found[0];
  throw new Error(`the text has no match of ${String(from)}: ${JSON.stringify(text.slice(0, 300))}`);
}
