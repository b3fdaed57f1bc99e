import { showsViews, viewsExtension } from '../shows-views.ts';

/** The capabilities of a client, by name. */
export type Capabilities = Readonly<Record<string, unknown>>;

/** The client capabilities, each with its members, on which a server's list of tools may depend. */
const members = {
  elicitation: ['form', 'url'],
  extensions: ['io.modelcontextprotocol/tasks', viewsExtension],
  roots: [],
  sampling: ['context', 'tools'],
  tasks: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The capabilities of a client on which a server's tools may depend, as a text such as
 * `elicitation.form roots`. Unknown capabilities are left out: the accepted tools are stored for each of
 * these texts, and a client could make up any number of capabilities.
 */
export function capabilitySet(capabilities: Capabilities): string {
  return Object.entries(members)
    .flatMap(([name, parts]) => {
      const declared = capabilities[name];
      if (typeof declared !== 'object' || declared === null) return [];
      const found = parts
        .filter((part) =>
          part === viewsExtension ? showsViews(capabilities) : Object.hasOwn(declared, part),
        )
        .map((part) => `${name}.${part}`);
      return found.length > 0 || name === 'extensions' ? found : [name];
    })
    .join(' ');
}
