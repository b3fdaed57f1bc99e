import { anthropic } from './formats/anthropic.ts';
import { gemini } from './formats/gemini.ts';
import { openAiResponses } from './formats/openai-responses.ts';
import { openAi } from './formats/openai.ts';
import type { Vendor } from './vendor.ts';

/** The vendors, by name. */
export const vendors = {
  openai: openAi,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
} as const satisfies Record<string, Vendor>;

/** The name of a vendor whose function calling is supported. */
export type VendorName = keyof typeof vendors;

/** The names of the vendors, in the order of `vendors`. */
export const vendorNames = Object.keys(vendors) as VendorName[];
