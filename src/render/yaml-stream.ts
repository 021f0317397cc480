/** Values as the documents of one stream of YAML: from the second on `---` parts them. */
export function yamlStream(
  write: (text: string) => Promise<void>,
): (value: unknown) => Promise<void> {
  let start = '';
  return async (value) => {
    const { toYaml } = await import('./yaml.ts');
    const text = `${start}${toYaml(value)}`;
    start = '---\n';
    await write(text);
  };
}
