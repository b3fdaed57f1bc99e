import { createInterface } from 'node:readline/promises';

/** Asks a person in the terminal; an empty answer is the default. */
export async function askInTerminal(questions: readonly Question[]): Promise<string[]> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answers: string[] = [];
    for (const { text, fallback } of questions) {
      answers.push((await terminal.question(`${text} (${fallback}): `)).trim() || fallback);
    }
    return answers;
  } finally {
    terminal.close();
  }
}

export interface Question {
  readonly text: string;
  /** The answer without an input. */
  readonly fallback: string;
}
