// Prices: looked at, changed in dollars with what that would have meant, brought back, and compared with a catalogue.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { samplePrices } from './sample-prices.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const rowOf = (page: Page, model: string) =>
  page.getByRole('row').filter({ has: page.getByText(model, { exact: true }) })
const panelOf = (page: Page) => page.getByRole('dialog').first()
const dollars = (page: Page, name: string) => panelOf(page).getByRole('textbox', { name, exact: true })

it('lists prices in dollars with where each number comes from, narrowed and sorted', async () => {
  await site.visit('/prices', { storage, width: 1600 }, async (page) => {
    const high = rowOf(page, 'gpt-5-high')
    await expect.poll(() => high.innerText()).toMatch(/\$1\.25[\s\S]*\$10\.00[\s\S]*\$0\.125[\s\S]*As gpt-5/)
    await expect.poll(() => rowOf(page, 'house-model').innerText()).toContain('No price')
    await rowOf(page, 'gpt-5').getByRole('button', { name: 'Details of gpt-5' }).click()
    const lines = page.locator('.price-details')
    await expect.poll(() => lines.innerText()).toMatch(/Input\s+\$1\.25 \$ per 1M\s+Built-in/)
    await expect.poll(() => lines.innerText()).toMatch(/Cache write\s+\$1\.5625 \$ per 1M\s+By rule/)
    await expect.poll(() => lines.innerText()).toMatch(/service tier batch: input × 0\.5, output × 0\.5/)
    await rowOf(page, 'gpt-5').getByRole('button', { name: 'Details of gpt-5' }).click()
    await page.getByRole('button', { name: 'Sort by Input', exact: true }).click()
    await page.waitForURL(/sort=input/)
    const names = () => page.locator('tbody th .marked > span:last-child').allInnerTexts()
    const cheapest = await names()
    expect([cheapest[0], cheapest.at(-1)]).toEqual(['gpt-4o-mini', 'house-model'])
    await page.getByRole('textbox', { name: 'Model', exact: true }).fill('claude')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['claude-sonnet-4-5'])
  })
})

it('tells what a price would have meant before it is saved, and takes it back', async () => {
  await site.visit('/prices?edit=gpt-5', { storage }, async (page) => {
    await dollars(page, 'Input').fill('2.5')
    await dollars(page, 'Output').fill('20')
    const trial = panelOf(page).locator('.price-trial')
    await trial.getByText(/would have charged/).waitFor()
    // The other model is priced as this one; cached input costs as much as it did, of which there was none.
    await expect.poll(() => trial.innerText()).toMatch(/Input \$ per 1M\s+\$1\.25\s+\$2\.50\s+\+100%/)
    await expect.poll(() => trial.innerText()).toContain('would have charged $790.00 instead of $395.00')
    await expect.poll(() => trial.innerText()).toMatch(/the same price change, too: gpt-5-high/)
    await expect
      .poll(() => trial.innerText())
      .toMatch(/gpt-5-high\s+40 calls by 2 users\s+\$95\.00\s+\$190\.00\s+\+100%/)
    expect(site.inputs('prices.set')).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.getByText('price of gpt-5 saved').waitFor()
    await expect.poll(() => rowOf(page, 'gpt-5').innerText()).toMatch(/\$2\.50[\s\S]*\$20\.00[\s\S]*Set here/)
    expect(site.inputs('prices.set')).toMatchObject([
      { model: 'gpt-5', usd: { input: 2.5, output: 20, cache_read: 0.125 }, whole: true, version: expect.any(String) },
    ])
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rowOf(page, 'gpt-5').innerText()).toMatch(/\$1\.25[\s\S]*Built-in/)
    expect(site.inputs('prices.undo')).toEqual([{ change: 11 }])
  })
})

it('refuses what is no price at its field, and switches between tokens and requests', async () => {
  await site.visit('/prices', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Set a price' }).click()
    await panelOf(page).getByRole('combobox', { name: 'Model' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await panelOf(page).getByText('enter the name of a model').first().waitFor()
    await panelOf(page).getByRole('combobox', { name: 'Model' }).fill('brand-new')
    await page.keyboard.press('Enter')
    await dollars(page, 'Input').fill('much')
    await dollars(page, 'Output').fill('3')
    await panelOf(page).getByText('Please enter a number').waitFor()
    await dollars(page, 'Input').fill('0')
    await page.keyboard.press('Control+Enter')
    await panelOf(page).getByText('model price cannot be 0').first().waitFor()
    await panelOf(page).getByText('Per request').click()
    await expect.poll(() => dollars(page, 'Input').count()).toBe(0)
    await dollars(page, 'Call').fill('$0.04')
    await panelOf(page).getByText('More components').click()
    await panelOf(page).getByRole('button', { name: 'Add tier' }).last().click()
    await panelOf(page).getByLabel('Service tiers: Tier 1').fill('batch')
    await panelOf(page).getByLabel('Service tiers: Input × 1').fill('0.5')
    await panelOf(page).getByLabel('Service tiers: Output × 1').fill('0.5')
    await page.keyboard.press('Control+Enter')
    await page.getByText('price of brand-new saved').waitFor()
    expect(site.inputs('prices.set')).toMatchObject([
      { model: 'brand-new', usd: { call: 0.04 }, price: { tiers: { service: { batch: 0.5 } } }, whole: true },
    ])
  })
})

it('loses no change of somebody else: it shows theirs and asks whose stands', async () => {
  const shop = samplePrices()
  site.server.use(shop.handlers)
  await site.visit('/prices?edit=gpt-5', { storage, expected: /409/ }, async (page) => {
    await dollars(page, 'Input').fill('3')
    shop.put({ model: 'gpt-5', channel: '' }, { model_ratio: 4, completion_ratio: 2 }, 'own')
    await page.keyboard.press('Control+Enter')
    await panelOf(page)
      .getByText(/Another user has changed this price in the meantime.*Input \$8\.00/)
      .waitFor()
    await expect.poll(() => dollars(page, 'Input').inputValue()).toBe('3')
    expect(shop.row({ model: 'gpt-5', channel: '' }).dollars).toMatchObject({ input: 8 })
    await panelOf(page).getByRole('button', { name: 'Use their version' }).click()
    await expect.poll(() => dollars(page, 'Output').inputValue()).toBe('16')
    await dollars(page, 'Output').fill('9')
    await page.keyboard.press('Control+Enter')
    await page.getByText('price of gpt-5 saved').waitFor()
    expect(shop.row({ model: 'gpt-5', channel: '' }).dollars).toMatchObject({ input: 8, output: 9 })
  })
})

it('keeps a history, of which any price comes back with one click, and takes a price out', async () => {
  const shop = samplePrices()
  const of = { model: 'gpt-4o-mini', channel: '' }
  shop.put(of, { model_ratio: 1, completion_ratio: 2 }, 'own')
  shop.put(of, { model_ratio: 5 }, 'file')
  site.server.use(shop.handlers)
  await site.visit('/prices', { storage, width: 1600 }, async (page) => {
    await fromMenu(page, 'gpt-4o-mini', 'History of prices')
    await page.waitForURL(/tab=history.*keyword=gpt-4o-mini|keyword=gpt-4o-mini.*tab=history/)
    const older = page.getByRole('row').filter({ hasText: '$2.00 / $4.00' }).last()
    await expect.poll(() => older.innerText()).toMatch(/root[\s\S]*\$0\.15 \/ \$0\.60[\s\S]*\$2\.00 \/ \$4\.00/)
    await older.getByRole('button', { name: 'Return to this price' }).click()
    await page.getByText('gpt-4o-mini has this price again').waitFor()
    expect(shop.row(of).dollars).toMatchObject({ input: 2, output: 4 })
    expect(site.inputs('prices.apply')).toMatchObject([{ source: 'return 11' }])
    await page.getByRole('tab', { name: 'Prices', exact: true }).click()
    await fromMenu(page, 'gpt-4o-mini', 'Remove the price')
    await sayYes(page, 'Remove the price')
    await page.getByText('price of gpt-4o-mini removed').waitFor()
    expect(site.inputs('prices.remove')).toEqual([{ model: 'gpt-4o-mini', channel: '' }])
  })
})

it('names models that have no price, each with a way to set one', async () => {
  await site.visit('/prices?tab=missing', { storage, language: 'zh' }, async (page) => {
    const row = rowOf(page, 'house-model')
    await expect.poll(() => row.innerText()).toMatch(/有渠道[\s\S]*7/)
    await row.getByRole('button', { name: '设置价格' }).click()
    await dollars(page, '输入').fill('1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('house-model 的价格已保存').waitFor()
    await page.getByText('所有模型都有价格').waitFor()
  })
})

it('compares with a catalogue, row by row, and takes over what is chosen', async () => {
  await site.visit('/prices?tab=sync', { storage, width: 1600 }, async (page) => {
    await page.getByText('Another gateway').click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('enter an address').first().waitFor()
    await page.getByText('Weir’s own catalogue').click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/Compared with Weir’s own catalogue: 1 new, 2 changed, 1 the same/).waitFor()
    await expect
      .poll(() => rowOf(page, 'gpt-5').innerText())
      .toMatch(/Changed[\s\S]*\$1\.25 → \$2\.50[\s\S]*\$300\.00 → \$600\.00 \+100%/)
    await page.getByLabel('Select gpt-5', { exact: true }).check()
    await page
      .getByText('With the chosen prices the last 7 days would have charged $600.00 instead of $300.00.')
      .waitFor()
    await page.getByRole('button', { name: 'Import 1 models' }).click()
    await sayYes(page, 'Import 1 models')
    await page.getByText('prices and facts of 1 models imported').waitFor()
    expect(site.inputs('prices.apply')).toMatchObject([
      { source: 'builtin', changes: [{ model: 'gpt-5', version: expect.any(String), price: { model_ratio: 1.25 } }] },
    ])
    expect(site.inputs('prices.preview').at(-1)).toMatchObject({ days: 7, provider: '', all: false })
  })
})
