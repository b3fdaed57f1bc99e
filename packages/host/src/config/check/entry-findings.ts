import type { Entry } from '../entry/entry-values.ts';
import type { InputSpec } from '../entry/inputs.ts';
import { isCommandType } from '../entry/read-entry.ts';
import type { ExpandedVariable } from '../entry/server-entry.ts';
import type { Format } from '../formats/formats.ts';
import { misspeltKeys } from './misspelt-keys.ts';

/** A finding at a key of an entry, such as `env.TOKEN`. */
export interface KeyFinding {
  readonly level: 'fault' | 'warning';
  readonly key: string;
  readonly message: string;
}

/** The findings in the keys of an entry, which its host reads without an error. */
export function entryFindings(written: Entry, format: Format): readonly KeyFinding[] {
  const misspelt = misspeltKeys(written, format).map(({ key, meant }): KeyFinding => {
    return { level: 'warning', key, message: `"${key}" is not read; did you mean "${meant}"?` };
  });
  return [...misspelt, ...typeFindings(written), ...inheritedFindings(written)];
}

function typeFindings({ type, command }: Entry): readonly KeyFinding[] {
  if (typeof type !== 'string' || command === undefined || isCommandType(type)) return [];
  const message = `"type" must be stdio for an entry with a "command"; got ${JSON.stringify(type.slice(0, 60))}`;
  return [{ level: 'fault', key: 'type', message }];
}

function inheritedFindings({ env_vars: names }: Entry): readonly KeyFinding[] {
  const unset = (Array.isArray(names) ? names : []).filter(
    (each): each is string => typeof each === 'string' && process.env[each] === undefined,
  );
  return unset.map((name) => {
    return { level: 'warning', key: 'env_vars', message: `The variable ${name} in "env_vars" is not set` };
  });
}

/** The variables that have no value for their host, which reads them without an error. */
export function variableFindings(
  variables: readonly ExpandedVariable[],
  format: Format,
  inputs: ReadonlyMap<string, InputSpec>,
): readonly KeyFinding[] {
  return variables.flatMap(({ text, key, source, value }): KeyFinding[] => {
    const [, input] = /^\$\{input:(.*)\}$/s.exec(text) ?? [];
    if (input !== undefined && !format.hasInputs)
      return [
        { level: 'fault', key, message: `${format.title} has no inputs: ${text} in "${key}" stays as it is` },
      ];
    if (input !== undefined && !inputs.has(input))
      return [{ level: 'fault', key, message: `"inputs" does not declare the input "${input}" in "${key}"` }];
    if (value !== '' || (source !== 'environment' && source !== 'file')) return [];
    return [{ level: 'warning', key, message: `The variable ${text} in "${key}" has no value` }];
  });
}
