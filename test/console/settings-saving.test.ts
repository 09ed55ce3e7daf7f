// Saving settings: together or card by card, refusals at their fields, concurrent changes, and leaving the page.
import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { settingRows, storedText } from './screens/settings.ts'
import { at, atSetting, row, sentTo, type Sent } from './settings-page.ts'
import { navigate, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const sent = () => sentTo(site)

it.each([
  ['operation', "you don't seem to have changed anything"],
  ['ratelimit', 'You seem not to have changed anything'],
])('warns on the tab %s where nothing was changed', async (tab, warning) => {
  await site.visit(`/setting?tab=${tab}`, { storage }, async (page) => {
    await page
      .getByRole('button', { name: /^Save / })
      .first()
      .click()
    await page.getByText(warning, { exact: true }).waitFor()
    expect(sent()).toEqual([])
  })
})

it('shows what is not saved with its difference, saves a card alone, takes back, and discards the rest', async () => {
  await site.visit('/setting', { storage }, async (page) => {
    await row(page, 'RetryTimes').locator('input').fill('7')
    expect(await page.locator('.changes-bar').count()).toBe(0)
    await page.getByRole('link', { name: 'Groups and quota' }).click()
    await row(page, 'QuotaForInviter').locator('input').fill('0.5')
    await row(page, 'GroupRatio').getByLabel('Ratio: vip').fill('0.5')
    await page.getByRole('tab', { name: /Rate limit/ }).click()
    const rates = row(page, 'RateLimits')
    await rates.getByRole('button', { name: 'Edit as JSON' }).click()
    await rates.locator('textarea').fill('{"default": {"max_concurrent"')
    await rates.locator('textarea').blur()
    await rates.getByText('Not a valid JSON string').waitFor()
    expect(await rates.getByRole('button', { name: 'Edit as a table' }).isDisabled()).toBe(true)
    await rates.locator('textarea').fill('{"default": {"max_concurrent": 5}}')
    await rates.getByRole('button', { name: 'Edit as a table' }).click()
    await expect.poll(() => rates.getByLabel(/: Concurrent calls$/).inputValue()).toBe('5')
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    const item = (name: string) => dialog.locator('li').filter({ hasText: name })
    await expect.poll(() => item('GroupRatio').innerText()).toMatch(/vip\s+1\s+→\s+0\.5/)
    expect(await item('GroupRatio').innerText()).not.toContain('svip')
    await expect.poll(() => item('RetryTimes').innerText()).toMatch(/2\s+→\s+7/)
    await dialog.getByRole('button', { name: 'Undo: Quota for inviting' }).click()
    await dialog.getByRole('button', { name: 'Retries', exact: true }).click()
    await expect
      .poll(() =>
        row(page, 'RetryTimes')
          .locator('input')
          .evaluate((one) => one === document.activeElement),
      )
      .toBe(true)
    await page.getByText('3 unsaved changes').first().waitFor()
    await page.getByRole('button', { name: 'Save general' }).click()
    await page.getByText('saved', { exact: true }).waitFor()
    expect(sent()).toEqual([[{ key: 'RetryTimes', value: '7', was: '2' }]])
    await page.getByText('2 unsaved changes').first().waitFor()
    await page.locator('.changes-bar').getByRole('button', { name: 'Discard' }).click()
    await sayYes(page, 'Discard')
    await page.locator('.changes-bar').waitFor({ state: 'hidden' })
    await navigate(page, atSetting('GroupRatio'))
    await expect.poll(() => row(page, 'GroupRatio').getByLabel('Ratio: vip').inputValue()).toBe('1')
  })
})

it('checks the input: numbers and JSON at their fields with the place of the fault, and sends nothing', async () => {
  await site.visit('/setting', { storage }, async (page) => {
    await row(page, 'RetryTimes').locator('input').fill('99')
    await navigate(page, atSetting('FallbackModels'))
    const json = row(page, 'FallbackModels').locator('textarea')
    await json.fill('{\n  "default": {\n    x\n  }\n}')
    await json.blur()
    await row(page, 'FallbackModels').getByText('Not a valid JSON string').first().waitFor()
    await row(page, 'FallbackModels').getByText('(line 3, column 5)').waitFor()
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await page.getByText('Please check the input', { exact: true }).waitFor()
    await row(page, 'RetryTimes').getByText('Enter 20 or less').waitFor()
    expect(sent()).toEqual([])
    await row(page, 'RetryTimes').locator('input').fill('')
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await row(page, 'RetryTimes').getByText('Please enter a number').waitFor()
    await navigate(page, atSetting('FallbackModels'))
    await json.fill('{"default":{"a":["b"]}}')
    await row(page, 'FallbackModels').getByRole('button', { name: 'Format' }).click()
    await expect.poll(() => json.inputValue()).toBe('{\n  "default": {\n    "a": [\n      "b"\n    ]\n  }\n}')
  })
})

it('shows what the server refuses at its field, on whichever tab that is', async () => {
  site.server.use({
    'settings.update': () => ({
      refuse: 'set the server address first',
      field: 'PayAddress',
      code: 'setting.needs_server_address',
    }),
  })
  await site.visit(at('system.epay'), { storage }, async (page) => {
    await row(page, 'PayAddress').locator('input').fill('https://pay.example.com')
    await page.getByRole('tab', { name: 'Models', exact: true }).click()
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await row(page, 'PayAddress').getByText('set the server address first').waitFor()
    await expect.poll(() => page.locator('.toast').innerText()).toContain('Set the server address first')
  })
})

describe('what is said where a save fails', () => {
  const lost = (route: Route) => route.abort()
  const empty = (route: Route) => route.fulfill({ status: 200, body: '' })
  const half = (route: Route) => route.fulfill({ status: 200, json: {} })
  const PARTLY = 'Partial save failed, please retry'
  const one = ['RetryTimes']
  const several = ['RetryTimes', 'QuotaPerUnit']
  it.each([
    {
      language: 'en' as const,
      cases: [
        { title: 'one, and nobody can be reached', keys: one, says: 'Save failed, please retry', route: lost },
        { title: 'several, and nobody can be reached', keys: several, says: PARTLY, route: lost },
        { title: 'one, and nothing comes back', keys: one, says: 'Save failed', route: empty },
        { title: 'one, and what comes back says nothing', keys: one, says: 'Save failed', route: half },
        { title: 'several, and nothing comes back', keys: several, says: PARTLY, route: empty },
      ],
    },
    {
      language: 'zh' as const,
      cases: [
        { title: 'one', keys: one, says: '保存失败', route: empty },
        { title: 'several', keys: several, says: '有一部分没有保存成功，请重试', route: empty },
      ],
    },
  ])('of one and of several, whatever fails ($language)', async ({ language, cases }) => {
    await site.visit('/setting', { storage, language, expected: /ERR_|Failed to load/ }, async (page) => {
      const foot = page.locator('.settings-foot')
      const changed = foot.locator('button').nth(1)
      const toasts = page.locator('.toast')
      for (const { title, keys, says, route } of cases) {
        for (const key of keys) await row(page, key).locator('input').fill('7')
        await page.route('**/api/option/', (call) =>
          call.request().method() === 'PUT' ? route(call) : call.continue(),
        )
        await foot.locator('button').last().click()
        if (keys.includes('QuotaPerUnit')) await sayYes(page, language === 'en' ? 'Save' : '保存')
        await expect.poll(() => toasts.getByText(says, { exact: true }).count(), { message: title }).toBe(1)
        // What was typed is kept, to be saved again.
        for (const key of keys) await expect.poll(() => row(page, key).locator('input').inputValue()).toBe('7')
        await changed.waitFor()
        await page.unroute('**/api/option/')
        for (const toast of await toasts.all()) await toast.getByRole('button').last().click()
        await expect.poll(() => toasts.count()).toBe(0)
        for (const key of keys) await row(page, key).locator('input').fill(storedText(key))
        await changed.waitFor({ state: 'detached' })
      }
    })
  })

  it('of several settings, and only some are refused', async () => {
    site.server.use({ 'settings.update': () => ({ refuse: 'at most 5', field: 'RetryTimes', code: 'setting.value' }) })
    await site.visit('/setting', { storage }, async (page) => {
      for (const key of several) await row(page, key).locator('input').fill('7')
      await page.getByRole('button', { name: 'Save general' }).click()
      await sayYes(page, 'Save')
      const toasts = page.locator('.toast')
      await toasts.getByText('Partial save failed, please retry', { exact: true }).waitFor()
      await toasts.getByText('at most 5', { exact: true }).waitFor()
      await row(page, 'RetryTimes').getByText('at most 5').waitFor()
      await page.getByRole('link', { name: 'Monitoring' }).click()
      await page.getByText('2 unsaved changes').first().waitFor()
    })
  })
})

it('shows both values where somebody else has changed one meanwhile, and saves over it only when told', async () => {
  const theirs = () => settingRows().map((one) => (one.key === 'RetryTimes' ? { ...one, value: '5' } : one))
  site.server.use({
    'settings.update': ({ options }) =>
      (options as Sent[]).some(({ was }) => was === '2')
        ? { refuse: 'It has been changed since (RetryTimes, by ada)', code: 'edit.conflict' }
        : { data: null, beside: { message: '' } },
  })
  await site.visit('/setting', { storage }, async (page) => {
    await row(page, 'RetryTimes').locator('input').fill('7')
    site.server.use({ 'settings.list': () => ({ data: theirs() }) })
    await page.getByRole('button', { name: 'Save general' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/by ada/).waitFor()
    await expect.poll(() => dialog.getByRole('row').last().innerText()).toMatch(/Retries\s+5\s+7/)
    await dialog.locator('.dialog-foot button').last().click()
    await page.getByText('saved', { exact: true }).waitFor()
    expect(sent().at(-1)).toEqual([{ key: 'RetryTimes', value: '7', was: '5' }])
  })
})

it('makes a setting its default again, and forgets a secret that it never shows', async () => {
  await site.visit('/setting?q=QuotaForNewUser', { storage }, async (page) => {
    await row(page, 'QuotaForNewUser').getByText('Default: $0.00').waitFor()
    await row(page, 'QuotaForNewUser')
      .getByRole('button', { name: /^Reset/ })
      .click()
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await page.getByText('saved', { exact: true }).waitFor()
    expect(sent().at(-1)).toEqual([{ key: 'QuotaForNewUser', value: null, was: '500000' }])
    await page.getByRole('searchbox').fill('SMTPToken')
    const secret = row(page, 'SMTPToken')
    await expect.poll(() => secret.locator('input').getAttribute('placeholder')).toBe('Set. Empty keeps it')
    await expect.poll(() => secret.textContent()).toContain('sensitive values are never sent to the page')
    await secret.locator('input').fill('new')
    await page.getByRole('button', { name: 'Review' }).click()
    await expect.poll(() => page.getByRole('dialog').innerText()).toMatch(/set\s+→\s+not shown/)
    await page.keyboard.press('Escape')
    await secret.getByRole('button', { name: 'Forget Mail password' }).click()
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await expect.poll(() => sent().at(-1)).toEqual([{ key: 'SMTPToken', value: null }])
    await page.getByRole('searchbox').fill('ServerAddress')
    await row(page, 'ServerAddress')
      .getByText(/Changed by root/)
      .waitFor()
  })
})

it('asks before it is left with unsaved changes: by a link, back, and not between its own tabs', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'System settings' }).click()
    await row(page, 'RetryTimes').locator('input').fill('7')
    await page.getByRole('tab', { name: 'Models', exact: true }).click()
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(new URL(page.url()).pathname).toBe('/setting')
    await page.goBack()
    await page.getByRole('tab', { name: /Operation/, selected: true }).waitFor()
    await page.goBack()
    await page.getByText('Leave without saving?').waitFor()
    await expect.poll(() => row(page, 'RetryTimes').locator('input').inputValue()).toBe('7')
    await sayYes(page, 'Leave')
    await page.waitForURL('**/token')
    await page.getByRole('row').filter({ hasText: 'laptop' }).waitFor()
  })
})

it('says that the settings could not be loaded, and tries again', async () => {
  site.server.use({ 'settings.list': () => ({ refuse: 'x', status: 500 }) })
  await site.visit('/setting', { storage, expected: /500/ }, async (page) => {
    await page.getByText('Refresh failed').waitFor()
    site.server.use({ 'settings.list': () => ({ data: settingRows() }) })
    await page.getByRole('button', { name: 'Retry' }).click()
    await row(page, 'RetryTimes').waitFor()
  })
})
