// The token that a command is about, and how much of its key is shown.
import type { WeirClient } from '../../../core/contracts.ts'
import { words } from '../../../core/errors.ts'
import { fullKey, maskKey, type Token } from '../../../core/tokens/token.ts'
import { needToken, needTokenOf } from '../../nouns/token.ts'
import { needUserId } from '../../nouns/user.ts'

export const token = { spec: '<token>', help: words('id or name of the token', '令牌的编号或名称') } as const
export const user = {
  flag: '--user <user>',
  help: words("another user's, as an administrator: id or username", '其他用户的令牌（须为管理员）：编号或用户名'),
} as const

export const maskTokenKey = (token: Token): Token => ({ ...token, key: maskKey(token.key) })
export const whole = (token: Token): Token => ({ ...token, key: fullKey(token.key) })

/** The own token that is named, or that of the user. */
export const tokenOf = async (weir: WeirClient, name: string, user: string | undefined): Promise<Token> =>
  user === undefined ? needToken(weir, name) : needTokenOf(weir, await needUserId(weir, user), name)
