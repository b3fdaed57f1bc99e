import { type JsonObject } from '../../jsonrpc/message.ts';
import { type MirroredArgument, valueAt } from '../../schema/mirrored-headers.ts';

/**
 * The arguments of a call that must also be sent as HTTP headers, by the names of the headers. The values are
 * not encoded yet. Returns undefined if there are no such arguments.
 */
export function mirroredValues(
  mirrored: readonly MirroredArgument[],
  args: JsonObject,
): { [header: string]: string } | undefined {
  if (mirrored.length === 0) return undefined;
  const values: { [header: string]: string } = {};
  for (const { header, path } of mirrored) {
    const value = valueAt(args, path);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) {
      values[header] = String(value);
    }
  }
  return values;
}
