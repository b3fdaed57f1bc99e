import { anthropic } from './formats/anthropic.ts';
import { gemini } from './formats/gemini.ts';
import { openAiResponses } from './formats/openai-responses.ts';
import { openAi } from './formats/openai.ts';
import type { VendorName } from './vendor-names.ts';
import type { Vendor } from './vendor.ts';

/** The vendors, by name. */
export const vendors = {
  openai: openAi,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
} as const satisfies Record<VendorName, Vendor>;
