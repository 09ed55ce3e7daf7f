// Two months of work before the last days: calls of four teams and of people by themselves, in the log as in the usage.
import type { ChannelTry } from '../../../core/calls/detail.ts'
import { LOG_ROW_TYPE, type NewLogEntry } from '../../../core/calls/log-entry.ts'
import type { Gateway } from '../../../core/gateway.ts'
import { parseCountedRow } from '../../../core/usage/counted-call.ts'
import { UsageSums } from '../../../core/usage/sums.ts'
import { PROGRAMS } from './seed-names.ts'

const DAY = 86_400
/** How long ago they begin and end. Unit: days. */
const FROM = 62
const TO = 3
/** How long ago the last of them had ended. Unit: seconds. */
export const MONTHS_END = (TO - 1) * DAY
/** Calls of a day at work; at the weekend there are fewer. */
const BUSY = 24
const QUIET = 7

/** Dollars for a million tokens in and out, how long an answer takes, and how many of ten calls are its. */
const WORK = [
  { model_name: 'gpt-4.1', channel: 1, input: 2, output: 8, ms: 3400, share: 3 },
  { model_name: 'claude-sonnet-4-20250514', channel: 2, input: 3, output: 15, ms: 5200, share: 3 },
  { model_name: 'gpt-4o-mini', channel: 6, input: 0.15, output: 0.6, ms: 2600, share: 2 },
  { model_name: 'gemini-2.5-flash', channel: 3, input: 0.3, output: 2.5, ms: 1100, share: 1 },
  { model_name: 'deepseek-chat', channel: 5, input: 0.27, output: 1.1, ms: 6100, share: 1 },
]
const BY_SHARE = WORK.flatMap((work) => Array.from({ length: work.share }, () => work))
/** Whose of ten calls each is: of which team, and after the last one of nobody's. */
const BY_TEAM = [0, 1, 0, 2, 4, 1, 0, 3, 4, 2]
/** What a provider takes of what is charged. */
const COST = 0.7

interface Person {
  id: number
  username: string
}

/** @param teams account ids; each has a token of the first of the people */
export async function addMonths(
  { ports }: Gateway,
  people: readonly Person[],
  teams: readonly number[],
): Promise<void> {
  const { storage, random } = ports
  const [owner] = people
  const tokens = []
  for (const [at, team_id] of teams.entries())
    tokens.push(
      await storage.tokens.insert({
        ...{ user_id: owner!.id, team_id, name: PROGRAMS[at]!, key: random.text(48), status: 1, group: 'default' },
        ...{ created_time: now() - FROM * DAY, expired_time: -1, allow_ips: '', fallback_models: '' },
        ...{ model_limits_enabled: false, model_limits: '' },
      }),
    )
  const rows: NewLogEntry[] = []
  for (let ago = FROM; ago >= TO; ago -= 1) {
    const weekday = new Date((now() - ago * DAY) * 1000).getDay()
    const calls = weekday % 6 === 0 ? QUIET : BUSY + ((ago * 5) % 9)
    for (let n = 0; n < calls; n += 1) {
      const place = ago * 37 + n * 11
      const token = tokens[BY_TEAM[Math.floor(place / 3) % BY_TEAM.length]!]
      const person = token ? owner! : people[place % people.length]!
      rows.push(callOf(place, now() - ago * DAY + Math.floor((n / calls) * 36_000), person, token))
    }
  }
  await storage.logs.insert(rows)
  const sums = new UsageSums()
  for (const row of rows) {
    const call = parseCountedRow({ ...row, id: 0, channel_name: '' })
    if (call) sums.add(call)
  }
  await storage.usage.add(sums.rows())
}

const now = () => Math.floor(Date.now() / 1000)

function callOf(
  place: number,
  at: number,
  { id, username }: Person,
  token?: { id: number; name: string },
): NewLogEntry {
  const { model_name, channel, input, output, ...work } = BY_SHARE[place % BY_SHARE.length]!
  const failed = place % 31 === 4
  const prompt_tokens = 2000 + ((place * 7919) % 46_000)
  const completion_tokens = failed ? 0 : 120 + ((place * 2437) % 2300)
  const ms = failed ? 300 : Math.round(work.ms * (0.6 + ((place * 53) % 90) / 100))
  const first_ms = Math.round(ms / 6)
  const quota = failed ? 0 : Math.round((prompt_tokens * input + completion_tokens * output) / 2)
  const status = failed ? 429 : 200
  const tried: ChannelTry = {
    ...{
      channel,
      model: model_name,
      key_index: 0,
      at: 0,
      ms,
      first_ms,
      result: failed ? 'failed' : 'answered',
      status,
    },
  }
  const detail = {
    ...{ model_ratio: input / 2, completion_ratio: output / input, group_ratio: 1, frt: first_ms },
    ...(failed ? { status_code: status } : {}),
    admin_info: { attempts: [tried], cost: Math.round(quota * COST) },
  }
  return {
    type: failed ? LOG_ROW_TYPE.error : LOG_ROW_TYPE.consumption,
    ...{ created_at: at, user_id: id, username, channel, model_name, prompt_tokens, completion_tokens, quota },
    ...{ token_id: token?.id ?? 0, token_name: token?.name ?? '', group: place % 3 === 0 ? 'vip' : 'default' },
    ...{ operation: '', use_time: Math.round(ms / 1000), is_stream: true, other: JSON.stringify(detail), hold_id: '' },
    content: failed ? 'Weir: rate limit reached' : '',
    request_id: `seed${String(place).padStart(6, '0')}${at}`,
  }
}
