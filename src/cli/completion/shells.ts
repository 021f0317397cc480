/** Those that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];
