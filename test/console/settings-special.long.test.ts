// Parts of single settings other than a field: tables, rows, previews, the log's clean-up, releases.
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { settingRows } from './screens/settings.ts'
import { at, atSetting, card, row, sentTo } from './settings-page.ts'
import { navigate, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const sent = () => sentTo(site)

it('has all groups in one table: ratio and description together, who has them, and a removal that says what it does', async () => {
  await site.visit(at('operation.groups'), { storage }, async (page) => {
    const groups = row(page, 'GroupRatio')
    await groups.getByText('12 users, 30 tokens, 4 channels').waitFor()
    await groups.getByRole('button', { name: 'Add group' }).click()
    await groups.getByLabel('Group 4').fill('gold')
    await groups.getByLabel('Ratio: gold').fill('0.8')
    await groups.getByLabel('Users can choose it: gold').check({ force: true })
    await groups.getByLabel('Description for users: gold').fill('Gold')
    await groups.getByLabel('Users can choose it: vip').uncheck({ force: true })
    await page.getByRole('button', { name: 'Save groups and quota' }).click()
    await page.getByText('Tokens of a group that is taken out are refused').last().waitFor()
    await sayYes(page, 'Save')
    await page.getByText('saved', { exact: true }).waitFor()
    const [options] = sent()
    expect(Object.fromEntries(options!.map(({ key, value }) => [key, JSON.parse(value!)]))).toEqual({
      GroupRatio: { default: 1, vip: 1, svip: 1, gold: 0.8 },
      UserUsableGroups: { default: 'Default group', gold: 'Gold' },
    })
    await groups.getByRole('button', { name: 'Remove vip' }).click()
    await page.getByText(/^2 users, 3 tokens and 1 channels have it/).waitFor()
    await sayYes(page, 'Remove')
    await page.getByText('group vip removed').waitFor()
    expect(site.inputs('groups.remove')).toEqual([{ name: 'vip', in_use: true }])
  })
})

it('writes chat links row by row with what they become, and keeps their order', async () => {
  await site.visit(at('operation.chat'), { storage }, async (page) => {
    const chats = row(page, 'Chats')
    await chats.getByText('Leads to https://lobe.example.com/?key=sk-…&url=').waitFor()
    await chats.getByRole('button', { name: 'Add chat' }).click()
    await chats.getByLabel('Chat links: Name 2').fill('Cherry')
    await chats.getByLabel('Chat links: Link 2').fill('cherrystudio://providers?key={key}')
    await chats.getByRole('button', { name: 'Move Cherry up' }).click()
    await page.getByRole('button', { name: 'Save chat' }).click()
    await page.getByText('saved', { exact: true }).waitFor()
    expect(JSON.parse(sent()[0]![0]!.value!)).toEqual([
      { Cherry: 'cherrystudio://providers?key={key}' },
      { Lobe: 'https://lobe.example.com/?key={key}&url={address}' },
    ])
  })
})

it('has the rate limits and top-up ratios of groups as rows', async () => {
  site.server.use({
    'settings.list': () => ({
      data: settingRows().map((one) => (one.key === 'ModelRequestRateLimitEnabled' ? { ...one, value: 'true' } : one)),
    }),
  })
  await site.visit('/setting?tab=ratelimit', { storage }, async (page) => {
    const rates = row(page, 'ModelRequestRateLimitGroup')
    await rates
      .getByText('A group rule overrides the global rule and uses the global period')
      .or(rates.getByText('a group rule overrides the global rule and uses the global period'))
      .first()
      .waitFor()
    await rates.getByRole('button', { name: 'Add a row' }).click()
    await rates.getByLabel(/: Group 1/).fill('vip')
    await rates.getByLabel(/: Successful requests$/).fill('5000')
    await navigate(page, atSetting('TopupGroupRatio'))
    await row(page, 'TopupGroupRatio')
      .getByLabel(/: Ratio 2/)
      .fill('0.9')
    await page.getByRole('button', { name: 'Save all', exact: true }).click()
    await page.getByText(/^(saved|update succeeded)$/).waitFor()
    expect(sent()[0]!.map(({ key, value }) => [key, JSON.parse(value!)])).toEqual([
      ['ModelRequestRateLimitGroup', { vip: [0, 5000] }],
      ['TopupGroupRatio', { default: 1, vip: 0.9, svip: 1 }],
    ])
  })
})

it('shows fields only beside the switch that they need', async () => {
  await site.visit(at('models.global'), { storage }, async (page) => {
    await row(page, 'general_setting.ping_interval_enabled').waitFor()
    await expect.poll(() => row(page, 'general_setting.ping_interval_seconds').count()).toBe(0)
    await row(page, 'general_setting.ping_interval_enabled').locator('[role=switch]').click()
    await row(page, 'general_setting.ping_interval_seconds').waitFor()
    await row(page, 'general_setting.ping_interval_enabled')
      .getByText('once ping bytes are written a failing request cannot be retried; choose a long interval')
      .waitFor()
  })
})

it('shows what notice and footer will look like, with nothing in them that runs; each has its own button', async () => {
  await site.visit('/setting?tab=other', { storage }, async (page) => {
    const notice = row(page, 'Notice')
    await notice.getByRole('button', { name: 'Preview' }).click()
    await notice.getByRole('heading', { name: 'Hello' }).waitFor()
    await notice
      .locator('textarea')
      .first()
      .fill('<b>bold</b><script>window.ran = 1</script><img src=x onerror="window.ran = 1">')
    await notice.locator('.rich-text b').waitFor()
    await expect.poll(() => page.evaluate(() => 'ran' in window)).toBe(false)
    await row(page, 'HomePageContent').locator('textarea').first().fill('https://home.example.com')
    await row(page, 'HomePageContent').getByRole('button', { name: 'Preview' }).click()
    await row(page, 'HomePageContent').getByText('This page is shown in a frame: https://home.example.com').waitFor()
    await notice.getByRole('button', { name: 'Set notice', exact: true }).click()
    await page.getByText('notice updated').waitFor()
    expect(sent().map((options) => options.map(({ key }) => key))).toEqual([['Notice']])
  })
})

it('cleans the log up after a question, from a month ago where nothing else is chosen, and shows how far it is', async () => {
  await site.visit(at('operation.logs'), { storage }, async (page) => {
    const logs = card(page, 'operation.logs')
    const date = logs.getByLabel('Remove rows older than').last()
    const month = Date.now() / 1000 - 30 * 86_400
    await logs.getByRole('button', { name: 'Clear log' }).click()
    await page.getByText(/^Remove all log rows older than /).waitFor()
    await page.getByText('1,200 rows of calls, 30 of failed calls, 4 of account events.').waitFor()
    expect(site.inputs('logs.cleanUp')).toEqual([])
    await sayYes(page, 'Clear log')
    await page.getByText('1,234 log rows removed').waitFor()
    expect(Math.abs(Number(site.inputs('logs.cleanUp')[0]!['target_timestamp']) - month)).toBeLessThan(120)

    await date.fill('')
    await logs.getByRole('button', { name: 'Clear log' }).click()
    await page.getByText('choose a date first').waitFor()

    await date.fill('2026-01-02T03:04:05')
    site.server.use({ 'logs.cleanUp': () => ({ refuse: 'A clean-up of the log is already in progress' }) })
    await logs.getByRole('button', { name: 'Clear log' }).click()
    await sayYes(page, 'Clear log')
    await page.getByText('log clean-up failed: A clean-up of the log is already in progress').waitFor()

    const progress = (running: boolean, removed: number) => ({
      'logs.cleanUpProgress': () => ({ data: { running, target_timestamp: 1, removed, total: 5000, kinds: [] } }),
    })
    site.server.use({ 'logs.cleanUp': () => ({ data: 40, beside: { running: true } }), ...progress(true, 2000) })
    await logs.getByRole('button', { name: 'Clear log' }).click()
    await sayYes(page, 'Clear log')
    await logs.getByText('Removing: 2,000 of 5,000').waitFor()
    site.server.use(progress(false, 5000))
    await page.getByText('5,000 log rows removed').waitFor()
  })
})

it('shows the version, and a newer one with its notes, in which nothing runs', async () => {
  await site.visit(at('other.version'), { storage }, async (page) => {
    const version = card(page, 'other.version')
    await version.getByText('0.1.0').waitFor()
    await version.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByRole('heading', { name: 'new version: v9.0.0' }).waitFor()
    await page.getByRole('dialog').getByRole('heading', { name: 'News' }).waitFor()
    await page.keyboard.press('Escape')
    site.server.use({
      'site.release': () => ({ data: { current: '0.1.0', tag_name: 'v0.1.0', body: '', newer: false } }),
    })
    await version.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('already the latest version: v0.1.0').waitFor()
    site.server.use({ 'site.release': () => ({ refuse: 'check for updates failed' }) })
    await version.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('check for updates failed').waitFor()
  })
})

it('is led to by the palette, card by card', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'laptop' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('settings: system, mail')
    await page.getByRole('option', { name: 'Settings: System, Mail' }).click()
    await page.waitForURL('**/setting?tab=system#system.smtp')
    await row(page, 'SMTPServer').waitFor()
    await expect.poll(async () => (await card(page, 'system.smtp').boundingBox())!.y).toBeLessThan(300)
  })
})
