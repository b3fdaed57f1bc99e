/** How many of the last lines of each server's stderr are kept, to be printed if the server fails. */
const maxLines = 50;

/** The stderr of servers: printed immediately, or kept and printed when the server fails. */
export class ServerStderr {
  readonly #print: (line: string) => void;
  readonly #atOnce: boolean;
  readonly #lines = new Map<string, string[]>();

  constructor(print: (line: string) => void, { atOnce }: { readonly atOnce: boolean }) {
    this.#print = print;
    this.#atOnce = atOnce;
  }

  add(server: string, line: string): void {
    if (this.#atOnce) return this.#print(`${server}: ${line}`);
    const lines = this.#lines.get(server) ?? [];
    lines.push(line);
    if (lines.length > maxLines) lines.shift();
    this.#lines.set(server, lines);
  }

  /** Prints the last lines of a server that has failed. */
  failed(server: string): void {
    for (const line of this.#lines.get(server) ?? []) this.#print(`${server}: ${line}`);
    this.#lines.delete(server);
  }
}
