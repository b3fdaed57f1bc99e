import { isObject } from '@mcp/kit';
import type { ElicitResponse } from '../../define/input.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';

/** Adds the form's defaults to an accepted answer, for the fields that it omits. */
export function fillDefaults(form: JsonObject, response: ElicitResponse): ElicitResponse {
  const { properties } = form;
  if (response.action !== 'accept' || !isObject(properties)) return response;
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [],
  );
  return { ...response, content: { ...Object.fromEntries(defaults), ...response.content } };
}
