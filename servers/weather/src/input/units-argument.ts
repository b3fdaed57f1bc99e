import * as z from 'zod';
import { unitSystems } from '@mcp/weather-data';

export const unitsInput = z.enum(unitSystems).optional();
