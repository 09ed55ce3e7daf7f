// The card of model prices in the settings and the prices: JSON maps, the same as a table, models without a price,
// several changes at once.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import type { Handlers } from './fake-server.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

/** Settings that are checked and kept as the server does it. */
function shop(maps: Record<string, object>, enabled: readonly string[] = []) {
  const kept = new Map(Object.entries(maps).map(([key, table]) => [key, JSON.stringify(table, null, 2)]))
  const handlers: Handlers = {
    'settings.list': () => ({ data: [...kept].map(([key, value]) => ({ key, value })) }),
    'settings.update': ({ options }) => {
      const changes = options as { key: string; value: string; was: string }[]
      if (changes.some(({ key, was }) => kept.get(key) !== was))
        return { refuse: 'changed by eva', code: 'edit.conflict', status: 409 }
      for (const { key, value } of changes) kept.set(key, value)
      return { data: null, beside: { message: '' } }
    },
    'settings.resetPrices': () => ({ data: null, beside: { message: 'model ratios reset' } }),
    'channels.modelsEnabled': () => ({ data: [...enabled] }),
  }
  site.server.use(handlers)
  return {
    set: (key: string, table: object) => kept.set(key, JSON.stringify(table, null, 2)),
    get: (key: string) => JSON.parse(kept.get(key) ?? '{}') as object,
  }
}

const MAPS = {
  ModelPrice: { 'dall-e-3': 0.04 },
  ModelRatio: { 'gpt-5': 0.625, ada: 10 },
  CompletionRatio: { 'gpt-5': 8 },
}
const card = (page: Page) => page.getByRole('region', { name: 'Model prices' })
const cell = (page: Page, name: string) => card(page).getByRole('textbox', { name, exact: true })
const open = (view: string) => `/prices?tab=ratios&prices=${view}`
const messages = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text }).first().waitFor()

it('checks maps when they are left, formats them, saves them together, and resets the ratios', async () => {
  const kept = shop(MAPS)
  await site.visit(open('maps'), { storage }, async (page) => {
    const save = () => card(page).getByRole('button', { name: 'Save model ratios' }).click()
    await save()
    await messages(page, "you don't seem to have changed anything")
    await cell(page, 'Model ratio').fill('{"gpt-5":')
    await cell(page, 'Model price').fill('{"dall-e-3":0.08}')
    await card(page).getByText('Not a valid JSON string').waitFor()
    await save()
    await messages(page, 'Please check the input')
    expect(site.inputs('settings.update')).toEqual([])
    await cell(page, 'Model ratio').fill('{"gpt-5":1}')
    await card(page).locator('[data-field=ModelRatio]').getByRole('button', { name: 'Format' }).click()
    await expect.poll(() => cell(page, 'Model ratio').inputValue()).toBe('{\n  "gpt-5": 1\n}')
    await save()
    await messages(page, 'saved')
    expect([kept.get('ModelRatio'), kept.get('ModelPrice')]).toEqual([{ 'gpt-5': 1 }, { 'dall-e-3': 0.08 }])
    expect(site.inputs('settings.update')).toHaveLength(1)
    await card(page).getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByText('Reset the model ratios?').waitFor()
    await sayYes(page, 'Reset model ratios')
    await messages(page, 'model ratios reset')
    expect(site.inputs('settings.resetPrices')).toHaveLength(1)
  })
})

it('says that saving several maps has failed, and keeps what was typed', async () => {
  shop(MAPS)
  await site.visit(open('maps'), { storage }, async (page) => {
    await cell(page, 'Model ratio').fill('{"gpt-5":1}')
    await cell(page, 'Model price').fill('{"dall-e-3":0.08}')
    await page.route('**/api/option/', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 200, body: '' }) : route.continue(),
    )
    await card(page).getByRole('button', { name: 'Save model ratios' }).click()
    await page.locator('.toast').getByText('Partial save failed, please retry', { exact: true }).waitFor()
    await expect.poll(() => cell(page, 'Model ratio').inputValue()).toBe('{"gpt-5":1}')
  })
})

it('shows the maps as a table that is typed in, and saves nothing until the changes are applied', async () => {
  const kept = shop(MAPS)
  await site.visit(open('visual'), { storage }, async (page) => {
    await cell(page, 'Model ratio: gpt-5').fill('much')
    await page.keyboard.press('Enter')
    await messages(page, 'Please enter a number')
    await expect.poll(() => cell(page, 'Model ratio: gpt-5').inputValue()).toBe('0.625')
    // A fixed price clears the ratios, which are off beside it.
    await cell(page, 'Fixed price: gpt-5').fill('0.5')
    await page.keyboard.press('Enter')
    await expect.poll(() => cell(page, 'Model ratio: gpt-5').isDisabled()).toBe(true)
    await expect.poll(() => cell(page, 'Model ratio: gpt-5').inputValue()).toBe('')
    await card(page).getByText('1 unsaved changes').waitFor()
    expect(site.inputs('settings.update')).toEqual([])
    await card(page).getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => cell(page, 'Model ratio: gpt-5').inputValue()).toBe('0.625')

    await card(page).getByLabel('Search model name').fill('dall')
    await expect.poll(() => card(page).locator('tbody th').allInnerTexts()).toEqual(['dall-e-3'])
    await card(page).getByLabel('Search model name').fill('')
    await fromMenu(page, 'ada', 'Delete')
    await messages(page, 'ada removed')
    await card(page).getByRole('button', { name: 'Apply changes' }).click()
    await messages(page, 'saved')
    expect(kept.get('ModelRatio')).toEqual({ 'gpt-5': 0.625 })
  })
})

it('adds and edits by ratio, by price and per request, each clearing what the other way says', async () => {
  const kept = shop(MAPS)
  await site.visit(open('visual'), { storage }, async (page) => {
    const dialog = page.getByRole('dialog')
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
    await card(page).getByRole('button', { name: 'Add model' }).click()
    await field('Model name').fill('ada')
    await field('Model ratio').fill('1')
    await dialog.getByRole('button', { name: 'Set' }).click()
    await dialog.getByText('Model name already exists').first().waitFor()
    await field('Model name').fill('house')
    await dialog.getByText('By price').click()
    await expect.poll(() => field('Input price').inputValue()).toBe('2')
    await field('Input price').fill('0')
    await field('Output price').fill('3')
    await dialog.getByRole('button', { name: 'Set' }).click()
    await dialog.getByText('model price cannot be 0').first().waitFor()
    await field('Input price').fill('1.5')
    await field('Output price').fill('6')
    await dialog.getByText('By ratio').click()
    expect([await field('Model ratio').inputValue(), await field('Completion ratio').inputValue()]).toEqual([
      '0.75',
      '4',
    ])
    await dialog.getByRole('button', { name: 'Set' }).click()
    await messages(page, 'added')

    await page.getByRole('row').filter({ hasText: 'gpt-5' }).getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => field('Model name').isDisabled()).toBe(true)
    await dialog.getByText('Per request').click()
    await dialog.getByText('Per token').click()
    await expect.poll(() => field('Model ratio').inputValue()).toBe('')
    await dialog.getByText('Per request').click()
    await field('Fixed price').fill('0.2')
    await dialog.getByRole('button', { name: 'Set' }).click()
    await messages(page, 'updated')
    await card(page).getByRole('button', { name: 'Apply changes' }).click()
    await messages(page, 'saved')
    expect(kept.get('ModelPrice')).toEqual({ 'dall-e-3': 0.04, 'gpt-5': 0.2 })
    expect(kept.get('ModelRatio')).toEqual({ ada: 10, house: 0.75 })
    expect(kept.get('CompletionRatio')).toEqual({ house: 4 })
  })
})

it('keeps what somebody else has saved meanwhile, and says where both have changed the same', async () => {
  const kept = shop(MAPS)
  await site.visit(open('visual'), { storage, expected: /409/ }, async (page) => {
    const type = async (name: string, value: string) => {
      await cell(page, name).fill(value)
      await page.keyboard.press('Enter')
    }
    await type('Model ratio: ada', '11')
    kept.set('ModelRatio', { 'gpt-5': 3, ada: 10 })
    const apply = () => card(page).getByRole('button', { name: 'Apply changes' }).click()
    await apply()
    await messages(page, 'saved')
    expect(kept.get('ModelRatio')).toEqual({ 'gpt-5': 3, ada: 11 })
    await type('Model ratio: ada', '12')
    kept.set('ModelRatio', { 'gpt-5': 4, ada: 9 })
    await apply()
    await card(page)
      .getByText(/Another user has changed the same prices in the meantime: ada/)
      .waitFor()
    expect(kept.get('ModelRatio')).toEqual({ 'gpt-5': 4, ada: 9 })
    await expect.poll(() => cell(page, 'Model ratio: ada').inputValue()).toBe('12')
    await apply()
    await expect.poll(() => kept.get('ModelRatio')).toEqual({ 'gpt-5': 4, ada: 12 })
  })
})

it('lists enabled models that have neither, and sets several at once in four ways', async () => {
  const kept = shop(MAPS, ['gpt-5', 'one', 'two', 'three'])
  await site.visit(open('unset'), { storage }, async (page) => {
    const names = () => card(page).locator('tbody th').allInnerTexts()
    await expect.poll(names).toEqual(['one', 'three', 'two'])
    await card(page)
      .getByText(/they leave the list once set/i)
      .waitFor()
    await card(page).getByRole('button', { name: 'Batch set (0)' }).click()
    await messages(page, 'Please select models to batch-set first')
    const dialog = page.getByRole('dialog')
    const batch = async (model: string, kind: string, values: string[], said: string) => {
      await card(page).getByLabel(`Select ${model}`, { exact: true }).check()
      await card(page).getByRole('button', { name: 'Batch set (1)' }).click()
      await dialog.getByText(kind, { exact: true }).click()
      await dialog.getByRole('button', { name: 'Set', exact: true }).click()
      await messages(
        page,
        values.length > 1 ? 'enter both the model ratio and the completion ratio' : 'Please enter a fill value',
      )
      await dialog.getByRole('textbox').first().fill('lots')
      if (values.length > 1) await dialog.getByRole('textbox').last().fill('x')
      await dialog.getByRole('button', { name: 'Set', exact: true }).click()
      await messages(page, 'enter a valid number')
      await dialog.getByRole('textbox').first().fill(values[0]!)
      if (values.length > 1) await dialog.getByRole('textbox').last().fill(values[1]!)
      await dialog.getByRole('button', { name: 'Set', exact: true }).click()
      await messages(page, `batch set for 1 models: ${said}`)
    }
    await batch('one', 'Fixed price', ['0.1'], 'Fixed price')
    await batch('two', 'Model ratio and completion ratio', ['2', '3'], 'Model ratio and completion ratio')
    await batch('three', 'Model ratio', ['5'], 'Model ratio')
    await batch('three', 'Completion ratio', ['4'], 'Completion ratio')
    expect(site.inputs('settings.update')).toEqual([])
    await card(page).getByRole('button', { name: 'Apply changes' }).click()
    await messages(page, 'saved')
    expect(kept.get('ModelPrice')).toEqual({ 'dall-e-3': 0.04, one: 0.1 })
    expect(kept.get('ModelRatio')).toEqual({ ...MAPS.ModelRatio, two: 2, three: 5 })
    expect(kept.get('CompletionRatio')).toEqual({ 'gpt-5': 8, two: 3, three: 4 })
    await card(page).getByText('there are no models without a ratio').waitFor()
  })
})

it('says where the enabled models cannot be had, and in Chinese', async () => {
  shop(MAPS)
  site.server.use({ 'channels.modelsEnabled': () => ({ refuse: 'x', status: 500 }) })
  await site.visit(open('unset'), { storage, language: 'zh', expected: /500/ }, async (page) => {
    await page.getByText('获取已启用模型失败').waitFor()
  })
})
