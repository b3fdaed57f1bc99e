import { ResourceNotFound, ToolError } from '@mcp/protocol';
import { mapErrors } from '@mcp/protocol/wrap';
import { WeatherError } from '@mcp/weather-data';

/**
 * Turns an expected error of a tool into a tool error, with its kind and facts as structured content (as
 * text, if the tool has an output schema: see `factsOf`), and the error that a URI names nothing into
 * `ResourceNotFound`.
 */
export const protocolErrors = mapErrors((error, { method, name }) => {
  if (!(error instanceof WeatherError)) return error;
  const { message, kind, facts } = error;
  if (method === 'tools/call')
    return new ToolError(message, { structuredContent: { error: kind, ...facts }, cause: error });
  return method === 'resources/read' ? resourceError(name, error) : error;
});

/** `ResourceNotFound` if the error means that the URI names nothing; otherwise the error itself. */
export function resourceError(uri: string, error: unknown): unknown {
  if (!(error instanceof WeatherError) || !notFoundKinds.has(error.kind)) return error;
  return new ResourceNotFound(uri, error.message, { cause: error });
}

const notFoundKinds = new Set([
  'invalid_argument',
  'place_not_found',
  'ambiguous_place',
  'not_supported',
  'no_data',
]);
