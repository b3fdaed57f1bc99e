import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openAiResponses } from './openai-responses.ts';
import { openAi } from './openai.ts';
import type { Vendor } from './vendor.ts';

/** The vendors by the name that `--format` and `--from` take. */
export const vendors = {
  openai: openAi,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
} as const satisfies Record<string, Vendor>;

/** The vendors whose function calling is supported. */
export type VendorName = keyof typeof vendors;

export const vendorNames = Object.keys(vendors) as VendorName[];
