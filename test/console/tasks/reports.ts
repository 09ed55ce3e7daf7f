// Tasks with what models took and cost.
import type { Page } from 'playwright-core'
import { formatQuotaText } from '../../../core/pricing/display.ts'
import type { Hand } from './hand.ts'
import { task, type Ground } from './task.ts'
import { found, goTo, must, palette, rowOf, throughPalette, withFilters } from './ways.ts'

const SECONDS = 2
const DAYS = 7

/** Dollars for a million tokens read, or for a call. */
interface Cost {
  model: string
  usd: number
}

/** Prices of models the administrator's own group, cheapest first. */
async function costs({ root }: Ground): Promise<Cost[]> {
  const { data } = await root.pricing.list()
  return data
    .flatMap(({ model_name, quota_type, model_price, prices }) => {
      const line = prices.find(({ component, label }) => component === 'input' && !label) ?? prices[0]
      return [{ model: model_name, usd: quota_type === 1 ? model_price : (line?.usd ?? 0) }]
    })
    .sort((a, b) => a.usd - b.usd)
}

export const findQuickest = task({
  title: 'Find the cheapest model that answered in 2 s',
  async prepare(ground) {
    const from = String(Math.floor(Date.now() / 1000) - DAYS * 86_400)
    const { rows } = await ground.root.usage.query({ from, by: 'model', limit: 1000, times: 'true' })
    const quick = rows.filter(({ latency_ms }) => (latency_ms?.p50 ?? Infinity) <= SECONDS * 1000)
    const all = await costs(ground)
    const cheapest = all.find(({ model }) => quick.some(({ model_name }) => model_name === model))
    must(cheapest !== undefined, 'no model answers in time')
    must(cheapest !== all[0], 'every model would have done')
    return cheapest!.model
  },
  async mouse(hand, model) {
    const { page } = hand
    if (hand.isPhone) {
      // The rows of a phone have no heads to sort by.
      await hand.click(page.getByRole('button', { name: 'Find or do' }))
      await palette(page).waitFor()
      await hand.type('cheapest')
      await hand.click(found(page, 'Find the cheapest model'))
      return hand.click(page.getByRole('button', { name: `Details of ${model}`, exact: true }))
    }
    await goTo(hand, 'Pricing')
    await hand.click(page.getByRole('search').getByRole('button', { name: 'Answers within', exact: true }))
    await hand.click(page.getByRole('menuitemradio', { name: `${SECONDS} s`, exact: true }))
    await hand.click(page.getByRole('button', { name: 'Sort by Model price' }))
  },
  keyboard: (hand) => throughPalette(hand, 'cheapest', found(hand.page, 'Find the cheapest model')),
  async reached(page, model) {
    await page.waitForURL(/within=2.*sort=price|sort=price.*within=2/)
    const first = page.locator('main tbody tr, main ul.cards > li').first()
    await first.getByRole('button', { name: model, exact: true }).waitFor()
    must(/\d\s?ms/.test(await first.innerText()), 'it is not said how long it took')
  },
})

/** Where the month before this one begins and ends, in epoch seconds. */
function lastMonth(): { from: number; to: number } {
  const now = new Date()
  const month = (later: number) => new Date(now.getFullYear(), now.getMonth() + later).getTime() / 1000
  return { from: month(-1), to: month(0) }
}

/** What the log has of the teams in that month, in quota units: its rows, not the sums that the dashboard is made of. */
async function spentByTeams({ root }: Ground): Promise<Map<string, number>> {
  const { data: tokens } = await root.tokens.list({ p: 0, size: 100 })
  const teams = new Map((await root.teams.list({ page_size: 100 })).items.map(({ id, name }) => [id, name]))
  const teamOf = new Map(tokens.map(({ id, team_id }) => [id, teams.get(team_id)] as const))
  const { from, to } = lastMonth()
  const spent = new Map<string, number>()
  for (let p = 1, left = 1; left > 0; p += 1) {
    const asked = { start_timestamp: from, end_timestamp: to - 1, page_size: 100, p }
    const { items, total } = await root.logs.list(asked)
    for (const { token_id, quota } of items) {
      const team = teamOf.get(token_id)
      if (team !== undefined) spent.set(team, (spent.get(team) ?? 0) + quota)
    }
    left = items.length === 0 ? 0 : total - p * 100
  }
  return spent
}

const byTeam = (page: Page) => page.getByRole('region', { name: /: Team$/ })

export const readByTeam = task({
  title: 'Read last month by team',
  async prepare(ground) {
    const spent = await spentByTeams(ground)
    must(spent.size > 2, `teams that spent anything: ${[...spent.keys()].join()}`)
    return spent
  },
  async mouse(hand: Hand) {
    const { page } = hand
    await goTo(hand, 'Dashboard')
    await withFilters(hand, (filters) => hand.click(filters.getByRole('button', { name: 'Last month', exact: true })))
    await hand.choose(page.getByLabel('By', { exact: true }), 'Team')
  },
  keyboard: (hand) => throughPalette(hand, 'by team', found(hand.page, 'Read last month by team')),
  async reached(page, spent) {
    const money = { quota_per_unit: 500_000, display_in_currency: true }
    for (const [team, quota] of spent) {
      const row = rowOf(page, team).and(byTeam(page).locator('tr, li'))
      await row.getByText(formatQuotaText(quota, money), { exact: true }).first().waitFor()
    }
  },
})
