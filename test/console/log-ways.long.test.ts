// The actions of a log row: its address, similar rows, the raw log, a file, and pages beyond the counted rows.
import { expect, it } from 'vitest'
import { logEntry, reader, root, signedIn } from './sample-data.ts'
import { fromMenu, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows a call at an address of its own, which Back closes, and which can be shared', async () => {
  await site.visit('/log?type=2', { storage, width: 1600 }, async (page) => {
    await page.getByRole('button', { name: 'More for gpt-4o' }).first().click()
    await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
    await page.waitForURL('**/log/req-1?type=2')
    const panel = page.getByRole('dialog', { name: 'Call: gpt-4o' })
    await panel.getByText('hold-1', { exact: true }).waitFor()
    await panel.getByText('Admitted').waitFor()
    await page.goBack()
    await page.waitForURL('**/log?type=2')
    await expect.poll(() => panel.count()).toBe(0)
    await page.goForward()
    await panel.waitFor()
    await panel.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/log\/req-1$/)
    await expect
      .poll(() => panel.getByRole('link', { name: 'Where such calls go now' }).getAttribute('href'))
      .toBe('/channel/route?model=gpt-4o&group=default')
    await page.keyboard.press('Escape')
    await page.waitForURL('**/log?type=2')
  })
  site.server.use({ 'logs.explainSelf': () => ({ refuse: 'No such call', code: 'log.missing' }) })
  await site.visit('/log/gone', { storage: signedIn(reader) }, async (page) => {
    await page.getByRole('dialog').getByText('You have no log row', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/log')
  })
})

it('finds others like a row, by each of its fields', async () => {
  const error = logEntry(2, { type: 5, quota: 0, model_name: 'o3', token_name: 'ci', content: 'refused', other: '{}' })
  site.server.use({
    'logs.list': () => ({ data: { items: [error], page: 1, page_size: 10, total: 1 } }),
  })
  await site.visit('/log?model_name=x&span=week', { storage, width: 1600 }, async (page) => {
    const asked = () => new URL(page.url()).searchParams.toString()
    for (const [entry, query] of [
      ['Same model', 'span=week&model_name=o3'],
      ['Same token', 'span=week&token_name=ci'],
      ['Same user', 'span=week&username=root'],
      ['Same channel', 'span=week&channel=7'],
      ['Same group', 'span=week&group=default'],
      ['Errors of this model and channel', 'span=week&model_name=o3&channel=7&type=5'],
    ] as const) {
      await fromMenu(page, 'o3', entry)
      await expect.poll(() => [...new URLSearchParams(asked())].sort()).toEqual([...new URLSearchParams(query)].sort())
    }
    await expect
      .poll(() => site.inputs('logs.list').at(-1))
      .toMatchObject({ type: '5', model_name: 'o3', channel: '7' })
  })
})

it('shows new rows as they are written; counts them while it is paused', async () => {
  await site.visit('/log?live=true', { storage, width: 1600 }, async (page) => {
    await expect.poll(() => site.server.streams()).toBe(1)
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    site.server.tell(logEntry(91, { model_name: 'live-one' }))
    await page.getByRole('row').filter({ hasText: 'live-one' }).waitFor()
    await page.getByText('of 4', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    site.server.tell(logEntry(92, { model_name: 'live-two' }))
    site.server.tell(logEntry(93, { model_name: 'live-three' }))
    await page.getByRole('button', { name: '2 new rows' }).waitFor()
    await expect.poll(() => page.getByText('live-two').count()).toBe(0)
    await page.getByRole('button', { name: '2 new rows' }).click()
    const models = await page.getByRole('row').locator('.copy-text', { hasText: 'live' }).allInnerTexts()
    expect(models).toEqual(['live-three', 'live-two', 'live-one'])
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await expect.poll(() => site.server.streams()).toBe(0)
  })
})

it('saves what the list is narrowed down to as a file', async () => {
  site.server.use({ 'logs.export': () => ({ events: [] }) })
  await site.visit('/log?model_name=o3&span=week', { storage, width: 1600 }, async (page) => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'JSON lines' }).click()
    await expect
      .poll(() => site.inputs('logs.export'))
      .toEqual([expect.objectContaining({ model_name: 'o3', format: 'jsonl' })])
  })
})

it('goes on behind what is counted, from row to row', async () => {
  site.server.use({
    'logs.list': ({ p, cursor }) => ({
      data: {
        items: Array.from({ length: 10 }, (_, row) => logEntry(Number(p) * 10 + row, { model_name: `m-${String(p)}` })),
        ...{ page: Number(p), page_size: 10, total: 20, total_capped: true },
        next_cursor: Number(p) < 4 ? `after ${String(p)} ${String(cursor ?? '')}` : '',
      },
    }),
  })
  await site.visit('/log', { storage, width: 1600 }, async (page) => {
    await page.getByText('1 - 10 of 20+').waitFor()
    for (const p of [2, 3, 4]) {
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText(`m-${p}`).first().waitFor()
    }
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    const cursors = site.inputs('logs.list').map(({ cursor }) => cursor)
    expect(cursors.slice(0, 4)).toEqual([undefined, 'after 1 ', 'after 2 after 1 ', 'after 3 after 2 after 1 '])
    const [first, ...others] = site.inputs('logs.list').map(({ end_timestamp }) => end_timestamp)
    expect(new Set(others)).toEqual(new Set([first]))
  })
})

it('tells what was stored in another language in that of who reads it', async () => {
  const stored = 'Quota changed by the terminal from $1.000000 to $2.000000: a gift'
  const event = logEntry(3, { type: 3, quota: 0, model_name: '', content: stored, other: '' })
  site.server.use({ 'logs.list': () => ({ data: { items: [event], page: 1, page_size: 10, total: 1 } }) })
  await site.visit('/log', { storage, width: 1600, language: 'zh' }, async (page) => {
    await page.getByText('终端 将用户额度从 $1.000000 修改为 $2.000000: a gift').first().waitFor()
  })
})
