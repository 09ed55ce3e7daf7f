// The rows of every list at every width, as the lists declare them: how high a row is, which columns can be read, and what
// every list offers.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { NOW, page as samplePage } from './samples.ts'
import { STATES } from './screens.ts'
import { navigate, useConsole } from './visit.ts'
import { laidOut } from './walk/looks.ts'
import { settled } from './walk/site.ts'
import { pickInTurn } from '../support/suite.ts'

const site = useConsole()

/** A state that shows the list of each file that has one. */
const LISTS: Record<string, string> = {
  'alerts/page.tsx': 'alerts',
  'audit/change-table.tsx': "a user's changes",
  'audit/page.tsx': 'audit',
  'channel/keys.tsx': "a channel's keys",
  'channels/page.tsx': 'channels',
  'detail/breakdown.tsx': 'dashboard',
  'drawings/page.tsx': 'drawings',
  'logs/call-list.tsx': "a user's calls",
  'logs/page.tsx': 'log',
  'prices/history-tab.tsx': 'the history of prices',
  'prices/list-tab.tsx': 'prices',
  'prices/missing-tab.tsx': 'models without a price',
  'prices/sync-tab.tsx': 'a catalogue of prices',
  'pricing/page.tsx': 'pricing',
  'redemptions/page.tsx': 'redemption codes',
  'settings/prices/tabs.tsx': 'prices as a table',
  'tasks/page.tsx': 'tasks',
  'teams/page.tsx': 'teams',
  'teams/team-calls.tsx': "a team's calls",
  'teams/team-tokens.tsx': "a team's tokens",
  'tokens/page.tsx': 'tokens',
  'user/access.tsx': "a user's sign-in",
  'user/ledger.tsx': "a user's ledger",
  'user/tokens.tsx': "a user's tokens",
  'user/topups.tsx': "a user's top-ups",
  'users/page.tsx': 'users',
  'wallet/orders.tsx': 'wallet',
}

const price = (usd: number) => ({ component: 'input', unit: 'token', per: 1_000_000, usd })
const priceChange = {
  ...{ id: 1, created_at: NOW, user_id: 1, username: 'root', model: 'gpt-4o-mini', channel: '', source: 'own' },
  ...{ from: null, to: null },
  ...{ was: [price(0.15)], became: [price(0.2)] },
}

/** Heights of rows in px: with one line and with two, and on a phone. */
const ONE_LINE = [35, 41] as const
const TWO_LINES = 52
const PHONE = [55, 73] as const

it('knows every list', () => {
  const screens = fileURLToPath(new URL('../../console/screens/', import.meta.url))
  const files = (readdirSync(screens, { recursive: true }) as string[]).filter((file) => file.endsWith('.tsx'))
  const withList = files.filter((file) => readFileSync(join(screens, file), 'utf8').includes('<DataTable'))
  expect(Object.keys(LISTS).sort()).toEqual(withList.map((file) => relative('.', file)).sort())
})

/** `npm test` looks at one of the widths, the next one with each list. */
it.each(Object.entries(LISTS))(
  'the rows of %s are even, what must be read of them is there, and they are kept as a file and as a view',
  async (file, name) => {
    const state = STATES[name]!
    site.server.use({ 'prices.history': () => ({ data: samplePage([priceChange]) }) })
    await site.visit('/nowhere', { storage: signedIn(root), width: 1280, height: 900 }, async (page) => {
      await navigate(page, state.path)
      await settled(page)
      await state.open?.(page)
      await settled(page)
      const faults = await page.evaluate(findMissingOffers)
      for (const width of pickInTurn([1440, 1280, 768, 600, 390], Object.keys(LISTS).indexOf(file), 1)) {
        await page.setViewportSize({ width, height: 900 })
        await laidOut(page)
        const found = await page.evaluate(readRows)
        faults.push(...found.flatMap((list) => findFaults(list, width)).map((fault) => `${width} px, ${fault}`))
        if (found.length === 0) faults.push(`${width} px: no list`)
      }
      expect(faults).toEqual([])
    })
  },
)

/** Every list is saved as a file. One that the address narrows or sorts has saved views. */
function findMissingOffers(): string[] {
  const all = [...document.querySelectorAll<HTMLElement>('main .table')]
  const inner = all.filter((list) => list.parentElement!.closest('.table'))
  return (inner.length > 0 ? inner : all).flatMap((list) => {
    const place = list.closest<HTMLElement>('.sheet, .row-details, [role=tabpanel], main')!
    const readNames = (part: ParentNode) =>
      [...part.querySelectorAll('button')].map(
        (button) => button.getAttribute('aria-label') ?? button.textContent ?? '',
      )
    const names = readNames(place)
    const heads = [...document.querySelectorAll('.page-actions')].flatMap(readNames)
    const isNarrowed =
      place.querySelector('[role=search]') !== null || names.some((name) => name.startsWith('Sort by '))
    return [
      ...(names.some((name) => name.startsWith('CSV')) || heads.includes('Export') ? [] : ['no CSV']),
      ...(!isNarrowed || names.includes('Views') ? [] : ['no saved views']),
    ]
  })
}

interface ReadList {
  kind: 'table' | 'phone'
  label: string
  heights: { height: number; lines: number }[]
  shown: string[]
  folded: string[]
  required: string[]
  /** Words of columns that are wider than their place. */
  cut: string[]
  tooWide: number
}

function findFaults({ kind, label, heights, shown, folded, required, cut, tooWide }: ReadList, width: number) {
  const wrong = (fault: string) => `${label}: ${fault}`
  const high = heights.flatMap(({ height, lines }) =>
    kind === 'phone'
      ? height < PHONE[0] || height > PHONE[1]
        ? [wrong(`a row is ${height} px high`)]
        : []
      : height < ONE_LINE[0] || height > (lines > 1 ? TWO_LINES : ONE_LINE[1])
        ? [wrong(`a row with ${lines} lines is ${height} px high`)]
        : [],
  )
  return [
    ...high,
    ...(tooWide > 0 ? [wrong(`the page is ${tooWide} px too wide`)] : []),
    ...(width >= 600 === (kind === 'table') ? [] : [wrong(`it is a ${kind}`)]),
    ...(width >= 1280 && folded.length > 0 ? [wrong(`folded: ${folded.join(' ')}`)] : []),
    ...required.filter((key) => !shown.includes(key)).map((key) => wrong(`without ${key}`)),
    ...(width >= 1280 || kind === 'phone' ? cut.map((text) => wrong(`cut: ${text}`)) : []),
  ]
}

/** Reads the outermost lists of the page, or those within the details of a row. */
function readRows(): ReadList[] {
  const all = [...document.querySelectorAll<HTMLElement>('main table.rows, main ul.cards')]
  const inner = all.filter((list) => list.parentElement!.closest('table.rows, ul.cards'))
  const { scrollWidth, clientWidth } = document.documentElement
  return (inner.length > 0 ? inner : all).map((list) => {
    const words = (name: string) => (list.dataset[name] ?? '').split(' ').filter((key) => key !== '')
    const isTable = list.matches('table')
    const rows = [
      ...list.querySelectorAll<HTMLElement>(isTable ? ':scope > tbody > tr:first-child' : ':scope > li > .card-head'),
    ]
    const titles = [...list.querySelectorAll<HTMLElement>(':scope > thead > tr > th')]
    return {
      kind: isTable ? 'table' : 'phone',
      label: list.getAttribute('aria-label') ?? '',
      heights: rows.map((row) => ({
        height: Math.round(row.getBoundingClientRect().height),
        lines: row.querySelector('.row-second') ? 2 : 1,
      })),
      shown: isTable
        ? titles.flatMap((title) => (title.dataset['column'] ?? '').split(' '))
        : [...(rows[0]?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].map((cell) => cell.dataset['column']!),
      folded: words('folded'),
      required: words('required'),
      cut: rows
        .slice(0, 20)
        .flatMap((row) =>
          [...row.querySelectorAll<HTMLElement>('td.right, td.right > .row-first, .card-numbers > span')]
            .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
            .map((cell) => cell.innerText),
        ),
      tooWide: scrollWidth - clientWidth,
    }
  })
}
