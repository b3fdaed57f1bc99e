import type { VendorName } from '@mcp/vendors';

/** How the tokens of a definition were counted: by a tokenizer, or as a quarter of its bytes. */
export type Counting = 'o200k_base' | 'bytes';

/** The countings in words, for a person. */
export const countingText: Readonly<Record<Counting, string>> = {
  o200k_base: 'counted with o200k_base, the tokenizer of OpenAI since GPT-4o',
  bytes: 'estimated: a quarter of the bytes',
};

/** The vendors that publish a tokenizer of their present models which is used here. */
export function hasTokenizer(vendor: VendorName): boolean {
  return vendor === 'openai' || vendor === 'openai-responses';
}
