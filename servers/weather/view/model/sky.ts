/** What the sky shows: one picture each. */
export type Sky = 'clear' | 'partly' | 'cloudy' | 'fog' | 'rain' | 'sleet' | 'snow' | 'thunder' | 'unknown';

/** WMO code table 4677: each row has the first code of those with its sky. */
const byCode: readonly (readonly [from: number, sky: Sky])[] = [
  [0, 'clear'],
  [1, 'partly'],
  [3, 'cloudy'],
  [4, 'fog'],
  [13, 'cloudy'],
  [17, 'thunder'],
  [18, 'cloudy'],
  [20, 'rain'],
  [22, 'snow'],
  [23, 'sleet'],
  [25, 'rain'],
  [26, 'snow'],
  [27, 'sleet'],
  [28, 'fog'],
  [29, 'thunder'],
  [30, 'fog'],
  [36, 'snow'],
  [40, 'fog'],
  [50, 'rain'],
  [56, 'sleet'],
  [58, 'rain'],
  [66, 'sleet'],
  [70, 'snow'],
  [80, 'rain'],
  [83, 'sleet'],
  [85, 'snow'],
  [87, 'sleet'],
  [91, 'thunder'],
];

/** For sources without codes. The first row that matches decides. */
const byWords: readonly (readonly [words: RegExp, sky: Sky])[] = [
  [/thunder|t-?storm/i, 'thunder'],
  [/sleet|freezing|\bice\b|hail|mix/i, 'sleet'],
  [/snow|flurr|blizzard/i, 'snow'],
  [/rain|shower|drizzle/i, 'rain'],
  [/fog|haze|mist|smoke|dust/i, 'fog'],
  [/partly|mostly (?:clear|sunny)|mainly/i, 'partly'],
  [/cloud|overcast/i, 'cloudy'],
  [/clear|sunny|fair/i, 'clear'],
];

/** The sky of a weather code or, without one, of the words for the weather. */
export function skyOf(code: number | null, words: string): Sky {
  if (code !== null && code >= 0 && code < 100) return byCode.findLast(([from]) => from <= code)![1];
  // The words of a day may have a second part about its night.
  const [day = ''] = words.split(';');
  return byWords.find(([pattern]) => pattern.test(day))?.[1] ?? 'unknown';
}
