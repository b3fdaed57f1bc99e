import { type Call, defineResource } from '@mcp/protocol';
import { coordinatesText, type FetchOptions, type WeatherService } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

export const places = defineResource({
  uri: 'weather://places',
  name: 'places',
  title: 'Saved places',
  description: 'The saved places, with their coordinates.',
  mimeType: 'application/json',
  read: (_, { context: { weather } }: Call<WeatherContext>) => JSON.stringify(placesFacts(weather), null, 2),
  watch: (_, changed, { context: { weather } }: Call<WeatherContext>) => {
    const read = ({ onDependency }: FetchOptions) => {
      onDependency?.(weather.saved.file);
      return Promise.resolve(JSON.stringify(placesFacts(weather)['places']));
    };
    return weather.changes.watchFiles(read, changed);
  },
});

function placesFacts({ saved }: WeatherService): { [name: string]: unknown } {
  const { all, problem } = saved;
  return {
    places: all.map(({ saved: name, ...place }) => ({
      saved: name,
      place: coordinatesText(place),
      ...place,
    })),
    ...(problem !== undefined && { problem }),
  };
}
