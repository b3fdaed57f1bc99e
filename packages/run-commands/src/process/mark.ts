import { randomUUID } from 'node:crypto';

/** The environment variable by which processes of a run are found after they have left its process group. */
const variable = 'MCP_RUN_MARK';
const own = randomUUID();
let runs = 0;

/** The beginning of the marks of all runs that this process starts. */
export const ownMark = `${variable}=${own}`;

/** Returns the variable that marks the next run. */
export function nextMark(): { readonly name: string; readonly value: string } {
  runs++;
  return { name: variable, value: `${own}.${runs}` };
}
