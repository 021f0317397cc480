/** Loads the generator for texts from the command definitions, without the command handlers. */
import { rolldown } from 'rolldown';

/**
 * The module `src/cli/generated.ts`. Must be called from the root of the repository.
 * @returns {Promise<typeof import('../src/cli/generated.ts')>}
 */
export async function commandsData() {
  const build = await rolldown({
    input: 'src/cli/generated.ts',
    platform: 'node',
    plugins: [withoutHandlers],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  const code = Buffer.from(output[0].code).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/**
 * Excludes the handlers: `tree.ts` only imports them when a command runs, and they contain code
 * that does not work in a data URL.
 */
const withoutHandlers = {
  name: 'without-handlers',
  resolveDynamicImport: (source, importer = '') =>
    /[\\/]cli[\\/]tree\.ts$/.test(importer) ? { id: source, external: true } : undefined,
};
