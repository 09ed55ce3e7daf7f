// Scripts of others that the console's pages take in, each only where its setting is on: the policy of the pages is opened
// for these addresses and no others, and the pages load them from here.

interface ForeignScript {
  /** The flag that switches on what needs it. */
  setting: string
  address: string
  /** The site whose frame it opens in the page. */
  frame: string
}

export const foreignScripts = {
  turnstile: {
    setting: 'TurnstileCheckEnabled',
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    frame: 'https://challenges.cloudflare.com',
  },
  telegram: {
    setting: 'TelegramOAuthEnabled',
    address: 'https://telegram.org/js/telegram-widget.js?22',
    frame: 'https://oauth.telegram.org',
  },
} as const satisfies Record<string, ForeignScript>
