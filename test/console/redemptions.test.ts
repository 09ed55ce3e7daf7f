// Redemption codes: found, made with a download, changed, switched, copied and deleted; the batches they were made in.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loadBatch, countStates, type CodePage } from '../../console/screens/redemptions/batch.ts'
import { isCodeCount, isCodeName } from '../../console/screens/redemptions/limits.ts'
import type { RedemptionCode } from '../../core/redemptions/redemption.ts'
import { NOW, reader, root, signedIn } from './sample-data.ts'
import { page as paged } from './samples.ts'
import { code, codes } from './screens/redemptions.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

const LIMITS = 'name 1 to 20 characters, count above 0 and at most 100 per batch'

describe('what is asked of codes', () => {
  it.each([
    ['', false],
    ['   ', false],
    ['a', true],
    ['二'.repeat(20), true],
    ['😀'.repeat(20), true],
    ['a'.repeat(21), false],
  ])('a name %j: %s', (name, expected) => expect(isCodeName(name)).toBe(expected))
  it.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
    [1.5, false],
    [Number.NaN, false],
  ])('a count of %s: %s', (count, expected) => expect(isCodeCount(count)).toBe(expected))
})

describe('a batch', () => {
  const whole = (id: number, change: Partial<RedemptionCode> = {}) => code(id, change) as RedemptionCode
  it('is what has name, time and maker in common, from as many pages as it takes and no more', async () => {
    const asked: string[] = []
    const pages: Record<string, CodePage> = {
      '': { items: [whole(9, { created_time: NOW }), whole(8), whole(7, { user_id: 2 })], next_cursor: 'a' },
      a: { items: [whole(6), whole(5, { name: 'springs' })], next_cursor: 'b' },
      b: { items: [whole(4), whole(3, { created_time: 1 })], next_cursor: 'c' },
    }
    const found = await loadBatch(whole(8), async (cursor) => {
      asked.push(cursor)
      return pages[cursor]!
    })
    expect(found.map(({ id }) => id)).toEqual([4, 6, 8])
    expect(asked).toEqual(['', 'a', 'b'])
  })
  it('says how many are in each state', () => {
    expect(countStates([1, 1, 2, 3, 3, 3, 9].map((status) => ({ status })))).toEqual({
      unused: 2,
      disabled: 1,
      used: 3,
    })
  })
})

const row = (page: Page, id: number) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `More for spring #${id}`, exact: true }) })
const entry = async (page: Page, id: number, name: string) => {
  await page.getByRole('button', { name: `More for spring #${id}`, exact: true }).click()
  return page.getByRole('menuitem', { name })
}

it('lists codes with their states, and searches them by number or name', async () => {
  await site.visit('/redemption', { storage, width: 1600 }, async (page) => {
    await row(page, 13).getByText('used', { exact: true }).waitFor()
    await row(page, 12).getByText('disabled', { exact: true }).waitFor()
    await expect.poll(() => row(page, 11).innerText()).toMatch(/spring\s+Unused\s+\$1\.00[\s\S]*None/)
    await expect.poll(() => row(page, 13).getByRole('link', { name: '#7' }).getAttribute('href')).toBe('/user/7')
    expect(
      await Promise.all([13, 12, 11].map((id) => row(page, id).locator('xpath=..').getAttribute('class'))),
    ).toEqual([
      expect.stringContaining('shaded'),
      expect.stringContaining('shaded'),
      expect.not.stringContaining('shaded'),
    ])
    // The codes themselves are in no list.
    expect(await page.locator('main').innerText()).not.toContain('code0000')
    await page.getByLabel('Keyword').fill(' autumn ')
    expect(site.inputs('redemptions.search')).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/keyword=autumn/)
    await expect.poll(() => row(page, 11).count()).toBe(0)
    expect(site.inputs('redemptions.search')).toEqual([{ keyword: 'autumn', p: '1', page_size: '10' }])
    await page.getByLabel('Keyword').fill('nothing')
    await page.keyboard.press('Enter')
    await page.getByText('No code matches').waitFor()
    await page.getByLabel('Keyword').fill('')
    await page.keyboard.press('Enter')
    await row(page, 13).click()
    await page.getByText('Redeemed by bob (#7)').waitFor()
    await page.getByRole('button', { name: 'Sort by Quota' }).click()
    await expect.poll(() => site.inputs('redemptions.list').at(-1)).toMatchObject({ sort: 'quota' })
  })
})

it('remembers how many stand on a page', async () => {
  const local = { ...storage, 'page-size': '50' }
  await site.visit('/redemption', { storage: local }, async (page) => {
    await row(page, 11).waitFor()
    expect(site.inputs('redemptions.list')).toEqual([{ p: '1', page_size: '50' }])
  })
})

it('is for administrators', async () => {
  await site.visit('/redemption', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('You have no permission for this').waitFor()
    expect(site.inputs('redemptions.list')).toEqual([])
  })
})

const saved = async (page: Page, button: string) => {
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

it('makes codes, named after what they are worth where nobody names them, and hands them out', async () => {
  await site.visit('/redemption', { storage, acceptDownloads: true } as object, async (page) => {
    await row(page, 11).waitFor()
    await page.keyboard.press('n')
    const panel = page.getByRole('dialog')
    const field = (name: string) => panel.getByLabel(name, { exact: true }).last()
    expect([await field('Quota').inputValue(), await field('Count').inputValue()]).toEqual(['0.20', '1'])
    await panel.getByText('Equivalent amount: 100,000 quota units').waitFor()
    for (const pick of ['$1', '$10', '$50', '$100', '$500', '$1000'])
      await panel.getByRole('button', { name: pick, exact: true }).waitFor()
    const create = () => panel.getByRole('button', { name: 'Create', exact: true }).click()

    await field('Name').fill('a'.repeat(21))
    await create()
    await panel.locator('[data-field=name]').getByText(LIMITS).waitFor()
    await field('Name').fill('')
    await field('Count').fill('101')
    await create()
    await panel.locator('[data-field=count]').getByText(LIMITS).waitFor()
    expect(site.inputs('redemptions.create')).toEqual([])
    await field('Count').fill('3')
    await create()
    await page.getByText('code created').waitFor()
    expect(site.inputs('redemptions.create')).toEqual([{ name: '$0.20', quota: 100_000, count: 3 }])

    await page.getByRole('dialog', { name: 'download the codes as a text file?' }).waitFor()
    const key = (id: number) => code(id).key!
    const lines = await saved(page, 'Text file')
    expect(lines).toEqual({ name: '$0.20.txt', text: `${[20, 21, 22].map(key).join('\n')}\n` })
    const table = await saved(page, 'CSV file')
    expect(table.name).toBe('$0.20.csv')
    expect(table.text.split('\n').slice(0, 2)).toEqual([
      'id,name,code,quota,status,created_time,redeemed_time,used_user_id',
      `20,$0.20,${key(20)},100000,1,${NOW},0,0`,
    ])
    await page.getByRole('button', { name: 'Printable sheet' }).click()
    const sheet = page.locator('.print-preview')
    await expect.poll(() => sheet.getByRole('img').count()).toBe(3)
    await sheet.getByText(key(22)).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('.print-only').isVisible()).toBe(true)
    await expect.poll(() => page.locator('#root').isVisible()).toBe(false)
  })
})

it('changes only what nobody has used, and says what it is', async () => {
  await site.visit('/redemption', { storage }, async (page) => {
    for (const id of [13, 12]) {
      expect(await (await entry(page, id, 'Edit')).getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Escape')
    }
    await (await entry(page, 11, 'Edit')).click()
    const panel = page.getByRole('dialog')
    await expect.poll(() => panel.getByLabel('Count', { exact: true }).count()).toBe(0)
    await panel.getByLabel('Name', { exact: true }).last().fill('')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText(LIMITS).first().waitFor()
    await panel.getByLabel('Name', { exact: true }).last().fill('summer')
    await panel.getByRole('button', { name: '$10', exact: true }).click()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('code updated').waitFor()
    expect(site.inputs('redemptions.update')).toEqual([{ id: 11, version: 1, name: 'summer', quota: 5_000_000 }])
  })
})

it('gives codes an end and a remark, shows both, and sends only what was changed', async () => {
  // Seconds of a day in the zone of the browser, as the field has them.
  const local = (text: string) => Math.floor(new Date(text).getTime() / 1000)
  const ends = [code(14, { expired_time: NOW - 60, remark: 'for the fair' }), code(11)]
  const past = 'The expiry must be in the future'
  site.server.use({
    'redemptions.list': () => ({ data: { ...paged(ends), next_cursor: '' } }),
    'redemptions.get': ({ id }) => ({ data: ends.find((each) => each.id === Number(id)) }),
    'redemptions.create': ({ expired_time, ...rest }) =>
      Number(expired_time) < NOW
        ? { refuse: past, field: 'expired_time' }
        : { data: [code(20, rest as Partial<RedemptionCode>).key], beside: { codes: [code(20)] } },
  })
  await site.visit('/redemption', { storage, width: 1800 }, async (page) => {
    await expect.poll(() => row(page, 14).innerText()).toMatch(/Expired[\s\S]*for the fair/)
    await expect.poll(() => row(page, 11).innerText()).toContain('Never')
    const panel = page.getByRole('dialog')
    const field = (name: string) => panel.getByLabel(name, { exact: true }).last()
    await page.keyboard.press('n')
    await panel.getByText('Empty: it can be redeemed at any time.').waitFor()
    await field('Name').fill('fair')
    await field('Expiry').fill('2020-01-02T03:04:05')
    await field('Remark').fill('stand 12')
    await panel.getByRole('button', { name: 'Create', exact: true }).click()
    await panel.locator('[data-field=expired_time]').getByText(past).waitFor()
    await field('Expiry').fill('2040-01-02T03:04:05')
    await panel.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('code created').waitFor()
    expect(site.inputs('redemptions.create').at(-1)).toEqual({
      ...{ name: 'fair', quota: 100_000, count: 1 },
      ...{ expired_time: local('2040-01-02T03:04:05'), remark: 'stand 12' },
    })
    await page.getByRole('button', { name: 'Done' }).click()

    await (await entry(page, 14, 'Edit')).click()
    await expect.poll(() => field('Remark').inputValue()).toBe('for the fair')
    await field('Expiry').fill('')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('code updated').waitFor()
    expect(site.inputs('redemptions.update')).toEqual([
      { id: 14, version: 1, name: 'spring', quota: 500_000, expired_time: 0 },
    ])
  })
})

it('has room for the end and the remark on a phone, dark and in Chinese', async () => {
  const phone = { storage, width: 390, height: 844, dark: true, language: 'zh' as const }
  await site.visit('/redemption', phone, async (page) => {
    await page.getByText('spring').first().waitFor()
    await page.keyboard.press('n')
    const panel = page.getByRole('dialog')
    await panel.getByText('留空表示永不过期。').waitFor()
    await panel.getByLabel('备注', { exact: true }).last().scrollIntoViewIfNeeded()
    for (const name of ['expired_time', 'remark']) {
      const box = await panel.locator(`[data-field=${name}]`).locator('input, textarea').first().boundingBox()
      expect(box!.x).toBeGreaterThanOrEqual(0)
      expect(box!.x + box!.width).toBeLessThanOrEqual(390)
    }
    const scheme = await panel
      .locator('[data-field=expired_time] input')
      .evaluate((one) => getComputedStyle(one).colorScheme)
    expect(scheme).toBe('dark')
  })
})

it('disables and enables, off for used ones, and takes it back', async () => {
  await site.visit('/redemption', { storage }, async (page) => {
    const used = await entry(page, 13, 'Enable')
    await expect.poll(() => used.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await (await entry(page, 11, 'Disable')).click()
    await row(page, 11).getByText('disabled', { exact: true }).waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await row(page, 11).getByText('unused', { exact: true }).waitFor()
    await (await entry(page, 12, 'Enable')).click()
    await row(page, 12).getByText('unused', { exact: true }).waitFor()
    const put = (id: number, status: number) => ({ status_only: 'true', id, status })
    expect(site.inputs('redemptions.update')).toEqual([put(11, 2), put(11, 1), put(12, 1)])
  })
})

it('copies one code, and those that are selected as lines', async () => {
  await site.visit('/redemption', { storage }, async (page) => {
    await row(page, 11).waitFor()
    await page.evaluate(() => {
      const copied: string[] = []
      Object.assign(window, { copied })
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text: string) => void copied.push(text) },
      })
    })
    const copied = () => page.evaluate(() => (window as unknown as { copied: string[] }).copied)
    await page.getByRole('button', { name: 'Copy selected codes' }).click()
    await page.getByText('Please select at least one redemption code!').waitFor()
    await row(page, 11).getByRole('button', { name: 'Copy', exact: true }).click()
    for (const id of [12, 11]) await row(page, id).getByRole('checkbox').check()
    await page.locator('.page-head').getByRole('button', { name: 'Copy selected codes' }).click()
    const key = (id: number) => code(id).key!
    await expect.poll(copied).toEqual([key(11), `spring    ${key(12)}\nspring    ${key(11)}`])
    await (await entry(page, 11, 'View')).click()
    await page
      .getByRole('dialog')
      .getByText(`${site.server.url}/topup?code=${key(11)}`)
      .waitFor()
    await page.getByRole('dialog').getByRole('img', { name: 'QR code of spring' }).waitFor()
  })
})

it('deletes after a question, and out of use at once', async () => {
  await site.visit('/redemption', { storage }, async (page) => {
    await fromMenu(page, 'spring #11', 'Delete')
    await page.getByRole('dialog', { name: /^Delete code .+\?$/ }).waitFor()
    await sayYes(page, 'Delete')
    await expect.poll(() => row(page, 11).count()).toBe(0)
    await expect.poll(() => site.inputs('redemptions.update')).toEqual([{ status_only: 'true', id: 11, status: 2 }])
    expect(site.inputs('redemptions.delete')).toEqual([])
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('code deleted').waitFor()
    expect(site.inputs('redemptions.delete')).toEqual([{ id: '11' }])
  })
})

it('shows a batch with its states and who used which, and disables what is unused of it', async () => {
  const now = codes.map((each) => ({ ...each }))
  site.server.use({
    'redemptions.search': () => ({ data: { items: now, page: 1, page_size: 100, total: now.length, next_cursor: '' } }),
    'redemptions.update': ({ id, status }) => {
      const changed = now.find((each) => each.id === Number(id))!
      return { data: Object.assign(changed, { status }) }
    },
  })
  await site.visit('/redemption', { storage }, async (page) => {
    await (await entry(page, 11, 'Batch')).click()
    await page.waitForURL(/batch=11/)
    const panel = page.getByRole('dialog', { name: 'Batch spring' })
    await panel.getByText('1 used, 1 unused, 1 disabled').waitFor()
    expect(site.inputs('redemptions.search')).toEqual([
      { keyword: 'spring', page_size: '100', sort: '-created_time', p: '1' },
    ])
    await panel.getByRole('listitem').filter({ hasText: '#13' }).getByRole('link', { name: '#7' }).waitFor()
    await panel.getByRole('button', { name: 'Disable unused (1)' }).click()
    await panel.getByText('1 used, 0 unused, 2 disabled').waitFor()
    await panel.getByRole('button', { name: 'Enable disabled (2)' }).click()
    await panel.getByText('1 used, 2 unused, 0 disabled').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).not.toContain('batch')
  })
  site.server.use({ 'redemptions.get': () => ({ refuse: 'Redemption code not found' }) })
  await site.visit('/redemption?batch=99', { storage }, async (page) => {
    await page.getByText('The batch could not be loaded').waitFor()
  })
})

it('leads to making some where there are none, in Chinese too', async () => {
  site.server.use({ 'redemptions.list': () => ({ data: { items: [], total: 0, page: 1, page_size: 10 } }) })
  await site.visit('/redemption', { storage, language: 'zh' }, async (page) => {
    await page.getByText('还没有兑换码').waitFor()
    await page.locator('.empty').getByRole('button', { name: '添加兑换码' }).click()
    await page.getByRole('dialog', { name: '创建新的兑换码' }).waitFor()
  })
})
