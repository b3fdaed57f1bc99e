/** The capabilities of a client, by name. */
export type Capabilities = Readonly<Record<string, unknown>>;

/** The members of a client's capabilities; servers choose by these which tools they list. */
const members = {
  elicitation: ['form', 'url'],
  extensions: ['io.modelcontextprotocol/tasks', 'io.modelcontextprotocol/ui'],
  roots: [],
  sampling: ['context', 'tools'],
  tasks: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The capabilities of a client that may change a server's list of tools, as one text: `elicitation.form
 * roots`. Unknown capabilities are left out, so that clients cannot make up any number of sets.
 */
export function capabilitySet(capabilities: Capabilities): string {
  return Object.entries(members)
    .flatMap(([name, parts]) => {
      const declared = capabilities[name];
      if (typeof declared !== 'object' || declared === null) return [];
      const found = parts.filter((part) => Object.hasOwn(declared, part)).map((part) => `${name}.${part}`);
      return found.length > 0 || name === 'extensions' ? found : [name];
    })
    .join(' ');
}
