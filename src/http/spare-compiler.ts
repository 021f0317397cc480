/**
 * On Node 20 V8 compiles undici's WebAssembly parser a second time, optimised, and the process
 * waits for that at its end: 80 ms for nothing. Later lines do not, and the flag slows them down.
 * To be called before the first request.
 *
 * @param nodeVersion `process.versions.node`
 */
export async function spareCompiler(nodeVersion: string): Promise<void> {
  const flag = compilerFlag(nodeVersion);
  // Loaded where it is used alone: that takes most of a millisecond.
  if (flag !== undefined) (await import('node:v8')).setFlagsFromString(flag);
}

export const compilerFlag = (nodeVersion: string): string | undefined =>
  nodeVersion.startsWith('20.') ? '--liftoff-only' : undefined;
