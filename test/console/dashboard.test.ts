// The dashboard: its requests and their times, its figures next to those of the period before, its links to the log,
// and the list of attention.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { listAdminFindings, listOwnFindings } from '../../core/attention/findings.ts'
import type { Channel } from '../../core/channels/channel.ts'
import { createEmptyHour } from '../../core/channels/channel-hours.ts'
import { buildLogAddress } from '../../console/screens/detail/drill.ts'
import { formatReportSteps } from '../../console/data/report-steps.ts'
import { chooseGrain } from '../../console/screens/detail/grain.ts'
import { reader, root, signedIn, status } from './sample-data.ts'
import { channel } from './sample-channels.ts'
import { unused } from './screens/detail.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const WIDE = 1600
const DAY = 86_400

type Input = Record<string, string>
const asked = (name = 'usage.query') => site.inputs(name) as Input[]
/** The first question: by group and step. */
const question = async (name?: string): Promise<Input> => {
  await expect.poll(() => asked(name).length).toBeGreaterThan(0)
  return asked(name)[0]!
}
const lengthOf = ({ from, to }: Input) => Number(to) - Number(from)
const figure = (page: Page, label: string) =>
  page.locator('.figures dl > div').filter({ has: page.getByText(label, { exact: true }) })

it('stands in the menu where usage is counted', async () => {
  site.server.use({ 'site.status': () => ({ data: { ...status, enable_data_export: false } }) })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Dashboard' }).count()).toBe(0)
  })
})

it.each([
  { kept: 'hour', step: 'hour', length: DAY },
  { kept: 'day', step: 'day', length: 7 * DAY },
  { kept: 'week', step: 'week', length: 30 * DAY },
])('begins as the operator wants it: $kept', async ({ kept, step, length }) => {
  site.server.use({ 'site.status': () => ({ data: { ...status, data_export_default_time: kept } }) })
  const local = { ...storage, status: JSON.stringify({ ...status, data_export_default_time: kept }) }
  await site.visit('/detail', { storage: local }, async (page) => {
    await page.getByText('Window quota').first().waitFor()
    const first = await question()
    expect(first).toMatchObject({ step, by: 'model', order: 'quota', zone: expect.stringMatching(/\w/) })
    expect(Math.abs(lengthOf(first) - length)).toBeLessThan(60)
    expect(Number(first['to'])).toBeLessThanOrEqual(Date.now() / 1000 + 1)
  })
})

it('reads the month before this one, by the calendar of the browser', async () => {
  const month = (later: number) => {
    const now = new Date()
    return new Date(now.getFullYear(), now.getMonth() + later).getTime() / 1000
  }
  await site.visit('/token', { storage, width: WIDE }, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('last month by team')
    await page.getByRole('option', { name: 'Read last month by team' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Last month', pressed: true }).waitFor()
    const [from, to] = [month(-1), month(0)].map(String)
    expect(await question()).toMatchObject({ from, to, by: 'team', step: 'day' })
    expect(await question()).toMatchObject({ course: 'true', previous: 'true' })
  })
})

it('shows the numbers of the period, rates with one decimal at most, beside those of the period before', async () => {
  const account = { id: 1, quota: 4_000_000, used_quota: 1_500_000, request_count: 4321 }
  site.server.use({ 'users.self': () => ({ data: account }), 'attention.list': () => ({ data: [] }) })
  await site.visit('/detail', { storage, width: WIDE }, async (page) => {
    await figure(page, 'Window quota').waitFor()
    // 24 hours of 60 calls and 300,000 units each.
    await expect.poll(() => figure(page, 'Window quota').innerText()).toContain('$14.40')
    await expect.poll(() => figure(page, 'Window calls').innerText()).toContain('1,440')
    await expect.poll(() => figure(page, 'Window tokens').innerText()).toContain('187.2k')
    await expect.poll(() => figure(page, 'Average RPM').innerText()).toMatch(/\n1\b(?!\.)/)
    await expect.poll(() => figure(page, 'Average TPM').innerText()).toMatch(/\b1(30|29)(\.\d)?\b/)
    await expect.poll(() => figure(page, 'Error rate').innerText()).toContain('10%')
    await expect.poll(() => figure(page, 'Latency p50').innerText()).toContain('800 ms')
    await expect.poll(() => figure(page, 'First token p50').innerText()).toContain('300 ms')
    await expect.poll(() => figure(page, 'Cost').innerText()).toContain('$8.64')
    await expect.poll(() => figure(page, 'Margin').innerText()).toContain('$5.76')
    await expect.poll(() => figure(page, 'Margin of quota').innerText()).toContain('40%')
    await expect.poll(() => figure(page, 'Current balance').innerText()).toContain('$8.00')
    await expect.poll(() => figure(page, 'Requests').innerText()).toContain('4,321')
    await page.getByText(/Data up to \d\d:\d\d/).waitFor()
    await page.getByRole('region', { name: 'Needs attention' }).getByText('Nothing needs attention.').waitFor()
    // Three large numbers with their courses.
    await expect.poll(() => page.locator('.figures-large .sparkline polyline').count()).toBe(3)
    await expect.poll(() => figure(page, 'Window calls').locator('.delta').innerText()).toContain('+2,300%')
    // One question for the groups, the course of the period, and the total of the period before; the table has its own.
    await page.getByText('Time to first token').first().waitFor()
    expect(asked().filter(({ step }) => step !== 'total')).toMatchObject([
      { by: 'model', step: 'hour', course: 'true', previous: 'true' },
    ])
  })
})

it('asks users for their own usage, without people, channels and costs', async () => {
  const low = listOwnFindings({ quota: 250_000, threshold: 500_000, calls: 0, failed: 0 })
  site.server.use({ 'attention.list': () => ({ data: low }) })
  await site.visit('/detail', { storage: signedIn(reader), width: WIDE }, async (page) => {
    await figure(page, 'Window quota').waitFor()
    expect(asked('usage.query')).toEqual([])
    expect(await question('usage.querySelf')).not.toHaveProperty('user')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'By', exact: true }).locator('option').allInnerTexts())
      .toEqual([...['Model', 'Token', 'Group', 'Team']])
    await expect
      .poll(() => page.getByLabel('Measure').locator('option').allInnerTexts())
      .toEqual(['Quota', 'Calls', 'Tokens', 'Errors'])
    for (const hidden of ['Cost', 'Margin']) expect(await page.getByText(hidden, { exact: true }).count()).toBe(0)
    const list = page.getByRole('region', { name: 'Needs attention' })
    await list.getByText('Your balance is low: $0.50.').waitFor()
    await expect.poll(() => list.getByRole('link').getAttribute('href')).toBe('/topup')
    for (const name of ['channels.health', 'channels.list', 'prices.missing']) expect(asked(name)).toEqual([])
  })
})

it('takes presets, the grain, the group and the measure at once, and keeps them in the address', async () => {
  await site.visit('/detail', { storage, width: WIDE }, async (page) => {
    const last = () => asked().findLast(({ by, step }) => by && step !== 'total')!
    await figure(page, 'Window quota').waitFor()
    await expect
      .poll(() => page.locator('.time-span .segment').allInnerTexts())
      .toEqual(['24 h', '7 d', '30 d', 'Last month', 'Custom'])
    await page.getByRole('button', { name: '7 d' }).click()
    await expect.poll(() => last()['step']).toBe('day')
    expect(Math.abs(lengthOf(last()) - 7 * DAY)).toBeLessThan(60)
    await page.getByLabel('Granularity').selectOption('hour')
    await expect.poll(() => last()['step']).toBe('hour')
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('channel')
    await page.getByLabel('Measure').selectOption('failed')
    await expect.poll(() => last()).toMatchObject({ by: 'channel', order: 'errors', step: 'hour' })
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ span: 'week', step: 'hour', by: 'channel', measure: 'failed' },
    })
    await page.getByRole('button', { name: 'Custom' }).click()
    await page.getByLabel('Start').fill('2026-01-05T00:00:00')
    await page.getByLabel('End').fill('2026-01-06T00:00:00')
    await expect.poll(() => lengthOf(last())).toBe(DAY)
  })
})

it('takes another start for one at a full minute', async () => {
  const toSeconds = (at: string) => new Date(at).getTime() / 1000
  const address = `/detail?span=own&start=${toSeconds('2026-01-05T00:00')}&end=${toSeconds('2026-01-07T00:00')}`
  await site.visit(address, { storage, width: WIDE }, async (page) => {
    await page.getByLabel('Start').fill('2026-01-06T00:00:00')
    const read = () => Number(new URL(page.url()).searchParams.get('start'))
    await expect.poll(read).toBe(toSeconds('2026-01-06T00:00'))
    await expect.poll(() => page.getByLabel('Start').inputValue()).toMatch(/^2026-01-06T00:00/)
  })
})

it('is filtered by whoever and whatever the address names', async () => {
  await site.visit('/detail?model=o3&token=laptop&group=vip&user=ada&channel=7&team=70', { storage }, async (page) => {
    await figure(page, 'Window quota').waitFor()
    expect(await question()).toMatchObject({
      ...{ model: 'o3', token: 'laptop', group: 'vip', user: 'ada', channel: '7', team: '70' },
    })
  })
})

it('leads from what a chart or a row counts to the calls, as a table does by keyboard', async () => {
  await site.visit('/detail?group=vip', { storage, width: WIDE }, async (page) => {
    const chart = page.getByRole('figure', { name: 'Quota by time: Model' })
    await chart.getByRole('button', { name: 'As a table' }).click()
    const cells = chart.getByRole('table').locator('tbody tr').first().getByRole('button')
    await expect
      .poll(() => chart.locator('thead th').allInnerTexts())
      .toEqual(['Time', 'deepseek-chat', 'o3', 'gpt-4o'])
    await expect.poll(() => cells.allInnerTexts()).toEqual(['$0.30', '$0.20', '$0.10'])
    const first = await question()
    await cells.nth(1).press('Enter')
    await page.waitForURL(/\/log\?/)
    const from = Number(first['from'])
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ span: 'own', start: String(from), end: String(from + 3599), model_name: 'o3', group: 'vip' },
    })
    await page.goBack()
    const numbers = page.getByRole('region', { name: 'All numbers: Model' })
    // The table is loaded when it is scrolled into view.
    await numbers.scrollIntoViewIfNeeded()
    const row = numbers.getByRole('row').filter({ hasText: 'o3' })
    await row.getByRole('button', { name: 'More for o3' }).click()
    await page.getByRole('menuitem', { name: 'Open its errors' }).click()
    await page.waitForURL(/\/log\?.*type=5/)
    expect(new URL(page.url()).searchParams.get('model_name')).toBe('o3')
    await page.goBack()
    await numbers.scrollIntoViewIfNeeded()
    await row.getByRole('button', { name: 'Only this' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('model')).toBe('o3')
  })
})

it('gives each chart and the table as a file', async () => {
  await site.visit('/detail', { storage, width: WIDE }, async (page) => {
    await page.getByRole('region', { name: 'All numbers: Model' }).scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'All numbers: Model' }).getByText('o3').first().waitFor()
    const names = [
      'Quota by time: Model',
      'Share of calls: Model',
      'Latency',
      'Time to first token',
      'Errors by reason',
    ]
    for (const name of names) await page.getByRole('button', { name: `CSV: ${name}` }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: All numbers: Model' }).click(),
    ])
    const [head, first] = (await readFile(await file.path(), 'utf8')).split('\n')
    expect(head).toContain('Model,Window quota,Window calls,Errors')
    expect(first).toContain('deepseek-chat,150000,30,3')
  })
})

it('tells administrators what needs attention first, and puts it right there', async () => {
  const offKeys = JSON.stringify({ keys_off: { abc: { reason: 'Invalid key', time: 1 } } })
  const channels = [
    channel(5, { name: 'OpenAI spare', status: 3, other_info: JSON.stringify({ status_reason: 'Incorrect API key' }) }),
    channel(6, { name: 'Several', other_info: offKeys }),
    channel(7, { name: 'Nearly empty', balance: 1.5, balance_updated_time: 1_700_000_000 }),
  ]
  const { failed, ...empty } = createEmptyHour(8, '', 0)
  const found = listAdminFindings({
    channels: [...channels, channel(8, { name: 'Flaky' })] as Channel[],
    hours: [{ ...empty, answered: 1, failed: { ...failed, server: 9 } }],
    unpriced: [{ model: 'new/model', calls: 12 }],
  })
  site.server.use({
    'attention.list': () => ({ data: found }),
    'channels.updateBalance': () => ({ data: null, beside: { balance: 20 } }),
  })
  await site.visit('/detail', { storage, width: WIDE }, async (page) => {
    const list = page.getByRole('region', { name: 'Needs attention' })
    await list.getByRole('button', { name: '4 more' }).click()
    const entry = (text: string) => list.getByRole('listitem').filter({ hasText: text })
    const to = (text: string) => entry(text).getByRole('link').getAttribute('href')
    await expect
      .poll(() => entry('OpenAI spare').innerText())
      .toMatch(/switched off automatically[\s\S]*Incorrect API key/)
    await expect.poll(() => to('OpenAI spare')).toBe('/channel/edit/5')
    await expect.poll(() => entry('Flaky').innerText()).toContain('9 of 10 tries of the last two hours failed')
    await expect.poll(() => to('Flaky')).toBe('/log?type=5&span=day&channel=8')
    await expect.poll(() => entry('Several').innerText()).toMatch(/Dead keys of channel Several: 1[\s\S]*Invalid key/)
    await expect.poll(() => entry('Nearly empty').innerText()).toContain('$1.50')
    await expect.poll(() => entry('new/model').innerText()).toContain('was requested 12 times')
    await expect.poll(() => to('new/model')).toBe('/prices?edit=new%2Fmodel')
    await entry('Nearly empty').getByRole('button', { name: 'Refresh balance: Nearly empty' }).click()
    await expect.poll(() => site.inputs('channels.updateBalance')).toEqual([{ id: '7' }])
    await entry('OpenAI spare').getByRole('button', { name: 'Enable again: OpenAI spare' }).click()
    await page.getByText('channel OpenAI spare enabled').waitFor()
    expect(site.inputs('channels.update')).toEqual([{ id: 5, status: 1 }])
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => site.inputs('channels.update').at(-1)).toEqual({ id: 5, status: 2 })
  })
})

it('leads administrators of an empty installation to its first call, step by step', async () => {
  site.server.use({
    'usage.query': unused,
    'attention.firstSteps': () => ({
      data: { channels: 1, models: ['gpt-4o'], unpriced: [], tokens: 0, newest: 0, answered: false },
    }),
  })
  await site.visit('/detail', { storage }, async (page) => {
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
    await expect
      .poll(async () => (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()))
      .toEqual([
        expect.stringMatching(/Add a channel done$/),
        expect.stringMatching(/Set the prices of its models done$/),
        '3 Create an API token to do',
        '4 Make a first call to do',
      ])
    await steps.getByRole('link', { name: 'Create an API token' }).click()
    await page.waitForURL('**/token/edit')
    await page.getByRole('dialog', { name: 'New API token' }).waitFor()
  })
})

it('shows who has made no call how one is made, and says that usage could not be loaded', async () => {
  site.server.use({ 'usage.query': unused, 'usage.querySelf': unused })
  await site.visit('/detail', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('no data').first().waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'curl' }).innerText()).toContain('/v1/chat/completions')
    await expect.poll(() => page.getByRole('link', { name: 'Get an API token' }).getAttribute('href')).toBe('/token')
  })
  site.server.use({ 'usage.query': () => ({ refuse: 'x', status: 500 }) })
  await site.visit('/detail', { storage, expected: /500/ }, async (page) => {
    await page.getByText('Usage could not be loaded').waitFor()
    site.server.use({ 'usage.query': unused })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.figures-large').first().waitFor()
  })
})

it('cuts time as is said, or as suits the span', () => {
  expect(chooseGrain('week', 'hour', 'day', DAY)).toBe('week')
  expect(chooseGrain('', 'week', 'month', 30 * DAY)).toBe('week')
  expect(chooseGrain('', 'nonsense', 'day', DAY)).toBe('hour')
  expect(['day', 'week', 'own'].map((span, at) => chooseGrain('', 'week', span, [1, 7, 400][at]! * DAY))).toEqual([
    ...['hour', 'day', 'week'],
  ])
})

it('calls steps by their beginning, across years and where the clock shows an hour twice', () => {
  expect(formatReportSteps(['2026-11-22T23:00+01:00', '2026-11-23T00:00+01:00'], 'hour')).toEqual([
    '11-22 23:00',
    '11-23 00:00',
  ])
  expect(formatReportSteps(['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00'], 'hour')).toEqual([
    ...['10-25 02:00', '10-25 02:00 +01:00'],
  ])
  expect(formatReportSteps(['2026-11-02', '2026-11-03'], 'day')).toEqual(['11-02', '11-03'])
  expect(formatReportSteps(['2025-12-29', '2026-01-05'], 'week')).toEqual([
    '2025-12-29 - 2026-01-04',
    '2026-01-05 - 2026-01-11',
  ])
  expect(formatReportSteps(['2026-11-16', '2026-11-23'], 'week')).toEqual(['11-16 - 11-22', '11-23 - 11-29'])
})

it('says to the log what it can be asked', () => {
  const filters = { model: 'o3', token: '', channel: 'by name', user: 'ada', team: '7' }
  expect(buildLogAddress({ from: 100, to: 200, filters })).toBe(
    '/log?span=own&start=100&end=199&model_name=o3&username=ada',
  )
  expect(buildLogAddress({ from: 1, to: 2, filters: { channel: '7' }, failed: true })).toBe(
    '/log?span=own&start=1&end=1&channel=7&type=5',
  )
})
