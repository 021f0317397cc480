/** One file of the package contains the licenses of everything that is bundled. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const text = await readFile(join(top, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
const contents = JSON.parse(
  await readFile(join(top, 'node_modules/.cache/cictl/contents.json'), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/** The directories of all packages that the bundle contains code from. */
const folders = [
  ...new Set(
    Object.values(contents)
      .flat()
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
].sort();

test('there are packages to check', () => {
  expect(folders.length).toBeGreaterThan(50);
});

test.each(folders)('%s is listed with its license', async (folder) => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly [name in 'name' | 'version' | 'license']: string;
  };
  expect(manifest.license).toMatch(/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/);
  const file = (await readdir(folder)).find((name) => /licen[cs]e/i.test(name)) ?? '';
  const licence = (await readFile(join(folder, file), 'utf8')).trim();
  expect(licence).toMatch(/permission|redistribution|apache/i);
  expect(text).toContain(
    `\n${manifest.name} ${manifest.version} (${manifest.license})\n\n${licence}\n`,
  );
});

test.each([
  ['GPL-3.0', 'other is under GPL-3.0: it cannot be bundled'],
  ['MIT', 'other has no file with its licence'],
])('the build fails at a package under %s without a license file', async (license, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-licences-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const inside = join(folder, 'node_modules/other');
  await mkdir(inside, { recursive: true });
  await writeFile(join(inside, 'package.json'), JSON.stringify({ name: 'other', license }));
  const program = `import { licences } from '${top}/scripts/licences.js'; licences(['${inside}/index.js']);`;
  const { stderr } = await execa(process.execPath, ['--input-type=module', '-e', program], {
    reject: false,
  });
  expect(stderr).toContain(`Error: ${message}`);
});
