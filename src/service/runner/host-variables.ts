type HostEnv = Readonly<Record<string, string | undefined>>;

const names = new Set(['HOME', 'PATH', 'USER', 'SHELL', 'LANG', 'TMPDIR', 'TERM']);

/** The few variables that jobs get from this machine. All others stay out, tokens above all. */
export function hostVariables(env: HostEnv): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (names.has(name) || name.startsWith('LC_'))) taken[name] = value;
  }
  return taken;
}
