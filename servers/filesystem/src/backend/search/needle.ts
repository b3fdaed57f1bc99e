/** Bytes to be found. */
export interface Needle {
  readonly bytes: Buffer;
  /** Where in them the one is that texts have least of: what does not have that one need not be searched. */
  readonly rarest: number;
}

/** What code and prose are made of, the most frequent first. Bytes that are not here are rarer than these. */
const frequent =
  ' etsniroacld"_pu,mfh.g:)(S/-ybET0\'*vkIACNORx=Lw1`P#\t2{};DM[]F5UB3j9>4GX86\\qHV7<|zK@WYQ+&$?!J%Z^~';

export function needleOf(text: string): Needle {
  const bytes = Buffer.from(text);
  let rarest = 0;
  for (let at = 1; at < bytes.length; at++) if (rarity(bytes[at]!) > rarity(bytes[rarest]!)) rarest = at;
  return { bytes, rarest };
}

function rarity(byte: number): number {
  const place = frequent.indexOf(String.fromCharCode(byte));
  return place < 0 ? frequent.length : place;
}
