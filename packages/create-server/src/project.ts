import type { Template } from './templates.ts';

export interface Project {
  /** The name of the package: lower case, as npm requires. */
  readonly name: string;
  readonly template: Template;
  /** The range of versions of the `@mcp` packages that the project depends on, such as `^1.2.0`. */
  readonly range: string;
  /** The version of Node that creates the project, such as `24.9.0`. */
  readonly node: string;
}

/** The last part of the name of a package: `@me/server` gives `server`. */
export const shortName = ({ name }: Project): string => name.slice(name.indexOf('/') + 1);

/** How a host starts the server from the folder of the project. */
export const startCommand = ({ template: { main, args } }: Project) => ({
  command: 'node',
  args: [main, ...args],
});

/** The script that serves the sources with the arguments that hosts give; `program` runs them. */
export const devScript = (program: string, { template: { args } }: Project): string =>
  ['npx --yes @mcp/host dev', program, ...args].join(' ');

/** The configuration that Claude Code, `mcp` and other hosts read, as JSON. */
export const configuration = (project: Project): string =>
  json({ mcpServers: { [shortName(project)]: startCommand(project) } });

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Tells npm not to run the install script of esbuild, which works without it. */
export const allowScripts = { esbuild: false };

/** The part of the README that follows the commands: how hosts start the server. */
export const hostText = (project: Project): string =>
  `The last two commands read \`.mcp.json\` in this folder, as other hosts do: they list the tools of the server, and call one.
The first of them asks whether the server may be started. Without a terminal it is refused; \`npx @mcp/host --yes ping ${shortName(project)}\` agrees once.

\`\`\`json
${configuration(project).trim()}
\`\`\`

A host that starts in another folder needs the absolute path of the program. VS Code, Cursor and others have files of their own;
\`npx @mcp/host config path\` lists the files that \`@mcp/host\` reads.`;
