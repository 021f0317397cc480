export const webFlags = {
  web: { inline: 'webAs', summary: 'open it in a browser; --web=print prints the address' },
  webAs: { value: 'HOW', choices: ['print'], hidden: true, summary: 'what --web does' },
} as const;
