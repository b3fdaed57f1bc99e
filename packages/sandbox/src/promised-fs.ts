import * as fs from 'node:fs';
import { promisify } from 'node:util';

// Functions of `node:fs` that return promises: those of `node:fs/promises` take no descriptors.
export const chmod = promisify(fs.chmod);
export const close = promisify(fs.close);
export const copyFile = promisify(fs.copyFile);
export const fchmod = promisify(fs.fchmod);
export const fchown = promisify(fs.fchown);
export const fsync = promisify(fs.fsync);
export const ftruncate = promisify(fs.ftruncate);
export const link = promisify(fs.link);
export const open = promisify(fs.open);
export const read = promisify(fs.read);
export const truncate = promisify(fs.truncate);
export const unlink = promisify(fs.unlink);
export const write = promisify(fs.write);
export const writeFile = promisify(fs.writeFile);
