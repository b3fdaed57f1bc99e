import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf, oneLine } from '@mcp/kit';
import { findProgram } from '../process/find-program.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Sandbox } from './sandbox.ts';
import { unshare } from './unshare.ts';

/** A sandbox that works on this system, or the reason why none does. */
export type FoundSandbox = { readonly sandbox: Sandbox } | { readonly missing: string };

const trialTimeoutMs = 10_000;
const candidates = [
  ['bwrap', bubblewrap],
  ['unshare', unshare],
] as const;

/**
 * Tries the sandboxes of this system, the strongest first, with a program that does nothing.
 * @param search where their programs are searched for, as in PATH; the agent cannot write there
 */
export async function findSandbox(search: string): Promise<FoundSandbox> {
  if (process.platform !== 'linux') return { missing: `there is no sandbox for ${process.platform}` };
  const reasons: string[] = [];
  for (const [name, make] of candidates) {
    try {
      const sandbox = make(findProgram(name, '/', search), search);
      const [program, ...args] = sandbox.wrap(['/bin/sh', '-c', ':'], {
        writable: [],
        network: false,
        cwd: '/',
      });
      await promisify(execFile)(program!, args, { timeout: trialTimeoutMs });
      return { sandbox };
    } catch (error) {
      const reason = messageOf(error);
      reasons.push(
        reason.startsWith('No such program') ? `${name} is not installed` : `${name}: ${shortReason(error)}`,
      );
    }
  }
  return { missing: reasons.join('; ') };
}

function shortReason(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return oneLine(text === '' ? messageOf(error) : text, 200);
}
