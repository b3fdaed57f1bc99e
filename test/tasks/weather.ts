import { mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import { serverProgram } from '../server-program.ts';
import { peerFile } from './peer-program.ts';
import type { Session } from './session.ts';
import type { Task, TaskSet } from './task.ts';
import { dateOf, midnight, places, startUpstream, valueOf } from './weather-upstream.ts';

const peer = 'open-meteo-mcp-server';

let upstream = '';

/** Every task needs the local upstream only. */
async function world(directory: string): Promise<void> {
  mkdirSync(directory);
  upstream = await startUpstream();
}

type PlaceName = keyof typeof places;

/** The coordinates of a place, as the peer needs them: looked up by a call. */
async function locate(session: Session, name: PlaceName): Promise<{ latitude: number; longitude: number }> {
  await session.call('geocoding', { name, count: 1 });
  const { latitude, longitude } = places[name];
  return { latitude, longitude };
}

/** The temperature at an hour of tomorrow, as the upstream has it. */
function temperatureAt(name: PlaceName, hour: number): number {
  return valueOf('temperature_2m', midnight(1) + hour * 3_600, places[name].latitude);
}

const cities = ['Reykjavik', 'Accra', 'Dakar'] as const;
const lastYear = new Date().getUTCFullYear() - 1;
const july = { start: `${lastYear}-07-01`, end: `${lastYear}-07-31` };

const ahead: readonly Task[] = [
  {
    id: 'W01',
    instruction: 'How warm will it be tomorrow at 8 in the morning in Reykjavik, Accra and Dakar?',
    world,
    ours: (session) =>
      session.call('forecast', { place: cities, hours: `${dateOf(1)}T08`, measures: ['temperature'] }),
    peers: {
      async [peer](session) {
        const answers: string[] = [];
        for (const city of cities) {
          const at = await locate(session, city);
          answers.push(
            await session.call('weather_forecast', {
              ...at,
              hourly: ['temperature_2m'],
              start_date: dateOf(1),
              end_date: dateOf(1),
            }),
          );
        }
        return answers.join('\n');
      },
    },
    verify(_, answer) {
      for (const city of cities) expect(answer).toContain(String(temperatureAt(city, 8)));
    },
  },
  {
    id: 'W02',
    instruction: 'Will it rain in Accra tomorrow, and how warm will it get?',
    world,
    ours: (session) => session.call('forecast', { place: 'Accra', days: 2 }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Accra');
        return session.call('weather_forecast', {
          ...at,
          daily: [
            'temperature_2m_max',
            'temperature_2m_min',
            'precipitation_sum',
            'precipitation_probability_max',
          ],
          forecast_days: 2,
          timezone: 'auto',
        });
      },
    },
    verify(_, answer) {
      const { latitude } = places.Accra;
      expect(answer).toContain(String(valueOf('temperature_2m_max', midnight(1), latitude)));
      expect(answer).toContain(String(valueOf('precipitation_sum', midnight(1), latitude)));
    },
  },
  {
    id: 'W03',
    instruction: 'Give me temperature and wind in Accra for each hour of the next seven days, for a table',
    world,
    ours: (session) => session.call('forecast', { place: 'Accra', measures: ['temperature', 'windSpeed'] }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Accra');
        return session.call('weather_forecast', {
          ...at,
          hourly: ['temperature_2m', 'wind_speed_10m'],
          forecast_days: 7,
          timezone: 'auto',
        });
      },
    },
    verify(_, answer) {
      const last = valueOf('temperature_2m', midnight(6) + 23 * 3_600, places.Accra.latitude);
      expect(answer).toContain(String(last));
      expect(answer).toContain(dateOf(6));
    },
  },
  {
    id: 'W04',
    instruction: 'How high are the waves off Dakar tomorrow at noon?',
    world,
    ours: (session) =>
      session.call('forecast', { place: 'Dakar', hours: `${dateOf(1)}T12`, measures: ['waveHeight'] }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Dakar');
        return session.call('marine_weather', {
          ...at,
          hourly: ['wave_height'],
          forecast_days: 2,
          timezone: 'auto',
        });
      },
    },
    verify(_, answer) {
      expect(answer).toContain(String(valueOf('wave_height', midnight(1) + 12 * 3_600, 0)));
    },
  },
  {
    id: 'W05',
    instruction: 'Draw me the weather of the next three days in Dakar',
    world,
    async ours(session) {
      const { content } = await session.result('forecast', { place: 'Dakar', days: 3, chart: 'light' });
      return content.map(({ type }) => type).join();
    },
    peers: { [peer]: 'it draws nothing' },
    verify(_, answer) {
      expect(answer).toBe('text,image');
    },
  },
];

const now: readonly Task[] = [
  {
    id: 'W06',
    instruction: 'What is the weather in Reykjavik now?',
    world,
    ours: (session) => session.call('current', { place: 'Reykjavik' }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Reykjavik');
        return session.call('weather_forecast', {
          ...at,
          current: [
            'temperature_2m',
            'apparent_temperature',
            'weather_code',
            'precipitation',
            'wind_speed_10m',
            'wind_gusts_10m',
          ],
          forecast_days: 1,
        });
      },
    },
    verify(_, answer) {
      // A quarter of an hour may have ended since.
      const instant = Math.floor(Date.now() / 900_000) * 900;
      const known = [instant, instant - 900].map((each) =>
        valueOf('temperature_2m', each, places.Reykjavik.latitude),
      );
      expect(known.some((value) => answer?.includes(String(value)))).toBe(true);
    },
  },
  {
    id: 'W07',
    instruction: 'Is the air in Accra good?',
    world,
    ours: (session) => session.call('air_quality', { place: 'Accra' }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Accra');
        return session.call('air_quality', {
          ...at,
          hourly: ['european_aqi', 'pm10', 'pm2_5', 'ozone'],
          forecast_days: 1,
        });
      },
    },
    verify(_, answer) {
      expect(answer).toContain('23');
    },
  },
];

const past: readonly Task[] = [
  {
    id: 'W08',
    instruction: 'How warm was yesterday in Dakar, and what is normal for the day?',
    world,
    ours: (session) =>
      session.call('history', { place: 'Dakar', start: dateOf(-1), end: dateOf(-1), normal: true }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Dakar');
        const daily = ['temperature_2m_max', 'temperature_2m_min'];
        const answers: string[] = [];
        for (const years of Array.from({ length: 31 }).keys()) {
          const date = yearsBefore(dateOf(-1), years);
          answers.push(
            await session.call('weather_archive', { ...at, daily, start_date: date, end_date: date }),
          );
        }
        return `${answers.join('\n')}\n${meanOfYears()}`;
      },
    },
    verify(_, answer) {
      expect(answer).toContain(String(valueOf('temperature_2m_max', midnight(-1), places.Dakar.latitude)));
      expect(answer).toContain(String(meanOfYears()));
    },
  },
  {
    id: 'W09',
    instruction: 'On how many days of last July was it over 33 degrees in Accra?',
    world,
    ours: (session) => session.call('history', { place: 'Accra', ...july, count: 'temperatureMax>33' }),
    peers: {
      async [peer](session) {
        const at = await locate(session, 'Accra');
        const text = await session.call('weather_archive', {
          ...at,
          daily: ['temperature_2m_max'],
          start_date: july.start,
          end_date: july.end,
        });
        const values = JSON.parse(/"temperature_2m_max"\s*:\s*(\[[^\]]*\])/.exec(text)![1]!) as number[];
        return String(values.filter((value) => value > 33).length);
      },
    },
    verify(_, answer) {
      const days = Array.from({ length: 31 }, (__, index) => midnight(july.start) + index * 86_400);
      const hot = days.filter((day) => valueOf('temperature_2m_max', day, places.Accra.latitude) > 33);
      expect(answer).toMatch(new RegExp(`\\b${hot.length}\\b`));
    },
  },
];

/** The same date some years before; 28 February for 29 February where the year has none. */
function yearsBefore(date: string, years: number): string {
  const year = Number(date.slice(0, 4)) - years;
  return year % 4 === 0 ? `${year}${date.slice(4)}` : `${year}${date.slice(4).replace('-02-29', '-02-28')}`;
}

/** The mean of yesterday's date in the 30 years before, rounded as in the answers. */
function meanOfYears(): number {
  const date = dateOf(-1);
  const values = Array.from({ length: 30 }, (_, index) => {
    return valueOf('temperature_2m_max', midnight(yearsBefore(date, index + 1)), places.Dakar.latitude);
  });
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1));
}

export const weather: TaskSet = {
  ours: {
    name: 'ours',
    start: (directory) => ({
      args: [serverProgram('weather'), '--data', directory, '--base-url', `open-meteo=${upstream}`],
    }),
  },
  peers: [
    {
      name: peer,
      start: () => ({
        args: [peerFile('open-meteo-mcp-server/dist/index.js')],
        env: {
          OPEN_METEO_API_URL: upstream,
          OPEN_METEO_AIR_QUALITY_API_URL: upstream,
          OPEN_METEO_MARINE_API_URL: upstream,
          OPEN_METEO_ARCHIVE_API_URL: upstream,
          OPEN_METEO_GEOCODING_API_URL: upstream,
        },
      }),
    },
  ],
  tasks: [...ahead, ...now, ...past],
};
