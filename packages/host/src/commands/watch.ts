import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodes } from '../errors.ts';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { serverFirst, usageError } from '../command-line/target.ts';

/** The lists of a server that can be watched. */
const lists = ['tools', 'resources', 'prompts'] as const;

export const watch: Command = {
  name: 'watch',
  usage: '<server> <uri… | --lists>',
  help: 'prints a line for each change of resources or lists, until it is interrupted; survives restarts of the server',
  words: ['server or resource'],
  options: [
    { name: 'lists', help: 'changes of the lists of tools, resources and prompts' },
    {
      name: 'exec',
      value: 'command',
      help: 'runs a command for each change, with MCP_SERVER and MCP_URI in its environment',
    },
    { name: 'count', value: 'number', help: 'ends after so many changes' },
  ],
  async run(input) {
    const { positionals, servers, options, signal } = input;
    const { server, rest: uris } = serverFirst(positionals, servers.names);
    if (server === undefined || (uris.length === 0 && !options['lists'])) {
      throw usageError('Name a server and what to watch: mcp watch <server> <uri>, or --lists');
    }
    const changes = new Changes(server, input);
    await servers.use(server, async (client) => {
      const lost = (error: Error) => changes.fail(error);
      for (const uri of uris) await client.subscribe(uri, () => changes.add({ uri }), { lost });
      for (const kind of options['lists'] ? lists : []) {
        const capability = client.capabilities[kind] as { readonly listChanged?: boolean } | undefined;
        if (capability?.listChanged)
          await client.watchList(kind, () => changes.add({ list: kind }), { lost });
      }
      input.output.note(`watching ${server}`, 'dim');
      await changes.ended(signal);
    });
    return signal.aborted ? exitCodes.interrupted : exitCodes.ok;
  },
};

interface Change {
  readonly uri?: string;
  readonly list?: string;
}

/** Prints changes and runs the command of `--exec`, one after the other. */
class Changes {
  readonly #server: string;
  readonly #input: CommandInput;
  readonly #done: Promise<void>;
  #finish: () => void = () => {};
  #fail: (error: Error) => void = () => {};
  readonly #max: number;
  #count = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(server: string, input: CommandInput) {
    this.#server = server;
    this.#input = input;
    this.#done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    const count = valueOf(input.options, 'count');
    this.#max = count === undefined ? Infinity : Number(count);
    if (!(this.#max >= 1)) throw usageError(`Invalid --count: "${count}"; expected a number from 1`);
  }

  add(change: Change): void {
    if (this.#count >= this.#max) return;
    this.#count++;
    const { output } = this.#input;
    if (output.json) output.value({ server: this.#server, ...change, at: new Date().toISOString() });
    else output.foreign(`${this.#server} ${change.uri ?? `list of ${change.list}`}`);
    this.#running = this.#running.then(() => this.#exec(change));
    if (this.#count === this.#max) void this.#running.then(this.#finish);
  }

  fail(error: Error): void {
    this.#fail(error);
  }

  /** Resolves after the last change, or when the command is interrupted; rejects when the subscription is lost. */
  async ended(signal: AbortSignal): Promise<void> {
    const interrupted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    await Promise.race([this.#done, interrupted]);
  }

  async #exec({ uri = '', list = '' }: Change): Promise<void> {
    const command = valueOf(this.#input.options, 'exec');
    if (command === undefined) return;
    const env = { ...process.env, MCP_SERVER: this.#server, MCP_URI: uri, MCP_LIST: list };
    const child = spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'], env });
    await once(child, 'exit').catch((error: unknown) => this.#input.output.note(String(error)));
  }
}
