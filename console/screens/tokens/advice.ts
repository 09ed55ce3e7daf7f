// Advice for a first call that failed.
import { texts } from '../../data/texts.tsx'

/** The reason of the failure, from an answer or a row of the log. */
export interface CallRefusal {
  /** HTTP status; 0 if no answer was received. */
  status: number
  /** The code of the relay's error. */
  code: string
  /** Whether a channel was tried. */
  reached: boolean
}

const BY_CODE = {
  model_not_found: 'channel',
  model_price_error: 'price',
  insufficient_user_quota: 'balance',
  pre_consume_token_quota_failed: 'quota',
  insufficient_quota: 'quota',
  budget_exceeded: 'budget',
  rate_limit_exceeded: 'wait',
  invalid_api_key: 'key',
} as const

export const ADVICE = texts({
  key: 'The key is wrong, expired or disabled: copy it again, and check the state of the token.',
  channel: 'No enabled channel serves this model in the group of the token: choose another model, or another group.',
  quota: 'The quota of this token is used up: edit the token and raise it, or make it unlimited.',
  provider: 'The provider did not answer properly: test the channel, and check its attempts in the usage log.',
  allowed: 'The token does not allow this: check its models, its IP whitelist and its group.',
  balance: 'The account that pays is empty: top it up, or have an administrator give it quota.',
  network: 'No answer arrived: check that the gateway is running and that this page can reach it.',
  again: 'Fix what the message names, and send it again.',
  wait: 'Too many calls at once: wait a moment and send it again.',
  channelAdmin:
    'No enabled channel serves this model in the group of the token: add it to a channel, enable one, or choose another model.',
  priceAdmin: 'The model has no price: set one with `weir prices set`, or switch on self-use mode.',
  budget: 'A budget of this token is used up: raise it, or wait until it renews.',
  askAdmin: 'Send it again; if that does not help, give the administrator the request id.',
})

export type Advice = keyof typeof ADVICE

/** Returns the advice that fits the failure and the role of the user. */
export function chooseAdvice({ status, code, reached }: CallRefusal, isAdmin: boolean): Advice {
  if (reached) return isAdmin ? 'provider' : 'askAdmin'
  const about = BY_CODE[code as keyof typeof BY_CODE]
  if (about === 'channel') return isAdmin ? 'channelAdmin' : 'channel'
  if (about === 'price') return isAdmin ? 'priceAdmin' : 'askAdmin'
  if (about) return about
  if (status === 429) return 'wait'
  return status === 403 ? 'allowed' : status === 0 ? 'network' : 'again'
}
