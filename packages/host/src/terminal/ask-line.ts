import { Writable } from 'node:stream';
import type { Terminal } from './elicit.ts';

export interface AskLineOptions {
  /** When this signal aborts, the question ends. */
  readonly signal: AbortSignal;
  /** Whether the line is not shown while it is typed. */
  readonly isSecret?: boolean;
}

/** Asks for one line. Returns undefined at the end of the input, or when `signal` aborts. */
export async function askLine(
  prompt: string,
  { input, output }: Terminal,
  { signal, isSecret = false }: AskLineOptions,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const hidden = isSecret && { output: new Writable({ write: (_chunk, _encoding, done) => done() }) };
  // For a secret, `terminal` is set: readline then reads the keys in raw mode, so the system does not show
  // what is typed.
  const reader = createInterface({ input, signal, terminal: isSecret, ...hidden });
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  output.write(prompt);
  try {
    for await (const line of reader) return line;
    return undefined;
  } finally {
    reader.close();
    if (isSecret) output.write('\n');
  }
}
