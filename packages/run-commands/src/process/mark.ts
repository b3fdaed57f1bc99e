import { randomUUID } from 'node:crypto';

/** The variable by which processes are found that left their process group. */
const variable = 'MCP_RUN_MARK';
const own = randomUUID();
let runs = 0;

/** The beginning of the marks of all runs of this process. */
export const ownMark = `${variable}=${own}`;

/** The variable of the next run. */
export function nextMark(): { readonly name: string; readonly value: string } {
  runs++;
  return { name: variable, value: `${own}.${runs}` };
}
