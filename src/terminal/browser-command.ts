import { existsSync } from 'node:fs';

/**
 * The program and its arguments that `BROWSER` means for an address: `firefox --new-window`, with
 * `%s` where the address goes, else at the end. Words are quoted as for a shell, but no shell reads
 * them: the address comes from a service. The path of a program may hold spaces.
 */
export function browserCommand(text: string, url: string): string[] {
  const words = existsSync(text) ? [text] : split(text);
  const [program = text, ...rest] = words.map((word) => word.replaceAll('%s', () => url));
  return words.some((word) => word.includes('%s')) ? [program, ...rest] : [program, ...rest, url];
}

const split = (text: string): string[] =>
  (text.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? '';
    }),
  );
