// A token for as long as one program runs: made, summed up, deleted.
import { randomBytes } from 'node:crypto'
import { parseCallDetail } from '../core/calls/detail.ts'
import { LOG_TYPE, type LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import { fullKey, MAX_TOKEN_NAME, type Token } from '../core/tokens/token.ts'
import { quotaText, type MoneyView } from './format.ts'
import { count, list, money, ms, text, time, type View } from './view.ts'

/** What the calls of a program came to. */
export interface Spent {
  token: string
  /** Quota units. */
  quota: number
  /** Undefined where the log has not told of all calls: it is off, or somebody else's. */
  calls: number | undefined
  prompt_tokens: number | undefined
  completion_tokens: number | undefined
  models: string[]
  /** How long it ran. */
  ms: number
  expires: number
}

export const spentView: View<Spent> = {
  token: text(words('TOKEN', '令牌'), 1, ({ token }) => token),
  quota: money(words('COST', '费用'), 1, ({ quota }) => quota),
  calls: count(words('CALLS', '调用次数'), 1, ({ calls }) => calls),
  prompt_tokens: count(words('IN', '输入'), 1, ({ prompt_tokens }) => prompt_tokens),
  completion_tokens: count(words('OUT', '输出'), 1, ({ completion_tokens }) => completion_tokens),
  models: list(words('MODELS', '模型'), 2, ({ models }) => models),
  took: ms(words('TOOK', '用时'), 2, (spent) => spent.ms),
  expires: time(words('EXPIRES', '到期'), 0, ({ expires }) => expires),
}

/** What it cost, in a sentence. */
export function spentText({ quota, calls, prompt_tokens, completion_tokens }: Spent, shown: MoneyView) {
  const cost = quotaText(quota, { ...shown, display_in_currency: true })
  if (calls === undefined) return words(`It cost ${cost}.`, `花费 ${cost}。`)
  const [inside, out] = [prompt_tokens ?? 0, completion_tokens ?? 0].map((each) => each.toLocaleString('en-US'))
  return words(
    `It cost ${cost}: ${calls} ${calls === 1 ? 'call' : 'calls'}, ${inside} tokens in, ${out} out.`,
    `花费 ${cost}：${calls} 次调用，输入 ${inside} 个 token，输出 ${out} 个。`,
  )
}

export interface RunTokenForm {
  /** What it is for. */
  label: string
  /** Quota units; undefined for no bound. */
  budget?: number | undefined
  /** Epoch seconds. */
  expires: number
  /** The team that pays; 0 for the own account. */
  team_id: number
}

const SETTLING_MS = 3000
const AGAIN_MS = 100
const PAGE = 100

/** Makes it; `spent` sums up its calls, `revoke` deletes it. */
export async function makeRunToken(weir: WeirClient, { label, budget, expires, team_id }: RunTokenForm) {
  // The log is asked by the token's name, so no two may have the same.
  const mark = randomBytes(4).toString('hex')
  const name = `${label.slice(0, MAX_TOKEN_NAME - mark.length - 1)} ${mark}`
  const started = Date.now()
  const made = await weir.tokens.create({
    name,
    unlimited_quota: budget === undefined,
    remain_quota: budget ?? 0,
    expired_time: expires,
    team_id,
  })
  const { id } = made
  return {
    id,
    name,
    expires,
    key: fullKey(made.key),
    spent: () => spentBy(weir, made, started),
    revoke: () => weir.tokens.delete({ id }),
  }
}
export type RunToken = Awaited<ReturnType<typeof makeRunToken>>

/** A call that was broken off is charged and logged a moment later: waits until the rows come to what was charged. */
async function spentBy(weir: WeirClient, { id, name, expired_time }: Token, started: number): Promise<Spent> {
  const deadline = Date.now() + SETTLING_MS
  for (;;) {
    const { used_quota } = await weir.tokens.get({ id })
    const rows = await rowsOf(weir, { id, name })
    const charged = rows.reduce((total, { quota }) => total + quota, 0)
    const whole = charged === used_quota
    if (whole || Date.now() > deadline) {
      const sum = (of: (row: LogEntry) => number) =>
        whole ? rows.reduce((total, row) => total + of(row), 0) : undefined
      return {
        token: name,
        quota: used_quota,
        calls: whole ? rows.length : undefined,
        prompt_tokens: sum(promptOf),
        completion_tokens: sum((row) => row.completion_tokens),
        models: [...new Set(rows.map(({ model_name }) => model_name))],
        ms: Date.now() - started,
        expires: expired_time,
      }
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/** Of Claude's models the row has what the cache did beside the prompt. */
function promptOf({ prompt_tokens, other }: LogEntry): number {
  const { claude, cache_tokens = 0, cache_creation_tokens = 0 } = parseCallDetail(other)
  return prompt_tokens + (claude ? cache_tokens + cache_creation_tokens : 0)
}

async function rowsOf(weir: WeirClient, { id, name }: { id: number; name: string }) {
  const filter = { token_name: name, type: String(LOG_TYPE.consumption), page_size: PAGE }
  const rows: LogEntry[] = []
  for (let p = 1; ; p += 1) {
    const { items } = await weir.logs.listSelf({ ...filter, p })
    rows.push(...items.filter(({ token_id }) => token_id === id))
    if (items.length < PAGE) return rows
  }
}
