/** A page, and a program of the playground: one that the page shows, or a sample. */
export type PageProgram = {
  /** The path of the page in `docs/`. */
  readonly page: string;
  readonly title: string;
} & (
  | {
      /** The name that the block of the program exports. */
      readonly exported: string;
      /** What makes a server of the block. */
      readonly more: string;
    }
  | {
      /** Whether the block is a whole program, which calls `serveStdio`. */
      readonly isWhole: true;
    }
  | {
      /** The file of the program in `samples/`. */
      readonly sample: string;
      /** What the link on the page says. */
      readonly label: string;
    }
);

/** The name of a program in the address of the playground. */
export const nameOf = (page: string): string => page.replace(/^(?:guides|servers)\/|\.md$/g, '');

/** The program of a page. A translated page has the code of the page that it translates. */
export const programOfPage = (page: string): PageProgram | undefined =>
  programs.find((each) => each.page === page.replace(/^zh-CN\//, ''));

export const programs: readonly PageProgram[] = [
  { page: 'tutorial.md', title: 'Your first server', exported: 'server', more: '' },
  {
    page: 'guides/tool.md',
    title: 'A tool',
    exported: 'price',
    more: `
const prices = new Map([['tea', 4], ['coffee', 7]]);
export const server = defineServer({ name: 'shop', version: '1.0.0', context: { prices }, tools: [price] });
`,
  },
  {
    page: 'guides/watched-resource.md',
    title: 'A watched resource',
    exported: 'count',
    more: `
const counter: Counter = { value: 0, listeners: new Set() };
const add = defineTool({
  name: 'add',
  description: 'Adds one to the counter.',
  run: () => {
    counter.value++;
    for (const changed of counter.listeners) changed();
    return String(counter.value);
  },
});
export const server = defineServer({
  name: 'counter',
  version: '1.0.0',
  context: counter,
  tools: [add],
  resources: [count],
});
`,
  },
  {
    page: 'guides/ask-the-user.md',
    title: 'Ask the user',
    exported: 'order',
    more: `
export const server = defineServer({ name: 'tea', version: '1.0.0', tools: [order] });
`,
  },
  {
    page: 'guides/progress.md',
    title: 'Progress',
    exported: 'count',
    more: `
export const server = defineServer({ name: 'counting', version: '1.0.0', tools: [count] });
`,
  },
  {
    page: 'servers/weather.md',
    title: 'Weather server',
    sample: 'weather.ts',
    label: 'Run this server here',
  },
  {
    page: 'servers/sqlite.md',
    title: 'Sample database',
    sample: 'bookshop.ts',
    label: 'Query the sample here',
  },
  { page: 'clone.md', title: 'A calculator', isWhole: true },
  { page: 'coming-from/sdk.md', title: 'From the official SDK', isWhole: true },
  { page: 'coming-from/fastmcp.md', title: 'From fastmcp', isWhole: true },
  { page: 'coming-from/fastmcp-python.md', title: 'From FastMCP for Python', isWhole: true },
  { page: 'coming-from/tmcp.md', title: 'From tmcp', isWhole: true },
  { page: 'coming-from/xmcp.md', title: 'From xmcp', isWhole: true },
];
