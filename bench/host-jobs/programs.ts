import { hosts } from '../trials/host/host-workspace.ts';

/** A program that drives servers from a terminal. */
export interface Program {
  /** Its name on the page. */
  readonly name: string;
  /** Its command, and the arguments that it always gets. */
  readonly command: string;
  readonly path: string;
  /** The package, the version of which is on the page; none for the program of this repository. */
  readonly packageName?: string;
}

export const ours = { name: 'mcp', command: 'mcp', path: hosts.ours } as const;

export const peers = [
  { name: 'mcporter', command: 'mcporter', path: hosts.mcporter, packageName: 'mcporter' },
  { name: 'mcpc', command: 'mcpc', path: hosts.mcpc, packageName: '@apify/mcpc' },
  {
    name: 'Inspector',
    command: 'mcp-inspector',
    path: hosts.Inspector,
    packageName: '@modelcontextprotocol/inspector',
  },
] as const;

export const programs = [ours, ...peers] as const satisfies readonly Program[];

export type ProgramName = (typeof programs)[number]['name'];
