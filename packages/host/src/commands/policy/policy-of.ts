import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import { environmentOf } from '../../config/load-configuration.ts';
import { filesOfHost } from '../../config/write/hosts.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { usageError } from '../../errors.ts';
import type { AuditLog } from '../../policy/audit-log.ts';
import type { Policies } from '../../policy/caller-policy.ts';
import type { Policy } from '../../policy/policy.ts';

export const policyOption: OptionSpec = {
  name: 'policy',
  value: 'file',
  help: 'rules for the calls of tools; by default policy.json beside the configuration of mcp itself, if it is there',
};

/** The file with the policy of a command: that of its option, or the one of the user, if it is there. */
export function policyFile({ options }: Pick<CommandInput, 'options'>): string | undefined {
  const [own] = filesOfHost('mcp', 'user', environmentOf({}));
  const usual = own && join(dirname(own.path), 'policy.json');
  return valueOf(options, 'policy') ?? (usual !== undefined && existsSync(usual) ? usual : undefined);
}

/** The policy of a command; undefined if there is none. Rejects with a `HostError` for one with faults. */
export async function policyOf(input: CommandInput): Promise<Policy | undefined> {
  const file = policyFile(input);
  if (file === undefined) return undefined;
  const { readPolicy } = await import('../../policy/read-policy.ts');
  return readPolicy(file, input.signal);
}

/** The rules and the log of a policy, for a gateway. */
export async function openPolicy(
  policy: Policy | undefined,
  warn: (message: string) => void,
): Promise<{ readonly policies?: Policies; readonly audit?: AuditLog } & AsyncDisposable> {
  if (!policy) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const { Policies } = await import('../../policy/caller-policy.ts');
  const { AuditLog } = await import('../../policy/audit-log.ts');
  const audit = policy.audit && (await AuditLog.open(policy.audit, warn));
  return {
    ...(policy.rules.length > 0 && { policies: new Policies(policy) }),
    ...(audit && { audit }),
    [Symbol.asyncDispose]: async () => audit?.[Symbol.asyncDispose](),
  };
}

/** The servers of a group. Throws a `HostError` for a group that the policy does not have. */
export function serversOfSet(name: string, policy: Policy | undefined): readonly string[] {
  const sets = policy?.sets ?? {};
  if (Object.hasOwn(sets, name)) return sets[name]!;
  const names = Object.keys(sets);
  throw usageError(
    `There is no set "${name}"${didYouMean(name, names)}`,
    policy
      ? `"sets" of "${policy.file}" has ${names.length === 0 ? 'none' : names.join(', ')}`
      : '--policy names the file with the sets',
  );
}
