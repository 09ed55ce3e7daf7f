// The list of the usage log: its columns by who looks and by choice, its filters, and who made a call.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { logEntry, reader, root, signedIn } from './sample-data.ts'
import { page as paged } from './samples.ts'
import { person } from './sample-users.ts'
import { filterChip, setFilter, useConsole } from './visit.ts'

const site = useConsole()
const WIDE = 1920

const OF_ALL = [
  'Time',
  'Type',
  'Token',
  'Group',
  'Model',
  'Operation',
  'Time / first token',
  'Stream',
  'Prompt',
  'Completion',
]
const REST = ['Cost', 'Details']
const OF_ADMINS = ['User', 'Channel', 'Retry']

const ready = (page: Page) => page.getByText('$0.008642').first().waitFor()
const heads = async (page: Page) =>
  (await page.locator('main thead th').allInnerTexts()).map((head) => head.trim()).filter((head) => head !== '')

/** What the dialog of columns offers beside all of them at once. */
async function offered(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Column settings' }).click()
  await page.getByRole('dialog').locator('.column-choices').waitFor()
  const names = await page.getByRole('dialog').locator('.column-choices label, .column-choices .semi-checkbox').all()
  const texts = await Promise.all(names.map((name) => name.innerText()))
  return [...new Set(texts.map((text) => text.trim()))]
}

it('has columns for users, and three more for administrators, which nobody else is offered', async () => {
  await site.visit('/log', { storage: signedIn(root), width: WIDE }, async (page) => {
    await ready(page)
    expect((await offered(page)).sort()).toEqual([...OF_ALL, ...REST, ...OF_ADMINS].sort())
    await page.keyboard.press('Escape')
    for (const name of OF_ADMINS) expect(await heads(page)).toContain(name)
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'consumption' }).first().innerText())
      .toContain('3->7')
  })
  await site.visit('/log', { storage: signedIn(reader), width: WIDE }, async (page) => {
    await ready(page)
    expect((await offered(page)).sort()).toEqual([...OF_ALL, ...REST].sort())
    await page.keyboard.press('Escape')
    for (const name of OF_ADMINS) expect(await heads(page)).not.toContain(name)
  })
})

it('hides columns once that is confirmed, remembers it, and has them all again', async () => {
  await site.visit('/log', { storage: signedIn(root), width: WIDE }, async (page) => {
    await ready(page)
    const uncheck = async (answer: string) => {
      await page.getByRole('button', { name: 'Column settings' }).click()
      await page.getByRole('dialog').getByText('Token', { exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await uncheck('Cancel')
    expect(await heads(page)).toContain('Token')
    await uncheck('OK')
    expect(await heads(page)).not.toContain('Token')
    const kept = await page.evaluate(() => localStorage.getItem('logs-table-columns'))
    expect(JSON.parse(kept ?? '')).toMatchObject({ token: false })
    await page.reload()
    await ready(page)
    expect(await heads(page)).not.toContain('Token')
    await page.getByRole('button', { name: 'Column settings' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'OK', exact: true }).click()
    await expect.poll(() => heads(page)).toContain('Token')
  })
})

it('opens from a row who made the call', async () => {
  site.server.use({ 'users.get': ({ id }) => ({ data: person(Number(id), { username: 'ada' }) }) })
  await site.visit('/log', { storage: signedIn(root), width: WIDE }, async (page) => {
    await ready(page)
    await page
      .getByRole('row')
      .filter({ hasText: 'consumption' })
      .first()
      .getByRole('button', { name: 'root', exact: true })
      .click()
    const dialog = page.getByRole('dialog', { name: 'User information' })
    await dialog.getByText('ada').waitFor()
    expect((await dialog.locator('dl').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Username ada Balance $10.00 Used $1.50 Requests 12.3k',
    )
    expect(site.inputs('users.get')).toEqual([{ id: '1' }])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'hidden' })
  })
})

it('calls who has no name in a row by their number, and nobody by nothing', async () => {
  const rows = [logEntry(1, { username: '', user_id: 42 }), logEntry(2, { username: '', user_id: 0 }), logEntry(3)]
  site.server.use({ 'logs.list': () => ({ data: paged(rows) }) })
  await site.visit('/log', { storage: signedIn(root), width: WIDE }, async (page) => {
    await ready(page)
    const users = page.locator('main tbody .log-user')
    // As the letters of the avatar and the name are read together.
    expect((await users.allInnerTexts()).map((text) => text.trim().split('\n').at(-1))).toEqual(['#42', 'root'])
    for (const user of await users.all()) expect((await user.innerText()).trim()).not.toBe('')
  })
})

it('is narrowed down by channel and user for administrators, by group and token for everybody', async () => {
  const asked = { channel: '7', username: 'ada', group: 'vip', token_name: 'ci' }
  await site.visit('/log?channel=7&username=ada&group=vip&token_name=ci', { storage: signedIn(root) }, async (page) => {
    await page.getByText(/^Used quota: .*\d/).waitFor()
    for (const name of ['logs.list', 'logs.stat']) await expect.poll(() => site.inputs(name)[0]).toMatchObject(asked)
    for (const name of ['Type', 'Model name', 'Operation', 'Request ID']) await filterChip(page, name).waitFor()
    await page.getByRole('button', { name: 'Remove filter: Channel ID' }).waitFor()
  })
  await site.visit('/log?group=vip&token_name=ci', { storage: signedIn(reader) }, async (page) => {
    await page.getByText(/^Used quota: .*\d/).waitFor()
    for (const name of ['logs.listSelf', 'logs.statSelf'])
      await expect.poll(() => site.inputs(name)[0]).toMatchObject({ group: 'vip', token_name: 'ci' })
    await page.getByRole('button', { name: 'Remove filter: Group' }).click()
    await expect.poll(() => site.inputs('logs.listSelf').at(-1)).not.toMatchObject({ group: 'vip' })
    await filterChip(page, 'Group').waitFor()
    for (const name of ['Channel ID', 'Username']) await expect.poll(() => filterChip(page, name).count()).toBe(0)
  })
})

it('asks from midnight to an hour from now, and for every type, until something is chosen', async () => {
  await site.visit('/log', { storage: signedIn(root) }, async (page) => {
    await ready(page)
    const asked = site.inputs('logs.list')[0]!
    expect(asked).toMatchObject({ type: '0', p: '1', page_size: '10' })
    expect(Number(asked['start_timestamp'])).toBe(new Date().setHours(0, 0, 0, 0) / 1000)
    expect(Math.abs(Number(asked['end_timestamp']) - (Date.now() / 1000 + 3600))).toBeLessThan(60)
  })
})

it('colours how long a call and its first token took: green below 101 s and 3 s, orange below 300 s and 10 s', async () => {
  const times = [
    [100, 2999, 'green', 'green'],
    [101, 3000, 'orange', 'orange'],
    [299, 9999, 'orange', 'orange'],
    [300, 10_000, 'red', 'red'],
  ] as const
  const rows = times.map(([use_time, frt], at) =>
    logEntry(at + 1, { use_time, model_name: `model-${at}`, other: JSON.stringify({ frt }) }),
  )
  site.server.use({ 'logs.list': () => ({ data: paged(rows) }) })
  await site.visit('/log', { storage: signedIn(root), width: WIDE }, async (page) => {
    for (const [at, [, , whole, first]] of times.entries()) {
      const dots = page
        .getByRole('row')
        .filter({ hasText: `model-${at}` })
        .locator('.use-time .dot')
      await dots.first().waitFor()
      const colors = await dots.evaluateAll((all) => all.map((dot) => (dot as HTMLElement).style.background))
      expect(colors, `model-${at}`).toEqual([whole, first].map((color) => expect.stringContaining(`--semi-${color}-`)))
    }
  })
})

it('is narrowed down by the least duration and the least cost, picked or typed', async () => {
  await site.visit('/log?min_ms=2500', { storage: signedIn(reader) }, async (page) => {
    await page.getByText(/^Used quota: .*\d/).waitFor()
    for (const name of ['logs.listSelf', 'logs.statSelf'])
      expect(site.inputs(name)[0]).toMatchObject({ min_ms: '2500', min_quota: '0' })
    await filterChip(page, 'Duration at least 2,500 ms').waitFor()
    await setFilter(page, 'Cost', 'at least $0.01')
    await expect.poll(() => site.inputs('logs.listSelf').at(-1)).toMatchObject({ min_ms: '2500', min_quota: '5000' })
    await page.getByRole('button', { name: 'Remove filter: Duration' }).click()
    const typed = page.getByRole('dialog', { name: 'Duration' }).getByRole('combobox')
    await filterChip(page, 'Duration').click()
    await typed.fill('soon')
    await page.getByText('Such as 800 ms or 2.5 s').last().waitFor()
    await typed.press('Enter')
    await typed.fill('12 s')
    await typed.press('Enter')
    await expect.poll(() => site.inputs('logs.listSelf').at(-1)).toMatchObject({ min_ms: '12000', min_quota: '5000' })
    await filterChip(page, 'Cost at least $0.01').click()
    const cost = page.getByRole('dialog', { name: 'Cost' }).getByRole('combobox')
    await cost.fill('0.5')
    await cost.press('Enter')
    await expect.poll(() => site.inputs('logs.listSelf').at(-1)).toMatchObject({ min_quota: '250000' })
  })
})
