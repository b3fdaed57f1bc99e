import { createInterface } from 'node:readline/promises';

/** Asks a person in the terminal; returns `fallback` for an empty answer. */
export async function askInTerminal(text: string, fallback: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`${text} (${fallback}): `)).trim() || fallback;
  } finally {
    terminal.close();
  }
}
