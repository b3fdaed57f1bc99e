import * as z from 'zod';
import { maxForecastDays } from '@mcp/weather-data';

/** How many days a forecast has. */
export const daysInput = z.int().min(1).max(maxForecastDays).optional();
