// The price list: the group of its prices, the search for models, and copying.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatPriceText, formatRatioText } from '../../core/pricing/display.ts'
import { rankMatches } from '../../console/screens/pricing/ranked.ts'
import { reader, root, signedIn } from './sample-data.ts'
import type { Answer } from './fake-server.ts'
import { usage } from './screens/detail.ts'
import { filterChip, setFilter, useConsole } from './visit.ts'

describe('without a browser', () => {
  it.each([
    [0, '$0.00'],
    [2.5, '$2.50'],
    [15, '$15.00'],
    [0.1 + 0.2, '$0.30'],
    [0.075, '$0.075'],
    [0.0001125, '$0.0001125'],
    [1234.5, '$1234.50'],
  ])('writes the price %d as %s', (usd, text) => expect(formatPriceText(usd)).toBe(text))

  it('writes ratios without what a float makes of them', () => {
    expect([0.1 + 0.2, 1, 37.5].map((ratio) => formatRatioText(ratio))).toEqual(['0.3', '1', '37.5'])
    expect(formatRatioText(4.333_333_3, 3)).toBe('4.333')
  })

  it('finds names by what fits best', () => {
    const names = ['claude-sonnet-4', 'gpt-4', 'gpt-4o', 'o4-mini', 'gpt-4o-mini', 'deepseek-chat']
    const find = (wanted: string) => rankMatches(names, (name) => name, wanted)
    expect(find('gpt-4')).toEqual(['gpt-4', 'gpt-4o', 'gpt-4o-mini'])
    expect(find('mini')).toEqual(['o4-mini', 'gpt-4o-mini'])
    expect(find('GPT MINI')).toEqual(['gpt-4o-mini'])
    expect(find('g4m')).toEqual(['gpt-4o-mini'])
    expect(find('clsn4')).toEqual(['claude-sonnet-4'])
    expect(find('zzz')).toEqual([])
    expect(find(' ')).toEqual(names)
  })
})

describe('in the browser', () => {
  const site = useConsole()
  const names = (page: Page) => page.locator('tbody .model-tag').allInnerTexts()
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })

  it('tells whoever is signed in their group, and nobody that the default ratio holds', async () => {
    await site.visit('/pricing', { storage: signedIn(reader), width: 1600 }, async (page) => {
      await page.getByText('your group vip, ratio 0.8').waitFor()
      await page
        .getByText(
          'cost = group ratio x model ratio x (prompt tokens + completion tokens x completion ratio) / 500000 USD',
        )
        .waitFor()
      await expect.poll(() => names(page)).toEqual(['gpt-4o', 'claude-sonnet-4-5', 'dall-e-3', 'gpt-4o-mini'])
      const text = await row(page, 'claude-sonnet-4-5').innerText()
      expect(text).toMatch(/Per usage[\s\S]*Model 1\.5\s+Completion 5 · group 0\.8/)
      expect(text).toMatch(
        /Prompt \$2\.40 \/ 1M tokens\s+Completion \$12\.00 \/ 1M tokens · Cached \$0\.24 \/ 1M tokens/,
      )
      await expect
        .poll(() => row(page, 'dall-e-3').innerText())
        .toMatch(/Per call[\s\S]*Model none\s+Completion none[\s\S]*\$0\.032 \/ call/)
      const tick = (name: string) => row(page, name).getByRole('img', { name: 'your group can use this model' })
      expect([await tick('gpt-4o').count(), await tick('gpt-4o-mini').count()]).toEqual([1, 0])
    })
    await site.visit('/pricing', { width: 1600 }, async (page) => {
      await page.getByText('not signed in; prices use the default ratio 1').waitFor()
      await expect.poll(() => row(page, 'gpt-4o').innerText()).toContain('Prompt $2.50')
      await row(page, 'gpt-4o').getByRole('button', { name: 'View prices of the group vip' }).click()
      await page.getByText('Viewing group vip, ratio 0.8').waitFor()
      await expect.poll(() => row(page, 'gpt-4o').innerText()).toContain('Prompt $2.00')
      expect(new URL(page.url()).searchParams.get('group')).toBe('vip')
      await filterChip(page, 'Group vip (0.8x)').click()
      await page.getByRole('menuitemradio', { name: 'default (1x)' }).click()
      await expect.poll(() => row(page, 'gpt-4o').innerText()).toContain('Prompt $2.50')
    })
  })

  it('finds models as one types, but not in the midst of a word of an input method', async () => {
    await site.visit('/pricing?provider=openai', { storage: signedIn(root), width: 1600 }, async (page) => {
      await expect.poll(() => names(page)).toEqual(['gpt-4o', 'gpt-4o-mini', 'dall-e-3'])
      const search = page.getByRole('textbox', { name: 'Find a model' })
      await search.fill('mini')
      await expect.poll(() => names(page)).toEqual(['gpt-4o-mini'])
      expect(new URL(page.url()).searchParams.get('q')).toBe('mini')
      await search.fill('')
      await search.dispatchEvent('compositionstart')
      await search.pressSequentially('zz')
      await expect.poll(() => names(page)).toHaveLength(3)
      await search.dispatchEvent('compositionend')
      await page.getByText('No model has this name').waitFor()
      await search.fill('')
      await page.getByRole('button', { name: 'Remove filter: Provider' }).click()
      await page.getByRole('button', { name: 'Sort by Model price' }).click()
      await expect.poll(() => names(page)).toEqual(['dall-e-3', 'gpt-4o-mini', 'gpt-4o', 'claude-sonnet-4-5'])
    })
  })

  it('keeps what is found as a view of whoever is signed in, and as a file', async () => {
    await site.visit('/pricing?provider=openai', { storage: signedIn(reader), width: 1600 }, async (page) => {
      await row(page, 'gpt-4o').waitFor()
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Save this view' }).click()
      await page.getByRole('textbox', { name: 'Name of the view' }).fill('OpenAI')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Reset' }).click()
      await row(page, 'claude-sonnet-4-5').waitFor()
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitemradio', { name: 'OpenAI' }).click()
      await expect.poll(() => names(page)).toEqual(['gpt-4o', 'dall-e-3', 'gpt-4o-mini'])
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV: Models' }).click()
      const lines = (await readFile((await (await file).path())!, 'utf8')).trim().split('\n')
      expect(lines).toHaveLength(4)
      expect(lines[0]).toContain('model_name')
    })
    await site.visit('/pricing', { width: 1600 }, async (page) => {
      await row(page, 'gpt-4o').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Views' }).count()).toBe(0)
    })
  })

  /** Half of the calls took so many ms. */
  const timed = (times: Record<string, number>) => (): Answer => {
    const { data } = usage({ from: 0, to: 1, step: 'total', by: 'model' }) as { data: { rows: object[] } }
    const [row] = data.rows
    const latency_ms = (p50: number) => ({ p50, p95: 9000, p99: 9000 })
    const rows = Object.entries(times).map(([model_name, ms]) => ({ ...row, model_name, latency_ms: latency_ms(ms) }))
    return { data: { ...data, rows } }
  }

  it.each([
    { who: root, asked: 'usage.query' },
    { who: reader, asked: 'usage.querySelf' },
  ])('finds the cheapest model that answers in time, by the calls of the last days: $asked', async ({ who, asked }) => {
    site.server.use({ [asked]: timed({ 'gpt-4o': 900, 'claude-sonnet-4-5': 2500, 'gpt-4o-mini': 1800 }) })
    await site.visit('/pricing', { storage: signedIn(who), width: 1600 }, async (page) => {
      await setFilter(page, 'Answers within', '2 s')
      await expect.poll(() => names(page)).toEqual(['gpt-4o', 'gpt-4o-mini'])
      await page.getByRole('button', { name: 'Sort by Model price' }).click()
      await expect.poll(() => names(page)).toEqual(['gpt-4o-mini', 'gpt-4o'])
      await expect.poll(() => row(page, 'gpt-4o-mini').innerText()).toContain('1,800 ms')
      await filterChip(page, 'Answers within 2 s').click()
      await page.getByRole('menuitemradio', { name: '1 s', exact: true }).click()
      await expect.poll(() => names(page)).toEqual(['gpt-4o'])
      const [input] = site.inputs(asked)
      expect(input).toMatchObject({ by: 'model', times: 'true' })
      expect(Date.now() / 1000 - Number(input!['from'])).toBeCloseTo(7 * 86_400, -2)
    })
  })

  it('prices films by the second, and marks those that their vendor ended', async () => {
    const second = (usd: number, label?: string) => ({
      component: 'video',
      unit: 'second',
      per: 1,
      usd,
      ...(label && { label }),
    })
    const film = {
      ...{ quota_type: 0, model_ratio: 0, model_price: 0, completion_ratio: 0, owner_by: 'kling', has_price: true },
      ...{ enable_groups: ['default'], tiers: [], prices: [second(0.112), second(0.42, 'sound:4k')] },
    }
    const data = [
      { ...film, model_name: 'kling-v3' },
      { ...film, model_name: 'kling-v1-6', ended: '2026-09-15' },
    ]
    site.server.use({
      'pricing.list': () => ({ data, beside: { group_ratio: { default: 1 }, usable_group: { default: 'All' } } }),
    })
    await site.visit('/pricing', { width: 1600 }, async (page) => {
      await row(page, 'kling-v1-6').getByText('ended by its vendor on 2026-09-15').waitFor()
      const text = await row(page, 'kling-v3').innerText()
      expect(text).toMatch(/\$0\.112 \/ s\s+\$0\.42 \/ s sound 4k/)
      expect(text).not.toContain('ended')
    })
    site.server.reset()
  })

  it('says where no model is so quick, and times nothing for nobody', async () => {
    site.server.use({ 'usage.query': timed({ 'gpt-4o': 1500 }) })
    await site.visit('/pricing?within=1', { storage: signedIn(root), width: 1600 }, async (page) => {
      await page.getByText('No model that was called recently answers that quickly').waitFor()
    })
    site.server.reset()
    await site.visit('/pricing', { width: 1600 }, async (page) => {
      await row(page, 'gpt-4o').waitFor()
      await expect.poll(() => filterChip(page, 'Answers within').count()).toBe(0)
      await expect.poll(() => page.getByRole('columnheader', { name: 'Answers in' }).count()).toBe(0)
      expect(site.server.asked.filter(({ name }) => name.startsWith('usage.'))).toEqual([])
    })
  })

  it('compares two to four side by side, at an address of its own; each is marked with its provider', async () => {
    await site.visit('/pricing', { storage: signedIn(reader), width: 1600 }, async (page) => {
      await row(page, 'gpt-4o').getByRole('img', { name: 'openai', exact: true }).waitFor()
      const compare = page.locator('.page-actions').getByRole('button', { name: 'Compare', exact: true })
      const choose = (name: string) => row(page, name).getByRole('checkbox').check()
      await choose('gpt-4o')
      await expect.poll(() => compare.isDisabled()).toBe(true)
      await choose('claude-sonnet-4-5')
      await compare.click()
      const table = page.getByRole('dialog').getByRole('table')
      await table.waitFor()
      expect(new URL(page.url()).searchParams.get('compare')?.split(',').sort()).toEqual([
        ...['claude-sonnet-4-5', 'gpt-4o'],
      ])
      const cells = (at: number) => table.locator('tr').nth(at).locator('th, td').allInnerTexts()
      const heads = await cells(0)
      expect([...heads].sort()).toEqual(['What', 'claude-sonnet-4-5', 'gpt-4o'])
      const of = async (name: string, line: string) => {
        const found = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: line, exact: true }) })
        return (await found.locator('th, td').allInnerTexts())[heads.indexOf(name)]
      }
      expect(await of('gpt-4o', 'Provider')).toBe('openai')
      expect(await of('claude-sonnet-4-5', 'Input')).toBe('$2.40 / 1M tokens')
      expect(await of('gpt-4o', 'Input')).toBe('$2.00 / 1M tokens')
      expect(await of('claude-sonnet-4-5', 'Output')).toBe('$12.00 / 1M tokens')
      await page.reload()
      await table.waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => new URL(page.url()).searchParams.get('compare')).toBe(null)
      for (const name of ['dall-e-3', 'gpt-4o-mini']) await choose(name)
      for (const name of ['gpt-4o', 'claude-sonnet-4-5']) await choose(name)
      await expect.poll(() => compare.isEnabled()).toBe(true)
    })
  })

  it('copies a name, and those that are selected joined by commas', async () => {
    await site.visit('/pricing', { storage: signedIn(root), width: 1600 }, async (page) => {
      await row(page, 'gpt-4o').getByRole('button', { name: 'gpt-4o', exact: true }).click()
      await page.getByText('copied: gpt-4o', { exact: true }).waitFor()
      const copy = page.locator('.page-actions').getByRole('button', { name: 'Copy selected models' })
      await expect.poll(() => copy.isDisabled()).toBe(true)
      for (const name of ['gpt-4o', 'dall-e-3']) await row(page, name).getByRole('checkbox').check()
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void ((window as { copied?: string }).copied = text)
      })
      await copy.click()
      await page.getByText('copied: 2 models').waitFor()
      await expect.poll(() => page.evaluate(() => (window as { copied?: string }).copied)).toBe('gpt-4o,dall-e-3')
    })
  })

  it('opens all prices of a model at an address of its own, with its tiers, in the group that is viewed', async () => {
    await site.visit('/pricing?model=claude-sonnet-4-5&group=vip', { storage: signedIn(root) }, async (page) => {
      const panel = page.getByRole('dialog')
      await panel.getByText('Prompt above 200,000 tokens').waitFor()
      const cells = await panel
        .getByRole('row')
        .filter({ hasText: /^Input/ })
        .innerText()
      expect(cells).toMatch(/Per 1M tokens\s+\$2\.40\s+\$4\.80/)
      await expect
        .poll(() => panel.getByRole('link', { name: 'Try it in the playground' }).getAttribute('href'))
        .toBe('/playground?model=claude-sonnet-4-5')
      await page.keyboard.press('Escape')
      await expect.poll(() => new URL(page.url()).searchParams.get('model')).toBeNull()
    })
  })

  it('shows the formula as a picture', async () => {
    await site.visit('/pricing', { storage: signedIn(root), width: 1600 }, async (page) => {
      await page.getByRole('columnheader', { name: 'Ratio' }).getByRole('button').click()
      await page
        .getByRole('dialog')
        .getByRole('img', { name: /cost = group ratio/ })
        .waitFor()
      // (12,000 + 3,000 x 4) x 1.25 / 500,000
      await page.getByText(/12,000 tokens in and 3,000 out of gpt-4o in the group default: \$0\.06/).waitFor()
    })
  })

  it('prints every row', async () => {
    const many = Array.from({ length: 120 }, (_, n) => ({
      ...{ model_name: `model-${n}`, quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 },
      ...{ owner_by: 'custom', enable_groups: ['default'], has_price: true, prices: [], tiers: [] },
    }))
    site.server.use({
      'pricing.list': () => ({ data: many, beside: { group_ratio: { default: 1 }, usable_group: { default: '' } } }),
    })
    await site.visit('/pricing', { storage: signedIn(root) }, async (page) => {
      await page.locator('tbody .model-tag').first().waitFor()
      expect((await names(page)).length).toBeLessThan(120)
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
      await expect.poll(() => names(page)).toHaveLength(120)
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    })
  })
})
