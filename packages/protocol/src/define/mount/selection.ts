import { closestNames } from '@mcp/kit';
import type { Prompt } from '../prompt.ts';
import type { Resource } from '../resource.ts';
import type { Server } from '../server.ts';
import type { Tool } from '../tool.ts';

/** A tool, prompt or resource, as the mounted server has it. */
export type Mountable = {
  readonly kind: 'tool' | 'prompt' | 'resource';
  readonly name: string;
  /** The URI of a resource, or its template. */
  readonly uri?: string;
};

/** What of a server is mounted, and under which names. */
export type MountOptions = {
  /** Is put before the names of tools and prompts, with `_` between. Default: names stay as they are. */
  readonly prefix?: string;
  /**
   * Chooses what is mounted: a list of names, where resources may be named by their URIs too, or a function.
   * What is not chosen cannot be used, read, completed or subscribed to. Default: everything.
   */
  readonly select?: readonly string[] | ((item: Mountable) => boolean);
  /** New names of tools and prompts by their names in the mounted server; they get no prefix. */
  readonly rename?: { readonly [name: string]: string };
};

/** Which part of a server is mounted, and under which names. */
export class Selection {
  readonly #server: Server;
  readonly #options: MountOptions;

  constructor(server: Server, options: MountOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Whether a part of the server may not be mounted. */
  get isPartial(): boolean {
    return this.#options.select !== undefined;
  }

  nameOf(name: string): string {
    const { prefix, rename = {} } = this.#options;
    const renamed = Object.hasOwn(rename, name) ? rename[name] : undefined;
    return renamed ?? (prefix === undefined ? name : `${prefix}_${name}`);
  }

  hasTool({ name }: Tool<object>): boolean {
    return this.#has({ kind: 'tool', name });
  }

  hasPrompt({ name }: Prompt<object>): boolean {
    return this.#has({ kind: 'prompt', name });
  }

  hasResource(resource: Resource<object>): boolean {
    return this.#has(asMountable(resource));
  }

  /**
   * The resource of the mounted server that has a URI. A resource with a fixed URI takes precedence over a
   * template, also if it is not mounted itself: the template must not serve it then.
   */
  ownerOf(uri: string): Resource<object> | undefined {
    const all = [...this.#server.resources];
    return (
      all.find((each) => !each.template && each.uri === uri) ??
      all.find(({ template }) => template?.match(uri))
    );
  }

  /** Throws an `Error` for a name in the options that the mounted server does not have. */
  check(): void {
    const { select, rename = {} } = this.#options;
    const { tools, prompts, resources } = this.#server;
    if (typeof select === 'object') {
      const named = [...tools, ...prompts].map(({ name }) => name);
      const located = [...resources].flatMap(({ uri, definition: { name } }) => [name, uri]);
      for (const name of select) refuseUnknown('select', name, [...named, ...located]);
    }
    const mounted = [
      ...[...tools].filter((tool) => this.hasTool(tool)),
      ...[...prompts].filter((prompt) => this.hasPrompt(prompt)),
    ].map(({ name }) => name);
    for (const name of Object.keys(rename)) refuseUnknown('rename', name, mounted);
  }

  #has(item: Mountable): boolean {
    const { select } = this.#options;
    if (select === undefined) return true;
    if (typeof select === 'object') return select.some((name) => name === item.name || name === item.uri);
    const chosen: unknown = select(item);
    if (typeof chosen !== 'boolean')
      throw new Error(`\`select\` of a mount must return true or false, not ${typeof chosen}`);
    return chosen;
  }
}

function asMountable({ uri, definition: { name } }: Resource<object>): Mountable {
  return { kind: 'resource', name, uri };
}

function refuseUnknown(what: 'select' | 'rename', name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const problem =
    what === 'select' ? 'the mounted server has no such name' : 'no tool or prompt with this name is mounted';
  const near = closestNames(name, known).map((each) => `"${each}"`);
  const advice = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
  throw new Error(`Cannot ${what} "${name}": ${problem}${advice}`);
}
