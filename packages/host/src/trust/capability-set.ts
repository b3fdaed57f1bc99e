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
 * The capabilities that a client declares and that change lists of tools, as one text: `elicitation.form
 * roots`. It has no other part of them, so that clients cannot make up new sets without limit.
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
