/** What is made from the commands' data, without the handlers that they lead to. */
import { rolldown } from 'rolldown';

/**
 * The module `src/cli/generated.ts`, to be called from the top of the repository.
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

/** What `tree.ts` imports when a command runs is not needed, and holds what a data address cannot. */
const withoutHandlers = {
  name: 'without-handlers',
  resolveDynamicImport: (source, importer = '') =>
    /[\\/]cli[\\/]tree\.ts$/.test(importer) ? { id: source, external: true } : undefined,
};
