type HostEnv = Readonly<Record<string, string | undefined>>;

const names = new Set(['HOME', 'PATH', 'USER', 'SHELL', 'LANG', 'TMPDIR', 'TERM']);

/** Settings of git, of its transports, and of the way to other machines. */
const ofGit =
  /^(GIT_(CONFIG.*|SSH.*|SSL_.*|PROXY_.*|ALLOW_PROTOCOL|EXEC_PATH)|SSH_AUTH_SOCK|XDG_CONFIG_HOME|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR))$/;

/** What git gets beside it where it works for a job and not in it: for its plugins and checkout. */
export const gitVariables = (env: HostEnv): Record<string, string> => takenFrom(env, isForGit);

const isForGit = (name: string): boolean => ofGit.test(name);

/** The few variables that jobs get from this machine. All others stay out, tokens above all. */
export const hostVariables = (env: HostEnv): Record<string, string> => takenFrom(env, isForJobs);

const isForJobs = (name: string): boolean => names.has(name) || name.startsWith('LC_');

function takenFrom(env: HostEnv, isTaken: (name: string) => boolean): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && isTaken(name)) taken[name] = value;
  return taken;
}
