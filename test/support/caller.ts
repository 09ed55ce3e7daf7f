// A user with an API token, as tests call a Weir: by the official client, by raw HTTP, and with a look into the books.
import OpenAI from 'openai'
import { parseCallDetail } from '../../core/calls/detail.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Token } from '../../core/tokens/token.ts'
import type { User } from '../../core/users/user.ts'
import { send, type HttpAnswer, type TestServer } from './server.ts'

/** What moves when a call is charged. */
export interface Balances {
  quota: number
  used_quota: number
  request_count: number
  remain_quota: number
  token_used: number
}

/** A user with an API token. */
export interface Caller {
  user: User
  password: string
  token: Token
  key: string
  openai: OpenAI
  /** A chat call as raw HTTP; `body` is laid over a short one. */
  chat(body?: object, headers?: Record<string, string>): Promise<HttpAnswer>
  balances(): Promise<Balances>
  /**
   * The log rows of the caller's calls, newest first, as an administrator sees them. Not those of calls that were refused:
   * they are written some time later.
   */
  logs(): Promise<LogEntry[]>
}

/** The caller that owns the token; `weir` is the gateway that both belong to. */
export function createCaller(
  weir: Pick<TestServer, 'url' | 'gateway'> & { model: string },
  user: User,
  password: string,
  token: Token,
): Caller {
  const key = `sk-${token.key}`
  const { users, tokens, logs } = weir.gateway.ports.storage
  return {
    user,
    password,
    token,
    key,
    openai: new OpenAI({ baseURL: `${weir.url}/v1`, apiKey: key, maxRetries: 0 }),
    chat: (body = {}, headers = {}) =>
      send('POST', `${weir.url}/v1/chat/completions`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: { model: weir.model, messages: [{ role: 'user', content: 'Hello' }], ...body },
      }),
    async balances() {
      const [owner, own] = await Promise.all([users.find(user.id), tokens.find(token.id)])
      if (!owner || !own) throw new Error('the user or the token is gone')
      const { quota, used_quota, request_count } = owner
      return { quota, used_quota, request_count, remain_quota: own.remain_quota, token_used: own.used_quota }
    },
    async logs() {
      const { items } = await logs.list({ user_id: user.id }, { offset: 0, limit: 1000 })
      return items.filter(({ type, other }) => type === 2 || (type === 5 && !parseCallDetail(other).refused))
    },
  }
}
