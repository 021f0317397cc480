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
    // The handlers are not needed, and hold what a data address cannot import.
    external: /\.run\.ts$/,
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  const code = Buffer.from(output[0].code).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
