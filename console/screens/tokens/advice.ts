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

export type Advice = keyof (typeof words)['en']

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

export const words = texts({
  en: {
    channel: 'No enabled channel serves this model in the group of the token: choose another model, or another group.',
    channelAdmin:
      'No enabled channel serves this model in the group of the token: add it to a channel, enable one, or choose another model.',
    priceAdmin: 'The model has no price: set one with `weir prices set`, or switch on self-use mode.',
    balance: 'The account that pays is empty: top it up, or have an administrator give it quota.',
    quota: 'The quota of this token is used up: edit the token and raise it, or make it unlimited.',
    budget: 'A budget of this token is used up: raise it, or wait until it renews.',
    wait: 'Too many calls at once: wait a moment and send it again.',
    key: 'The key is wrong, expired or disabled: copy it again, and see the state of the token.',
    allowed: 'The token does not allow this: see its models, its IP whitelist and its group.',
    provider: 'The provider did not answer well: test the channel, and see its tries in the usage log.',
    askAdmin: 'Send it again; if that does not help, give the administrator the request id.',
    network: 'No answer came: see that the gateway runs and this page reaches it.',
    again: 'Mend what the message names, and send it again.',
  },
  zh: {
    channel: '令牌的分组中没有已启用的渠道提供此模型：请换一个模型或分组。',
    channelAdmin: '令牌的分组中没有已启用的渠道提供此模型：请把它加入某个渠道、启用渠道，或换一个模型。',
    priceAdmin: '该模型没有价格：请用 `weir prices set` 设置，或开启自用模式。',
    balance: '付款账户余额不足：请充值，或请管理员增加额度。',
    quota: '此令牌的额度已用尽：请编辑令牌提高额度，或设为无限额度。',
    budget: '此令牌的预算已用尽：请提高预算，或等待重新计算。',
    wait: '同时的调用过多：请稍候再发送。',
    key: '密钥错误、已过期或已禁用：请重新复制密钥，并查看令牌状态。',
    allowed: '令牌不允许此调用：请查看其模型、IP 白名单与分组。',
    provider: '服务商没有正常应答：请测试渠道，并在使用日志中查看各次尝试。',
    askAdmin: '请再发送一次；若仍失败，请将请求 ID 告知管理员。',
    network: '没有收到应答：请确认网关正在运行，且此页面可以访问它。',
    again: '请按提示修正后再发送。',
  },
})
