import type { JsonObject } from '../../jsonrpc/message.ts';
import { argumentErrors } from '../../schema/argument-errors.ts';
import type { Properties } from '../../schema/argument-schema.ts';
import { repairArguments } from '../../schema/repair-arguments.ts';
import type { Schema } from '../../schema/schema.ts';

/** The members that tools and prompts have in common: a name, and a schema of arguments. */
export interface Parameters {
  readonly name: string;
  readonly input: Schema;
  readonly inputJson: JsonObject;
  readonly properties: Properties | undefined;
}

/** Whether `args` has an argument whose name the schema does not accept. */
export function hasUnknown({ properties }: Parameters, args: JsonObject): boolean {
  if (!properties) return false;
  for (const name in args) if (!properties.has(name)) return true;
  return false;
}

/**
 * Repairs arguments that the schema has refused, and validates them again. Returns the validated arguments
 * or, if they are still invalid, a text that describes the problems.
 */
export async function validateRepaired(
  parameters: Parameters,
  args: JsonObject,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const { name, input, inputJson, properties } = parameters;
  const repaired = repairArguments(inputJson, args);
  const checked = await input['~standard'].validate(repaired ?? args);
  if (!checked.issues && !hasUnknown(parameters, args)) return { value: checked.value };
  const problems = argumentErrors(inputJson, properties, repaired ?? args, checked.issues ?? []);
  return { problem: `Invalid arguments for ${name}: ${problems}` };
}
