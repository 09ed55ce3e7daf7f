// The filters of the list of channels, and those that the browser remembers.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { channel } from './sample-channels.ts'
import { listed, root, signedIn } from './sample-data.ts'
import { setFilter, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('is searched by keyword, group and model together', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    await setFilter(page, 'Group', 'vip')
    await setFilter(page, 'Model', 'gpt-4o-mini')
    await expect.poll(() => site.inputs('channels.list').at(-1)).toMatchObject({ group: 'vip', model: 'gpt-4o-mini' })
    await page.getByLabel('Keyword').fill('main')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => site.inputs('channels.search').at(-1))
      .toMatchObject({ keyword: 'main', group: 'vip', model: 'gpt-4o-mini' })
  })
})

it('begins as it was left: order, tags, batch mode and columns', async () => {
  const left = {
    ...{ 'id-sort': 'true', 'enable-tag-mode': 'true', 'enable-batch-delete': 'true', 'page-size': '20' },
    'channels-table-columns': JSON.stringify({ weight: false }),
  }
  const isOn = (page: Page, name: string) => page.getByRole('switch', { name }).isChecked()
  site.server.use({ 'channels.list': () => listed([channel(1, { name: 'one', tag: 'blue' })], 1) })
  await site.visit('/channel', { storage: { ...storage, ...left }, width: 1600 }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'Tag: blue' }).waitFor()
    for (const name of ['Sort by ID', 'Tag mode', 'Batch mode']) expect(await isOn(page, name), name).toBe(true)
    expect(site.inputs('channels.list')[0]).toMatchObject({ id_sort: 'true', tag_mode: 'true', page_size: '20' })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).waitFor()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Weight' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('columnheader', { name: 'Priority' }).count()).toBe(1)
    for (const name of ['Sort by ID', 'Tag mode', 'Batch mode']) await page.getByRole('switch', { name }).click()
    await expect
      .poll(() =>
        page.evaluate(() =>
          ['id-sort', 'enable-tag-mode', 'enable-batch-delete'].map((key) => localStorage.getItem(key)),
        ),
      )
      .toEqual(['false', 'false', 'false'])
  })
  await site.visit('/channel', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'one' }).waitFor()
    for (const name of ['Sort by ID', 'Tag mode', 'Batch mode']) expect(await isOn(page, name), name).toBe(false)
  })
})
