// The descriptions of tokens in their list, and the search by key.
import { expect, it } from 'vitest'
import { listed, root, signedIn, token } from './sample-data.ts'
import { useConsole, setFilter } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('says above the list what tokens are for, and not for', async () => {
  for (const [language, banner] of [
    ['en', 'tokens cannot control usage precisely, are for personal use and must not be given to others'],
    ['zh', '令牌不能精确限制用量，只供本人使用，请不要交给别人'],
  ] as const)
    await site.visit('/token', { storage, language }, async (page) => {
      await page.getByText(banner, { exact: true }).waitFor()
    })
})

it('finds tokens by their key, and by name and key together', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await setFilter(page, 'Key', 'sk-abc')
    await expect.poll(() => site.inputs('tokens.search').at(-1)).toMatchObject({ token: 'sk-abc' })
    await page.getByLabel('Keyword').fill('prod')
    await page.keyboard.press('Enter')
    await expect.poll(() => site.inputs('tokens.search').at(-1)).toMatchObject({ keyword: 'prod', token: 'sk-abc' })
    expect(new URL(page.url()).search).toMatch(/keyword=prod.*token=sk-abc|token=sk-abc.*keyword=prod/)
  })
})

it('has a word and a colour for every state, and shades what is out of use', async () => {
  const states = [
    ['one', { status: 1 }, 'enabled', 'green'],
    ['two', { status: 1, model_limits_enabled: true }, 'enabled with model limits', 'green'],
    ['three', { status: 2 }, 'disabled', 'red'],
    ['four', { status: 3 }, 'expired', 'yellow'],
    ['five', { status: 4 }, 'exhausted', 'grey'],
    ['six', { status: 9 }, 'unknown', 'grey'],
  ] as const
  site.server.use({
    'tokens.list': () => listed(states.map(([name, change], at) => token(60 - at, { name, ...change }))),
  })
  await site.visit('/token', { storage, width: 1600 }, async (page) => {
    for (const [name, { status }, said, color] of states) {
      const row = page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
      const tag = row.locator('.tag').filter({ hasText: new RegExp(`^${said}$`) })
      await tag.waitFor()
      expect(await tag.evaluate((one) => one.style.color), name).toContain(`--semi-${color}-`)
      expect((await row.locator('xpath=..').getAttribute('class')) ?? '', name).toMatch(status === 1 ? /^$/ : /shaded/)
    }
  })
})

it('offers the usual ends and quotas of a new token, and begins with a dollar and no end', async () => {
  const DAY = 86_400
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click()
    const panel = page.getByRole('dialog', { name: 'New API token' })
    const quota = panel.locator('[data-field=remain_quota] input')
    await expect.poll(() => quota.inputValue()).toBe('1.00')
    for (const pick of ['$1', '$10', '$50', '$100', '$500', '$1000']) {
      await panel.getByRole('button', { name: pick, exact: true }).click()
      expect(await quota.inputValue(), pick).toBe(`${pick.slice(1)}.00`)
    }
    await panel.locator('[data-field=remain_quota]').getByRole('button', { name: 'In units' }).click()
    expect(await quota.inputValue()).toBe('500000000')
    for (const count of ['10', '20', '30', '100'])
      await panel.getByRole('button', { name: count, exact: true }).waitFor()
    await panel.getByLabel('Name', { exact: true }).last().fill('a month')
    await panel.getByRole('button', { name: '1 month' }).click()
    await panel.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Create token' }).click()
    await panel.getByLabel('Name', { exact: true }).last().fill('ever')
    await panel.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    const [month, ever] = site.inputs('tokens.create')
    expect(Math.abs(Number(month!['expired_time']) - (Date.now() / 1000 + 30 * DAY))).toBeLessThan(120)
    expect(ever).toMatchObject({ expired_time: -1, remain_quota: 500_000 })
  })
})
