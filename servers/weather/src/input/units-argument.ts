import * as z from 'zod';
import { unitSystems } from '../backend/model/units.ts';

export const unitsInput = z.enum(unitSystems).optional();
