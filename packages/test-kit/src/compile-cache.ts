/**
 * The environment variable that names the cache of compiled code, for programs that tests start in an
 * environment of their own. Without it, each new home directory has a cache of its own, which is empty.
 */
export const compileCache: Readonly<Record<string, string>> = variable('NODE_COMPILE_CACHE');

function variable(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
