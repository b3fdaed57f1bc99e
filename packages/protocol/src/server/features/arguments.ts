import type { JsonObject } from '../../jsonrpc/message.ts';
import { argumentErrors } from '../../schema/argument-errors.ts';
import type { Properties } from '../../schema/argument-schema.ts';
import { repairArguments } from '../../schema/repair-arguments.ts';
import type { Issue, Schema } from '../../schema/schema.ts';

/** A tool or a prompt: an item with arguments. */
export interface Parameters {
  readonly name: string;
  readonly input: Schema;
  readonly inputJson: JsonObject;
  readonly properties: Properties | undefined;
}

/** Whether `args` has a name that is not accepted. */
export function hasUnknown({ properties }: Parameters, args: JsonObject): boolean {
  if (!properties) return false;
  for (const name in args) if (!properties.has(name)) return true;
  return false;
}

/** The validated arguments after a failed validation, where a repair helps; otherwise the problems. */
export async function validateRepaired(
  parameters: Parameters,
  args: JsonObject,
  issues: readonly Issue[],
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const { name, input, inputJson, properties } = parameters;
  const repaired = repairArguments(inputJson, args);
  const checked = repaired ? await input['~standard'].validate(repaired) : { issues };
  if (!checked.issues && !hasUnknown(parameters, args)) return { value: checked.value };
  const problems = argumentErrors(inputJson, properties, repaired ?? args, checked.issues ?? []);
  return { problem: `Invalid arguments for ${name}: ${problems}` };
}
