// The list of tokens: its pages, and what narrows it down.
import { expect, it } from 'vitest'
import { listed, root, signedIn, token } from './sample-data.ts'
import { useConsole, setFilter } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('pages a list, and remembers the page size', async () => {
  const all = Array.from({ length: 23 }, (_, index) => token(100 - index))
  site.server.use({
    'tokens.list': ({ p, size }) =>
      listed(all.slice(Number(p) * Number(size), (Number(p) + 1) * Number(size)), all.length),
  })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('Items 1 - 10 of 23').waitFor()
    await page.getByLabel('Next page').click()
    await page.getByText('Items 11 - 20 of 23').waitFor()
    await page.getByLabel('Next page').click()
    await page.getByText('Items 21 - 23 of 23').waitFor()
    await page.getByLabel('Keyword').fill('prod')
    await page.keyboard.press('Enter')
    await page.getByText('Items 1 - 1 of 1').waitFor()
    await page.goBack()
    await page.getByText('Items 21 - 23 of 23').waitFor()
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
    await page.getByText('Items 1 - 23 of 23').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('page-size'))).toBe('50')
  })
})

it('is narrowed down by state and group, by what the server says and in the address', async () => {
  site.server.use({ 'tokens.list': () => listed([token(3, { name: 'much', group: 'vip' }), token(2)]) })
  await site.visit('/token?status=2', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'much' }).waitFor()
    expect(site.inputs('tokens.list')).toEqual([{ p: '0', size: '10', status: '2' }])
    await page.getByRole('button', { name: 'Status Disabled', exact: true }).waitFor()
    await setFilter(page, 'Token group', 'vip')
    await expect.poll(() => site.inputs('tokens.list').at(-1)).toMatchObject({ status: '2', group: 'vip' })
    expect(page.url()).toMatch(/status=2.*group=vip/)
    expect(site.inputs('tokens.search')).toEqual([])
    await page.getByLabel('Keyword').fill('mu')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => site.inputs('tokens.search').at(-1))
      .toMatchObject({ keyword: 'mu', status: '2', group: 'vip' })
  })
})
