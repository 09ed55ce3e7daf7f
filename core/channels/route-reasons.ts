// Why a channel is tried, or not, for a call: each reason once, in both languages.
import { fillTemplate, words, type Words } from '../errors.ts'

export const ROUTE_REASONS = {
  first: words('tried first', '最先尝试'),
  later: words('tried when every channel of a higher priority has failed', '更高优先级的渠道全部失败后尝试'),
  cooling: words('cooling down: tried when no other is left', '冷却中：没有其他渠道时才尝试'),
  prompt_too_long: words('takes prompts of at most {tokens} tokens', '仅接受不超过 {tokens} 个 token 的提示'),
  keys_off: words('all its keys are off', '其密钥已全部停用'),
  left_out: words('left out here', '此处视为停用'),
  off: words('switched off', '已停用'),
  off_by_itself: words('switched off by itself', '已自动停用'),
  off_by_cause: words('switched off by itself: {cause}', '已自动停用：{cause}'),
} as const
export type RouteReason = keyof typeof ROUTE_REASONS
export const ROUTE_REASON_CODES = Object.keys(ROUTE_REASONS) as [RouteReason, ...RouteReason[]]

interface Explained {
  reason: RouteReason
  max_input_tokens: number
  /** The reason code for disabling it; empty if none was recorded. */
  cause: string
}

export const reasonWords = ({ reason, max_input_tokens: tokens, cause }: Explained): Words =>
  fillTemplate(ROUTE_REASONS[reason], { tokens, cause })
