import {
  conditionMeasures,
  type DayCondition,
  type DayOperator,
  invalidArgument,
  quoted,
} from '@mcp/weather-data';

/** Parses a condition such as `temperatureMax>30`. Throws a `WeatherError`. */
export function parseDayCondition(text: string): DayCondition {
  const [, name, operator, value] = /^\s*(\w+)\s*(>=?|<=?)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const measure = conditionMeasures.find((each) => each.toLowerCase() === name?.toLowerCase());
  if (measure && operator !== undefined) {
    return { measure, operator: operator as DayOperator, value: Number(value) };
  }
  throw invalidArgument(
    'count',
    `Invalid count: ${quoted(text)}; expected one of ${conditionMeasures.join(', ')} with >, >=, < or <= and a number`,
  );
}
