import { type Call, ResourceNotFound, type Tool, ToolError } from '@mcp/protocol';
import { WeatherError } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

/**
 * The same tools, with a difference: an expected error is returned as a tool error, with its kind and facts
 * as structured content.
 */
export function withToolErrors(tools: readonly Tool<WeatherContext>[]): Tool<WeatherContext>[] {
  return tools.map((tool) => ({
    ...tool,
    async run(args: unknown, call: Call<WeatherContext>) {
      try {
        return await tool.run(args, call);
      } catch (error) {
        if (!(error instanceof WeatherError)) throw error;
        const { message, kind, facts } = error;
        throw new ToolError(message, { structuredContent: { error: kind, ...facts }, cause: error });
      }
    },
  }));
}

/** Runs `work`. Throws `ResourceNotFound` if the error means that the URI names nothing. */
export async function withResourceErrors<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WeatherError) || !notFoundKinds.has(error.kind)) throw error;
    throw new ResourceNotFound(uri, error.message, { cause: error });
  }
}

const notFoundKinds = new Set([
  'invalid_argument',
  'place_not_found',
  'ambiguous_place',
  'not_supported',
  'no_data',
]);
