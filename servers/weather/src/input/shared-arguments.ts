import { maxForecastDays, unitSystems } from '@mcp/weather-data';
import * as z from 'zod';

// Arguments that several tools have.

export const unitsInput = z.enum(unitSystems).optional();

/** How many days a forecast has. */
export const daysInput = z.int().min(1).max(maxForecastDays).optional();

/** Whether an answer is a text or structured content; defaults to text. */
export const formatInput = z.enum(['text', 'json']).optional();

export type AnswerFormat = z.infer<typeof formatInput>;
