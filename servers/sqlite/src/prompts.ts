import { dataQuality } from './prompts/data-quality.ts';
import { exploreDatabase } from './prompts/explore-database.ts';
import { mcpDemo } from './prompts/mcp-demo.ts';
import { optimizeQuery } from './prompts/optimize-query.ts';
import { writeQuery } from './prompts/write-query.ts';

export const prompts = [mcpDemo, exploreDatabase, writeQuery, dataQuality, optimizeQuery];
