/** A place of the sample data whose weather is made up from this description of its climate. */
export interface SamplePlace {
  readonly name: string;
  readonly admin1: string;
  readonly country: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timezone: string;
  readonly elevation: number;
  readonly population: number;
  /** The mean temperature of a day in November in °C; `swing` is the difference of day and night in °C. */
  readonly mean: number;
  readonly swing: number;
  /** The chance that a day is wet, from 0 to 1. */
  readonly wet: number;
  /** The temperature of the sea in °C, if the place is at a coast. */
  readonly sea?: number;
}

type Row = readonly [
  name: string,
  admin1: string,
  country: string,
  position: readonly [latitude: number, longitude: number, elevation: number],
  zone: string,
  population: number,
  climate: readonly [mean: number, swing: number, wet: number, sea?: number],
];

const rows: { readonly [countryCodeAndPlace: string]: Row } = {
  'AQ mcmurdo': [
    'McMurdo',
    'Ross Island',
    'Antarctica',
    [-77.85, 166.67, 10],
    'Antarctica/McMurdo',
    258,
    [-11, 5, 0.2],
  ],
  'AR buenos-aires': [
    'Buenos Aires',
    'Buenos Aires F.D.',
    'Argentina',
    [-34.61, -58.38, 31],
    'America/Argentina/Buenos_Aires',
    13_076_300,
    [20.5, 10, 0.3, 18],
  ],
  'AU sydney': [
    'Sydney',
    'New South Wales',
    'Australia',
    [-33.87, 151.21, 58],
    'Australia/Sydney',
    4_627_345,
    [20, 8, 0.4, 19.5],
  ],
  'BR sao-paulo': [
    'São Paulo',
    'São Paulo',
    'Brazil',
    [-23.55, -46.64, 769],
    'America/Sao_Paulo',
    12_400_232,
    [21, 9, 0.6],
  ],
  'CN beijing': [
    'Beijing',
    'Beijing',
    'China',
    [39.91, 116.4, 49],
    'Asia/Shanghai',
    18_960_744,
    [5, 10, 0.1],
  ],
  'DE munich': [
    'Munich',
    'Bavaria',
    'Germany',
    [48.14, 11.58, 524],
    'Europe/Berlin',
    1_260_391,
    [3.5, 7, 0.5],
  ],
  'EG cairo': [
    'Cairo',
    'Cairo Governorate',
    'Egypt',
    [30.06, 31.25, 23],
    'Africa/Cairo',
    9_606_916,
    [20, 10, 0.05],
  ],
  'FR paris': ['Paris', 'Île-de-France', 'France', [48.85, 2.35, 42], 'Europe/Paris', 2_138_551, [8, 6, 0.5]],
  'GB london': [
    'London',
    'England',
    'United Kingdom',
    [51.51, -0.13, 25],
    'Europe/London',
    8_961_989,
    [8.5, 6, 0.5],
  ],
  'IN mumbai': [
    'Mumbai',
    'Maharashtra',
    'India',
    [19.07, 72.88, 8],
    'Asia/Kolkata',
    12_691_836,
    [28, 11, 0.1, 29],
  ],
  'IS reykjavik': [
    'Reykjavík',
    'Capital Region',
    'Iceland',
    [64.14, -21.9, 37],
    'Atlantic/Reykjavik',
    118_918,
    [1.5, 4, 0.7, 6],
  ],
  'JP tokyo': ['Tokyo', 'Tokyo', 'Japan', [35.69, 139.69, 44], 'Asia/Tokyo', 8_336_599, [13, 9, 0.3, 19]],
  'KE nairobi': [
    'Nairobi',
    'Nairobi County',
    'Kenya',
    [-1.28, 36.82, 1_684],
    'Africa/Nairobi',
    2_750_547,
    [18.5, 11, 0.6],
  ],
  'MX mexico-city': [
    'Mexico City',
    'Mexico City',
    'Mexico',
    [19.43, -99.13, 2_240],
    'America/Mexico_City',
    12_294_193,
    [15, 13, 0.2],
  ],
  'NZ auckland': [
    'Auckland',
    'Auckland',
    'New Zealand',
    [-36.85, 174.76, 26],
    'Pacific/Auckland',
    417_910,
    [16.5, 7, 0.4, 16],
  ],
  'US new-york': [
    'New York',
    'New York',
    'United States',
    [40.71, -74.01, 10],
    'America/New_York',
    8_804_190,
    [8, 8, 0.4, 13],
  ],
  'ZA cape-town': [
    'Cape Town',
    'Western Cape',
    'South Africa',
    [-33.93, 18.42, 25],
    'Africa/Johannesburg',
    4_772_846,
    [18.5, 9, 0.2, 16],
  ],
};

/** The places of the sample whose weather is computed, keyed by their directory. */
export const samplePlaces: { readonly [place: string]: SamplePlace } = Object.fromEntries(
  Object.entries(rows).map(([key, row]) => {
    const [countryCode, place] = key.split(' ') as [string, string];
    const [name, admin1, country, [latitude, longitude, elevation], timezone, population, climate] = row;
    const [mean, swing, wet, sea] = climate;
    const at = { latitude, longitude, elevation, timezone };
    const described = { name, admin1, country, countryCode, population, ...at };
    return [place, { ...described, mean, swing, wet, ...(sea !== undefined && { sea }) }];
  }),
);
