// The screen detail, for the walk, the pictures and axe, and the usage of the small site.
import type { Answer, Handlers } from '../fake-server.ts'
import { people, press, screenFacts } from '../screen-facts.ts'

const LENGTHS: Record<string, number> = { hour: 3600, day: 86_400, week: 604_800 }
const MODELS = ['gpt-4o', 'o3', 'deepseek-chat']

/** Of so many tens of calls. */
const counted = (n: number) => ({
  ...{ calls: 10 * n, failed: n, errors: { limit: n }, quota: 50_000 * n, cost: 30_000 * n },
  ...{ prompt_tokens: 1000 * n, cached_tokens: 400 * n, output_tokens: 300 * n },
  latency_ms: { p50: 800, p95: 2400, p99: 5000 },
  first_content_ms: { p50: 300, p95: 700, p99: 900 },
})

const nameOf = (by: string, n: number) => ({
  ...(by === 'model' ? { model_name: MODELS[n] } : {}),
  ...(by === 'token' ? { token_id: n, token_name: ['', 'laptop', 'production'][n] } : {}),
  ...(by === 'group' ? { group: ['default', 'vip', 'svip'][n] } : {}),
  ...(by === 'team' ? { team_id: 70 + n, team_name: `research ${n}` } : {}),
  ...(by === 'user' ? { user_id: 1 + n, username: ['root', 'ada', 'bob'][n] } : {}),
  ...(by === 'channel' ? { channel_id: 5 + n, channel_name: `channel ${5 + n}` } : {}),
})

/** Each group has one more than the one before it, in each step. */
export function usage({ from: begin, to: end, step, by, course, previous }: Record<string, unknown>): Answer {
  const [from, to, cut] = [Number(begin), Number(end ?? Date.now() / 1000), String(step)]
  const length = LENGTHS[cut]
  const dateOf = (at: number) => {
    const text = new Date(at * 1000).toISOString()
    return cut === 'hour' ? `${text.slice(0, 13)}:00+00:00` : text.slice(0, 10)
  }
  const steps = length
    ? Array.from({ length: Math.ceil((to - from) / length) }, (_, at) => from + at * length).map((at) => ({
        at,
        date: dateOf(at),
      }))
    : [{ at: from, date: '' }]
  const groups = by === '' ? [{}] : [2, 1, 0].map((n) => nameOf(String(by), n))
  const rows = steps.flatMap((one) =>
    groups.map((group, at) => ({ ...one, ...group, ...counted(by === '' ? 6 : 3 - at) })),
  )
  const total = counted(6 * steps.length)
  const sums = course === 'true' ? { course: steps.map((one) => ({ ...one, ...counted(6) })) } : {}
  const before = previous === 'true' ? { previous: counted(6) } : {}
  return { data: { from, to, steps, rows, ...sums, total, ...before, groups: groups.length } }
}

/** Nobody has called anything. */
export const unused = (input: Record<string, unknown>): Answer => {
  const { data } = usage(input) as { data: object }
  return { data: { ...data, rows: [], course: [], total: counted(0), groups: 0 } }
}

export const usageHandlers = (): Handlers => ({
  'usage.query': usage,
  'usage.querySelf': usage,
})

const path = '/detail'

export const facts = screenFacts({
  walked: {
    path,
    for: people,
    acts: {
      'puts right what needs attention': async (page) => {
        // Of channels nobody is told but administrators.
        if (await page.evaluate(() => !/"role":1\d/.test(localStorage.getItem('user') ?? ''))) return
        const enable = page.getByRole('button', { name: /^Enable again/ }).first()
        await enable.waitFor()
        await enable.click()
      },
    },
    unasked: {
      'channels.updateBalance': 'no provider of the walk tells a balance',
    },
  },
  states: {
    dashboard: { path, open: (page) => page.locator('.breakdown').scrollIntoViewIfNeeded() },
    'the dashboard of a month': { path: `${path}?span=month&by=group&measure=tokens` },
    'the dashboard as a table': { path, open: (page) => press(page, 'As a table') },
  },
  handlers: usageHandlers,
})
