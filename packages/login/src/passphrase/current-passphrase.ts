import type { StateFile } from '../store/state-file.ts';
import type { State } from '../store/state.ts';
import { hashPassphrase, isPassphrase, type PassphraseHash } from './passphrase.ts';

/**
 * Makes the passphrase that of the file, and returns its hash there. If the file had another one, all access
 * ends, and processes that were started with that one no longer let clients in.
 */
export async function setPassphrase(file: StateFile, passphrase: string): Promise<PassphraseHash> {
  for (;;) {
    const { passphrase: known } = await file.read();
    if (known && (await isPassphrase(passphrase, known))) return known;
    const made = await hashPassphrase(passphrase);
    const isSet = await file.change((state) => {
      // Another process that starts now may have set the same passphrase, with another salt.
      if (state.passphrase?.hash !== known?.hash) return false;
      state.passphrase = made;
      state.grants = [];
      return true;
    });
    if (isSet) return made;
  }
}

/** Whether the passphrase is that of the file. A file that was deleted has none, and takes any. */
export function isCurrent({ passphrase }: State, own: PassphraseHash): boolean {
  return passphrase === undefined || passphrase.hash === own.hash;
}
