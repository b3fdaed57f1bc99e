import { KeyedQueue } from '@mcp/kit';
import type { HostHandlers } from '@mcp/protocol/client';
import type { Interrupts } from '../command-line/interrupts.ts';
import { inputVariable } from '../config/entry/inputs.ts';
import type { AskInput } from '../config/entry/expand-variables.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { explainServer } from '../config/explain-server.ts';
import { argumentsAsWritten } from '../config/entry/mask-secrets.ts';
import { askLine } from '../terminal/ask-line.ts';
import { askForm, type Form } from '../terminal/elicit.ts';
import type { Output } from '../terminal/output.ts';
import { sanitize, sanitizeLine } from '../terminal/sanitize.ts';
import type { ReadHere } from '../trust/read-here.ts';

const questions = new KeyedQueue();
/** A function, because the streams take a millisecond or more to open, and few commands ask. */
const terminal = () => ({ input: process.stdin, output: process.stderr });

/**
 * Asks a question after all earlier questions have been answered, so that no answer is taken for the answer
 * to another server's question.
 */
function askNext<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return questions.run('terminal', () => {
    signal.throwIfAborted();
    return ask();
  });
}

/** Puts a text on one line, and keeps all its spaces, because two commands may differ only in spaces. */
function oneLine(text: string): string {
  return sanitize(text).replaceAll(/[\n\t]/g, ' ');
}

/** Shows the server to be started, and asks whether to start it. Without a terminal, the answer is no. */
export async function askConsent(
  { entry, reads }: { readonly entry: ServerEntry; readonly reads: ReadHere | undefined },
  output: Output,
  signal: AbortSignal,
): Promise<boolean> {
  if (!output.interactive || !process.stdin.isTTY) return false;
  return askNext(async () => {
    const { target, variables, scope } = entry;
    const ofProject = scope === 'project';
    output.note(
      ofProject
        ? 'A file of this project names a server:'
        : 'A server of your configuration would run code, or read settings, of this directory:',
    );
    const { hidden, format } = { hidden: [], format: { title: ofProject ? 'this project' : 'your own' } };
    const args = target.kind === 'stdio' ? argumentsAsWritten(target.args, variables) : [];
    for (const [label, text] of explainServer({ hidden, format }, entry, args))
      output.note(`  ${oneLine(`${label}: ${text}`)}`);
    for (const path of reads?.paths ?? []) output.note(`  ${oneLine(`${reads?.program} reads: ${path}`)}`);
    return /^y(?:es)?$/i.test((await askLine('Start it? [y/N] ', terminal(), { signal }))?.trim() ?? '');
  }, signal);
}

/** Asks whether to log in at a server in the browser. Undefined without a terminal. */
export function confirmLoginWith(
  output: Output,
  interrupts: Interrupts,
): ((url: string) => Promise<boolean>) | undefined {
  if (!output.interactive || !process.stdin.isTTY) return undefined;
  return (url) => {
    const prompt = `${sanitizeLine(url)} requires a login. Log in in the browser? [Y/n] `;
    const signal = interrupts.innermost;
    const ask = () => askLine(prompt, terminal(), { signal });
    return askNext(async () => /^(?:y|yes)?$/i.test((await ask())?.trim() ?? 'no'), signal);
  };
}

/**
 * Asks for the values of the inputs in VS Code's configuration files, once for each input. Without a
 * terminal, every value is undefined.
 */
export function askInputWith(output: Output, interrupts: Interrupts): AskInput {
  const answers = new Map<string, Promise<string | undefined>>();
  return (id, input) => {
    if (!output.interactive || !process.stdin.isTTY) return undefined;
    const key = JSON.stringify([id, input]);
    const { description = id, default: value, options, password = false } = input;
    const notes = [options?.join(' | '), value === undefined ? undefined : `default ${value}`];
    const note = notes.filter((each) => each !== undefined).join('; ');
    const prompt = sanitizeLine(`${description}${note === '' ? '' : ` (${note})`}`);
    const signal = interrupts.innermost;
    const ask = async () => {
      output.note(`${inputVariable(id)} has no value.`);
      const answer = await askLine(`${prompt}: `, terminal(), { signal, isSecret: password });
      if (answer === undefined || answer === '') return undefined;
      if (!options || options.includes(answer)) return answer;
      throw new Error(`Invalid value of the input "${id}"; expected ${options.join(', ')}`);
    };
    const answer = answers.get(key) ?? askNext(ask, signal);
    answers.set(key, answer);
    // If the user gave no value, the next command in `mcp shell` asks again.
    const forget = () => answers.delete(key);
    answer.then((given) => given ?? forget(), forget);
    return answer;
  };
}

/**
 * Handles the elicitation requests of servers: shows forms, and pages to open. Undefined without a terminal.
 */
export function elicitWith(
  output: Output,
): ((server: string) => NonNullable<HostHandlers['elicit']>) | undefined {
  if (!output.interactive || !process.stdin.isTTY) return undefined;
  return (server) =>
    (request, { signal }) => {
      const ask = (form: Form) => askNext(() => askForm(server, form, terminal(), signal), signal);
      if (!('url' in request)) return ask(request);
      const message = `${request.message}\nOpen ${request.url} and continue when you are done there.`;
      const done = { type: 'boolean', title: 'Done', default: true };
      output.note('');
      return ask({ message, requestedSchema: { properties: { done } } });
    };
}
