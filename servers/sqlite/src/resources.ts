import { insights } from './resources/insights.ts';
import { row } from './resources/row.ts';
import { rows } from './resources/rows.ts';
import { schema } from './resources/schema.ts';
import { table } from './resources/table.ts';

export const resources = [schema, table, rows, row, insights];
