// The form of `weir ui` for the price of a model: unchanged values stay in dollars, and the question states this.
import { describe, expect, it } from 'vitest'
import { modelsPage } from '../../../cli/ui/pages/models.ts'
import type { PriceRow } from '../../../cli/nouns/price.ts'
import type { UiPagePorts } from '../../../cli/ui/page.ts'

const row = {
  model: 'o3',
  prices: [
    { component: 'input', usd: 2, per: 1_000_000, unit: 'tokens' },
    { component: 'output', usd: 8, per: 1_000_000, unit: 'tokens' },
  ],
} as unknown as PriceRow
const edit = modelsPage.actions.find(({ key }) => key === 'e')!
const asked: unknown[] = []
const client = { prices: { preview: async (given: unknown) => (asked.push(given), { data: [] }) } }
const ports = { client, money: { quota_per_unit: 500_000, display_in_currency: true } } as unknown as UiPagePorts

describe.each<[said: string, changed: Record<string, string>, sent: Record<string, number>, question: string]>([
  ['the input', { input: '3' }, { input: 3, output: 8 }, 'input $2 → $3, output stays $8'],
  ['the output', { output: '$9' }, { input: 2, output: 9 }, 'output $8 → $9, input stays $2'],
  ['both', { input: '3', output: '9' }, { input: 3, output: 9 }, 'input $2 → $3, output $8 → $9'],
  ['a price by the call', { call: '0.1' }, { call: 0.1 }, 'call – → $0.1'],
])('who changes %s', (_, changed, sent, question) => {
  const answers = { input: '2', output: '8', cache_read: '', call: '', ...changed }

  it('sends the others along, which are kept as shares of the input', () => {
    const command = edit.command(row as never, answers, changed)
    expect(command.slice(0, 2)).toEqual(['prices', 'set'])
    const flags = Object.keys(sent).flatMap((name) => [`--${name}`, answers[name as keyof typeof answers]])
    expect(command.join(' ').replaceAll('=', ' ')).toBe(['prices set', ...flags, '-- o3'].join(' '))
  })

  it('is told both, and what the whole price would have meant', async () => {
    const said = await (
      edit.sure as (row: PriceRow, answers: object, ports: UiPagePorts) => Promise<{ en: string; zh: string }>
    )(row, answers, ports)
    expect(said.en).toBe(`Set o3: ${question}?`)
    expect(said.zh).toContain(question.split(', ')[0]!.split(' ')[0])
    expect(asked.at(-1)).toEqual({ changes: [{ model: 'o3', usd: sent }] })
  })
})

it('nothing is sent where nothing was changed', () => {
  expect(edit.command(row as never, { input: '2', output: '8' }, {})).toEqual([])
})
