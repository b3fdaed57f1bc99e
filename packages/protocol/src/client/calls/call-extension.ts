import { type Extension, type ExtensionMethod, extensionSettings } from '../../define/extension.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { type In, issuesText, type Out } from '../../schema/schema.ts';
import type { CallOptions } from '../call-options.ts';
import type { Requester } from '../requester.ts';
import { InvalidResult } from '../results/check-result.ts';

type Methods = { readonly [method: string]: ExtensionMethod };

/** Sends a request of an extension that the server declares, and returns its checked result. */
export async function callExtension<M extends Methods, Name extends string & keyof M>(
  requester: Requester,
  { extension, method, params }: { extension: Extension<M>; method: Name; params: In<M[Name]['params']> },
  options: CallOptions,
): Promise<Out<M[Name]['result']>> {
  if (!extensionSettings(requester.agreement.capabilities, extension)) {
    const error = new Error(
      `The server does not declare the extension "${extension.id}", which has this method`,
    );
    return requester.fail('call', method, error);
  }
  const schema = extension.methods[method]!.result['~standard'];
  return requester.complete({ method, params: params as JsonObject, options }, async (given) => {
    const { resultType: _type, ...result } = given;
    const checked = await schema.validate(result);
    if (!checked.issues) return checked.value as Out<M[Name]['result']>;
    // A strict schema may refuse `_meta`, which every result may have.
    const { _meta, ...bare } = result;
    const again = await schema.validate(bare);
    if (again.issues) throw new InvalidResult(method, issuesText(checked.issues));
    return again.value as Out<M[Name]['result']>;
  });
}
