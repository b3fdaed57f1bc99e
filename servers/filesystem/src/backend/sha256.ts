/** SHA-256 in hexadecimal. The module is loaded when the first hash is wanted. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
