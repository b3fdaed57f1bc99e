import { type Extension, isAccepted } from '../../define/extension.ts';
import { RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';

/**
 * Throws an `RpcError` with the code -32021 if these capabilities of a client do not declare the extension.
 * `subject` is what requires it, such as `method "echo/say"`.
 */
export function requireExtension(
  clientCapabilities: JsonObject,
  extension: Pick<Extension, 'id' | 'accepts'>,
  subject: string,
): void {
  if (isAccepted(clientCapabilities, extension)) return;
  const { id } = extension;
  throw new RpcError(
    missingClientCapability,
    `The ${subject} requires that the client declares the extension "${id}"`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  );
}
