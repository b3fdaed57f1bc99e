/** The names of the vendors whose function calling is supported. */
export const vendorNames = ['openai', 'openai-responses', 'anthropic', 'gemini'] as const;

/** The name of a vendor whose function calling is supported. */
export type VendorName = (typeof vendorNames)[number];
