/** The capabilities of a client, by name. */
export type Capabilities = Readonly<Record<string, unknown>>;

/** The capabilities of a client, with their members, by which servers choose the tools that they list. */
const members = {
  elicitation: ['form', 'url'],
  extensions: ['io.modelcontextprotocol/tasks', 'io.modelcontextprotocol/ui'],
  roots: [],
  sampling: ['context', 'tools'],
  tasks: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The capabilities of a client that may change a server's tools, as text such as `elicitation.form roots`.
 * Unknown ones are left out, so that a client cannot create sets without limit.
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
