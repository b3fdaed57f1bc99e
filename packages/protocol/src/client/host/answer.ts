import { isObject } from '@mcp/kit';
import type { ElicitForm, ElicitResponse, ElicitUrl, SamplingParams } from '../../define/input/input.ts';
import { invalidParams, methodNotFound, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { HostHandlers, HostCall } from './host-handlers.ts';
import { wrongToolResults } from '../../revisions/tool-results.ts';
import { isForm, isSamplingParams, isUrlRequest, wrongSamplingParams } from './request-shapes.ts';

/** Answers a request of the server, which came as a message or as part of a result. */
export async function answer(
  host: HostHandlers,
  method: string,
  params: JsonObject | undefined,
  call: HostCall,
): Promise<JsonObject> {
  if (host.answer) return host.answer(method, params, call);
  if (method === 'elicitation/create' && host.elicit) {
    const request = elicitation(host, params ?? {});
    const response = await host.elicit(request, call);
    return 'requestedSchema' in request ? fillDefaults(request.requestedSchema, response) : response;
  }
  if (method === 'sampling/createMessage' && host.sample) {
    return host.sample(samplingParams(host, params ?? {}), call);
  }
  if (method === 'roots/list' && host.roots) {
    const roots = await host.roots(call);
    const foreign = roots.find(({ uri }) => !uri.startsWith('file:///'));
    if (foreign) throw new Error(`Invalid root "${foreign.uri}"; expected a file: URI`);
    return { roots };
  }
  throw new RpcError(methodNotFound, `This client does not support "${method}"`);
}

/** Adds the form's defaults to an accepted answer, for the fields that the answer omits. */
function fillDefaults(form: JsonObject, response: ElicitResponse): ElicitResponse {
  const { properties } = form;
  if (response.action !== 'accept' || !isObject(properties)) return response;
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [],
  );
  return { ...response, content: { ...Object.fromEntries(defaults), ...response.content } };
}

function elicitation({ elicitsUrls }: HostHandlers, params: JsonObject): ElicitForm | ElicitUrl {
  const mode = params['mode'] ?? 'form';
  if (mode === 'url' && elicitsUrls) {
    if (isUrlRequest(params)) return params;
    throw new RpcError(invalidParams, '"message" must be a string and "url" an http: or https: URL');
  }
  if (mode !== 'form')
    throw new RpcError(
      invalidParams,
      `This client does not support the elicitation mode ${JSON.stringify(mode)}`,
    );
  if (isForm(params)) return params;
  throw new RpcError(invalidParams, '"message" must be a string and "requestedSchema" an object schema');
}

function samplingParams({ samplesTools }: HostHandlers, params: JsonObject): SamplingParams {
  if (!samplesTools && (params['tools'] !== undefined || params['toolChoice'] !== undefined)) {
    throw new RpcError(invalidParams, 'This client does not declare "sampling.tools"');
  }
  if (!isSamplingParams(params)) {
    throw new RpcError(invalidParams, wrongSamplingParams(params) ?? 'Invalid params');
  }
  const wrong = wrongToolResults(params.messages);
  if (wrong !== undefined) throw new RpcError(invalidParams, wrong);
  return params;
}
