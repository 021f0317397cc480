/** The shells on this machine and the variable names that are special to them. */
import { spawnSync } from 'node:child_process';

export interface Shell {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const all: readonly Shell[] = [
  { name: 'bash', command: ['bash', '--norc'] },
  { name: 'bash --posix', command: ['bash', '--norc', '--posix'] },
  { name: 'dash', command: ['dash'] },
  { name: 'zsh', command: ['zsh', '-f'] },
  { name: 'zsh --emulate sh', command: ['zsh', '--emulate', 'sh', '-f'] },
];

/** The shells that are installed here. */
export const shells = all.filter(({ command: [program] }) => runs(program));

/** The path of a program, for scripts with an empty PATH. */
export const whereIs = (program: string): string =>
  spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

/** The variables that these shells define in an empty environment; for zsh, with its modules. */
export function namesOfShells(): string[] {
  const listed = shells.flatMap(({ name, command: [program, ...args] }) => {
    const script = name.startsWith('zsh') ? ofZsh : name === 'dash' ? ofDash : ofBash;
    const { stdout } = spawnSync(whereIs(program), [...args, '-c', script], {
      env: {},
      encoding: 'utf8',
    });
    return stdout.split('\n');
  });
  return [...new Set(listed.filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)))];
}

const ofBash = 'compgen -v';
const ofDash = `set | while IFS== read -r name rest; do echo "$name"; done`;
const ofZsh = `emulate zsh -c 'zmodload zsh/parameter
for _module in $module_path/zsh/**/*.so(N); do
  _name=zsh/\${_module##*/zsh/}
  case $_name in zsh/example.so) ;; *) zmodload \${_name%.so} ;; esac
done >/dev/null 2>&1'
emulate zsh -c 'print -rl -- \${(k)parameters}'`;

function runs(program: string): boolean {
  return spawnSync(program, ['-c', ':']).status === 0;
}
