import { quoted } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';
import { didYouMean } from '../did-you-mean.ts';

/** A tool by the name of its server in the configuration and the name that the server gives it. */
export interface NamedTool {
  readonly server: string;
  readonly name: string;
}

/** A list of a server, before and after the filter of its entry and the tools that are withheld. */
export interface ToolList {
  readonly server: string;
  /** The name that the program of the server gives itself. */
  readonly program: string | undefined;
  readonly listed: readonly ListedTool[];
  readonly shown: readonly ListedTool[];
}

/** The name that server-run gives itself. Each of its tools runs a program of its operator. */
const commandRunner = '@mcp/server-run';

/**
 * The tools for clients from outside: those that only read, as their annotations say, and those that are
 * allowed by name. The tools of server-run are served by name alone.
 */
export class ServedTools {
  readonly #allowed: readonly NamedTool[];
  readonly #warn: (message: string) => void;
  readonly #warned = new Set<string>();

  /** `warn` is called with the tools that are not served, and with the allowed ones that a server lacks. */
  constructor(allowed: readonly NamedTool[], warn: (message: string) => void) {
    this.#allowed = allowed;
    this.#warn = warn;
  }

  /** The tools of `shown` that are served. Of several tools with one name, all must only read. */
  of({ server, program, listed, shown }: ToolList): readonly ListedTool[] {
    const allowed = this.#allowed.filter((each) => each.server === server).map(({ name }) => name);
    const writing = listed.filter((tool) => program === commandRunner || !onlyReads(tool));
    const hidden = new Set(writing.map(({ name }) => name).filter((name) => !allowed.includes(name)));
    const names = [...new Set(shown.map(({ name }) => name))].filter((name) => hidden.has(name));
    if (names.length > 0)
      this.#warnOnce(`${server}: not served without --allow: ${names.map(shortly).join(', ')}`);
    const known = new Set(listed.map(({ name }) => name));
    for (const name of allowed)
      if (!known.has(name))
        this.#warnOnce(
          `${server}: --allow names ${shortly(name)}, which is no tool of it${didYouMean(name, known)}`,
        );
    return shown.filter(({ name }) => !hidden.has(name));
  }

  /** Whether anything besides tools is served: of server-run, only where one of its tools is allowed. */
  serves(server: string, program: string | undefined): boolean {
    return program !== commandRunner || this.#allowed.some((each) => each.server === server);
  }

  /** Each client has its own list of a server: the same is said once. */
  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#warn(message);
  }
}

/** A tool that says nothing of itself, or contradicts itself, writes. */
function onlyReads({ annotations }: ListedTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

function shortly(name: string): string {
  return quoted(name, 64);
}
