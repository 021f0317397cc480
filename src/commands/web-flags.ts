export const webFlags = {
  web: { inline: 'webAs', summary: 'open in a browser; --web=print prints the URL' },
  webAs: { value: 'HOW', choices: ['print'], hidden: true, summary: 'argument to --web' },
} as const;
