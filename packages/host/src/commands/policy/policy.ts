import type { Command } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { policyFile, policyOf, policyOption } from './policy-of.ts';

export const policy: Command = {
  name: 'policy',
  usage: 'check [file] | schema',
  help: 'checks the rules of mcp serve for calls of tools; or prints the JSON Schema of such files',
  words: [['check', 'schema'], 'any'],
  options: [policyOption],
  async run(input) {
    const { positionals, options, output } = input;
    const [verb, file, ...others] = positionals;
    if (verb === 'schema' && file === undefined) {
      const { policySchema } = await import('../../policy/policy-schema.ts');
      output.text(JSON.stringify(policySchema, null, 2));
      return exitCodes.ok;
    }
    if (verb !== 'check' || others.length > 0)
      throw usageError(
        `Expected: ${printedCommand('policy', 'check')}, or ${printedCommand('policy', 'schema')}`,
      );
    const named = file === undefined ? input : { ...input, options: { ...options, policy: [file] } };
    const found = await policyOf(named);
    if (!found)
      throw usageError(`There is no policy; ${printedCommand('policy', 'check', '<file>')} checks one`);
    const { rules, sets, audit } = found;
    const unknown = unknownServers(found.rules, sets, input.servers.names);
    if (output.json) output.value({ file: found.file, rules: rules.length, sets, audit, unknown });
    else {
      const count = Object.keys(sets).length;
      output.text(
        `${policyFile(named)}: ${counted(rules.length, 'rule')}, ${counted(count, 'set')}: no faults`,
      );
      for (const name of unknown) output.warning(`"${name}" is no server of the configuration`);
    }
    return unknown.length > 0 ? exitCodes.warnings : exitCodes.ok;
  },
};

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The names of servers in a policy that the configuration does not have; patterns are not looked up. */
function unknownServers(
  rules: readonly { readonly server?: readonly string[] | undefined }[],
  sets: Readonly<Record<string, readonly string[]>>,
  known: readonly string[],
): readonly string[] {
  const named = [...rules.flatMap(({ server = [] }) => server), ...Object.values(sets).flat()];
  return [...new Set(named.filter((name) => !name.includes('*') && !known.includes(name)))];
}
