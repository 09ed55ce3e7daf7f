// The usage log: filters, rows, and how a charge is explained.
import { expect, it } from 'vitest'
import { logEntry, reader, root, signedIn } from './sample-data.ts'
import { useConsole, setFilter } from './visit.ts'

const site = useConsole()

it('shows administrators every call with its channel, its charge and the way there', async () => {
  await site.visit('/log', { storage: signedIn(root), width: 1920 }, async (page) => {
    await page.getByText('Used quota: $0.0086').waitFor()
    for (const sum of ['Calls: 1,204', 'Tokens in: 81.0k', 'Tokens out: 9,400', 'RPM: 2', 'TPM: 1,545'])
      await page.getByText(sum, { exact: true }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'consumption' })
    await expect.poll(() => row.innerText()).toMatch(/root[\s\S]*7[\s\S]*gpt-4o[\s\S]*3 s[\s\S]*840 ms[\s\S]*Stream/)
    await row.getByText('$0.008642').click()
    await page.getByText('7 - channel-7').waitFor()
    const billing = page.getByRole('table', { name: 'Billing process' })
    await billing.getByText('Rounding').waitFor()
    const rows = await billing.getByRole('row').allInnerTexts()
    expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
      ['Item', 'Count', 'Base price', 'Group', 'Tiers', 'Amount'],
      ['Input', '1,200', '$2.5000 / 1M', '× 2', '$0.006000'],
      ['Output', '345', '$3.8300 / 1M', '× 2', '× 1', '$0.002643'],
      ['Sum', '$0.008643'],
      ['Rounding', '-$0.000001'],
      ['Charged', '$0.008642'],
    ])
    await page.getByText('12 of ', { exact: false }).waitFor()
    await page.getByText('hold-1', { exact: true }).waitFor()
    const tries = page.getByRole('region', { name: 'Path through the channels' }).getByRole('listitem')
    await expect
      .poll(() => tries.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Admitted[\s\S]*0 ms/),
        expect.stringMatching(/3 spare[\s\S]*429[\s\S]*120 ms[\s\S]*too many · then another channel/),
        expect.stringMatching(
          /7 channel-7[\s\S]*Answered[\s\S]*2,870 ms[\s\S]*started after 130 ms · first content after 710 ms/,
        ),
        expect.stringMatching(/First content[\s\S]*840 ms/),
        expect.stringMatching(/End[\s\S]*3,000 ms/),
      ])
    await page.getByText('req-1', { exact: true }).waitFor()
    await page.getByText('The upstream broke off in the middle of its answer').first().waitFor()
  })
})

it('shows others only their own, without channels', async () => {
  await site.visit('/log', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('$0.008642').waitFor()
    const mark = page
      .getByRole('row')
      .filter({ hasText: 'gpt-4o' })
      .first()
      .locator('td .marked > img, th .marked > img')
    await expect.poll(() => mark.first().getAttribute('src')).toMatch(/#openai$/)
    await expect.poll(() => page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(0)
    await expect.poll(() => page.getByLabel('Channel ID').count()).toBe(0)
    expect(site.inputs('logs.list')).toEqual([])
    expect(site.inputs('logs.stat')).toEqual([])
  })
})

it('filters by type and by text at once, from midnight by default', async () => {
  await site.visit('/log', { storage: signedIn(root) }, async (page) => {
    await page.getByText(/^Used quota: .*\d/).waitFor()
    const midnight = Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
    expect(Math.abs(Number(site.inputs('logs.list')[0]?.['start_timestamp']) - midnight)).toBeLessThanOrEqual(86_400)
    await setFilter(page, 'Type', 'Error')
    await expect.poll(() => site.inputs('logs.list').at(-1)).toMatchObject({ type: '5' })
    await setFilter(page, 'Operation', 'Embeddings')
    await expect.poll(() => site.inputs('logs.list').at(-1)).toMatchObject({ type: '5', operation: 'embeddings' })
    await setFilter(page, 'Model name', 'gpt%')
    await expect.poll(() => site.inputs('logs.stat').at(-1)).toMatchObject({ type: '5', model_name: 'gpt%' })
    expect(page.url()).toContain('model_name=gpt')
  })
})

it('survives rows whose detail nobody can read, and reads well on a phone', async () => {
  site.server.use({
    'logs.list': () => ({
      data: {
        items: [logEntry(1, { other: 'broken' }), logEntry(2, { other: '{"frt":"x","lines":[{"what":1}]}' })],
        page: 1,
        page_size: 10,
        total: 2,
      },
    }),
  })
  await site.visit('/log', { storage: signedIn(root), width: 390, height: 844 }, async (page) => {
    await page.getByText('$0.008642').first().waitFor()
    await expect.poll(() => page.getByText('NaN').count()).toBe(0)
    await page.getByRole('button', { name: 'Details' }).first().click()
    await page.getByText('req-1', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  })
})

it.each([
  ['caller_left', 'The client disconnected; the answer was read to its end to count its usage'],
  ['balance_spent', 'Ended because the balance was used up'],
])('says how an answer ended: %s', async (mark, words) => {
  const items = [logEntry(1, { other: JSON.stringify({ [mark]: true }) })]
  site.server.use({ 'logs.list': () => ({ data: { items, page: 1, page_size: 10, total: 1 } }) })
  await site.visit('/log', { storage: signedIn(root), width: 390, height: 844 }, async (page) => {
    await page.getByRole('button', { name: 'Details' }).first().click()
    await page.getByText(words, { exact: true }).waitFor()
  })
})

it.each([
  ['a gain', 2000, 2321, '$0.004000', '$0.004642'],
  ['a loss', 5000, -679, '$0.010000', '-$0.001358'],
])('shows administrators what a call was bought for: %s', async (_what, cost, margin, bought, left) => {
  const items = [logEntry(1, { other: JSON.stringify({ admin_info: { use_channel: ['7'], cost, margin } }) })]
  site.server.use({ 'logs.list': () => ({ data: { items, page: 1, page_size: 10, total: 1 } }) })
  await site.visit('/log', { storage: signedIn(root) }, async (page) => {
    await page.getByText('$0.008642').first().click()
    const fact = (label: string) => page.locator('.log-detail dl > div').filter({ hasText: label }).locator('dd')
    await expect.poll(() => fact('Purchase cost').innerText()).toBe(bought)
    await expect.poll(() => fact('Margin').innerText()).toBe(left)
  })
})
