import { basename, dirname, resolve } from 'node:path';
import { messageOf, quoted } from '@mcp/kit';
import { duplicateKeys, faultLines, type Path, ValueReader } from '@mcp/kit/jsonc';
import { parseDocument } from '../config/formats/parse-document.ts';
import { usageError } from '../errors.ts';
import { readNamedFile } from '../read-file.ts';
import type { ArgumentRule, AuditSettings, Policy, PolicyRule } from './policy.ts';
import { isAllowed } from './shown-schema.ts';
import { policySchema } from './policy-schema.ts';

const { properties, $defs } = policySchema;
const { rate, maxArgumentBytes, maxResultBytes } = $defs.rule.properties;

/** Reads a policy, JSON with comments. Rejects with a `HostError` that has a line for each fault. */
export async function readPolicy(path: string, signal?: AbortSignal): Promise<Policy> {
  const file = resolve(path);
  const text = await readNamedFile(path, signal).catch((error: unknown) => {
    throw usageError(`Cannot read the policy "${path}": ${messageOf(error)}`, undefined, error);
  });
  const document = parseDocument(path, text.toString('utf8'), 'json');
  const reader = new ValueReader();
  for (const { path: twice, later } of duplicateKeys(text.toString('utf8')))
    reader.fault(twice, `Named again in line ${later}: delete one of them`);
  const policy = policyOf(document.root, file, reader);
  if (policy && reader.faults.length === 0) return policy;
  throw usageError(
    `Invalid policy:\n${faultLines(basename(file), document, reader.faults)}`,
    'mcp policy schema prints the JSON Schema of policies',
  );
}

function policyOf(root: unknown, file: string, reader: ValueReader): Policy | undefined {
  const known = reader.object(root, [], Object.keys(properties));
  if (!known) return undefined;
  const rules = known['rules'] === undefined ? [] : reader.list(known['rules'], ['rules']);
  const sets = reader.entries(known['sets'], ['sets']).map(([name, names]) => {
    const servers = reader.texts(names, ['sets', name]);
    if (servers.length === 0) reader.fault(['sets', name], 'Expected names of servers');
    return [name, servers] as const;
  });
  return {
    file,
    rules: rules.flatMap((each, index) => ruleOf(each, ['rules', index], reader) ?? []),
    sets: Object.fromEntries(sets),
    audit: auditOf(known['audit'], file, reader),
  };
}

function auditOf(value: unknown, policy: string, reader: ValueReader): AuditSettings | undefined {
  if (value === undefined) return undefined;
  const known = reader.object(value, ['audit'], Object.keys(properties.audit.properties));
  const file = known && reader.text(known['file'], ['audit', 'file']);
  const values = known && reader.flag(known['values'], ['audit', 'values']);
  return file === undefined ? undefined : { file: resolve(dirname(policy), file), values: values ?? false };
}

function ruleOf(value: unknown, path: Path, reader: ValueReader): PolicyRule | undefined {
  const known = reader.object(value, path, Object.keys($defs.rule.properties));
  if (!known) return undefined;
  const at = (key: string): Path => [...path, key];
  const patterns = (key: string) => patternsOf(known[key], at(key), reader);
  const textAt = (key: string) => (known[key] === undefined ? undefined : reader.text(known[key], at(key)));
  const rule = {
    server: patterns('server'),
    tool: patterns('tool'),
    client: patterns('client'),
    principal: patterns('principal'),
    hide: reader.flag(known['hide'], at('hide')),
    rename: textAt('rename'),
    title: textAt('title'),
    describe: textAt('describe'),
    confirm:
      typeof known['confirm'] === 'string' ? textAt('confirm') : reader.flag(known['confirm'], at('confirm')),
    arguments: argumentsOf(known['arguments'], at('arguments'), reader),
    rate: rateOf(known['rate'], at('rate'), reader),
    maxArgumentBytes: limit(known['maxArgumentBytes'], at('maxArgumentBytes'), maxArgumentBytes, reader),
    maxResultBytes: limit(known['maxResultBytes'], at('maxResultBytes'), maxResultBytes, reader),
  };
  const { pattern } = $defs.rule.properties.rename;
  if (rule.rename !== undefined && !new RegExp(pattern).test(rule.rename))
    reader.fault(at('rename'), 'Expected letters, digits, "_" and "-", not beginning with a digit or "-"');
  if (rule.rename !== undefined && (rule.tool?.length !== 1 || rule.tool[0]?.includes('*')))
    reader.fault(at('rename'), 'A rule that renames needs one "tool" without *');
  return rule;
}

function patternsOf(value: unknown, path: Path, reader: ValueReader): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return [reader.text(value, path) ?? ''];
  if (value.length === 0) reader.fault(path, 'Expected a name; an empty list matches nothing');
  return reader.texts(value, path);
}

function argumentsOf(
  value: unknown,
  path: Path,
  reader: ValueReader,
): Readonly<Record<string, ArgumentRule>> {
  const rules = reader.entries(value, path).flatMap(([name, each]) => {
    const rule = argumentOf(each, [...path, name], reader);
    return rule ? [[name, rule] as const] : [];
  });
  for (const [name, { rename }] of rules) {
    const other = rules.find(([each, rule]) => each !== name && rule.rename === rename);
    if (rename !== undefined && other)
      reader.fault([...path, name, 'rename'], `${quoted(other[0])} has this name, too`);
  }
  return Object.fromEntries(rules);
}

function argumentOf(value: unknown, path: Path, reader: ValueReader): ArgumentRule | undefined {
  const known = reader.object(value, path, Object.keys($defs.argument.properties));
  if (!known) return undefined;
  const textAt = (key: string) =>
    known[key] === undefined ? undefined : reader.text(known[key], [...path, key]);
  const given = (key: string) => (Object.hasOwn(known, key) ? { json: known[key] } : undefined);
  const allow = known['allow'] === undefined ? undefined : reader.list(known['allow'], [...path, 'allow']);
  if (allow?.length === 0) reader.fault([...path, 'allow'], 'Expected the values that are allowed');
  const fixed = given('value');
  const others = ['default', 'allow', 'rename', 'describe'].filter((key) => known[key] !== undefined);
  if (fixed && others.length > 0)
    reader.fault([...path, others[0]!], 'An argument with a fixed "value" has no other keys');
  const usual = given('default');
  if (usual && allow && !isAllowed(usual.json, allow))
    reader.fault([...path, 'default'], 'Expected one of the values of "allow"');
  return {
    value: fixed,
    default: usual,
    allow,
    rename: textAt('rename'),
    describe: textAt('describe'),
  };
}

function rateOf(value: unknown, path: Path, reader: ValueReader): PolicyRule['rate'] {
  if (value === undefined) return undefined;
  const known = reader.object(value, path, Object.keys(rate.properties));
  if (!known) return undefined;
  for (const key of rate.required)
    if (known[key] === undefined) reader.fault([...path, key], 'Missing: expected a whole number');
  const calls = limit(known['calls'], [...path, 'calls'], rate.properties.calls, reader);
  const seconds = limit(known['seconds'], [...path, 'seconds'], rate.properties.seconds, reader);
  return calls === undefined || seconds === undefined ? undefined : { calls, seconds };
}

function limit(
  value: unknown,
  path: Path,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  reader: ValueReader,
): number | undefined {
  return reader.integer(value, path, minimum, maximum);
}
