// The API tokens: list, search, copy, and the panel.
import { expect, it } from 'vitest'
import { listed, root, signedIn, status, token } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows tokens with their state, masks keys and copies them whole', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'production' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/enabled[\s\S]*vip[\s\S]*\$0\.25[\s\S]*unlimited[\s\S]*never/)
    expect(await page.getByRole('row').filter({ hasText: 'laptop' }).innerText()).toContain('disabled')
    expect(await page.getByRole('row').filter({ hasText: 'old script' }).innerText()).toContain('expired')
    const { key } = token(3)
    expect(await row.innerText()).not.toContain(key)
    await row.getByRole('button', { name: 'Copy production' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${key}`)
    await row.getByRole('button', { name: 'Show the key' }).click()
    await row.getByText(`sk-${key}`).waitFor()
    await page.getByRole('button', { name: 'Copy selected tokens' }).click()
    await page.getByText('Please select at least one token!').waitFor()
  })
})

it('says which rows hold a number that cannot be read exactly, on a phone too', async () => {
  site.server.use({
    'tokens.list': () => listed([token(3, { name: 'much', unreadable: ['remain_quota'] }), token(2, { name: 'few' })]),
  })
  for (const options of [{ storage }, { storage, width: 390 }]) {
    await site.visit('/token', options, async (page) => {
      const row = page.locator('tr.semi-table-row, li.card')
      await row.filter({ hasText: 'much' }).getByText('cannot be read exactly: remain_quota').waitFor()
      expect(await row.filter({ hasText: 'few' }).innerText()).not.toContain('cannot be read')
    })
  }
})

it('searches on Enter and keeps the search in the address', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByLabel('Keyword').fill('prod')
    await page.keyboard.press('Enter')
    await page.getByText('found prod').waitFor()
    expect(page.url()).toContain('keyword=prod')
    await page.reload()
    await page.getByText('found prod').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('production').waitFor()
  })
})

it('makes several tokens: the later names get six random characters', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Add token' }).click()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('enter a name').first().waitFor()
    await page.getByLabel('Name', { exact: true }).last().fill('batch')
    await page.getByRole('button', { name: '1 day' }).click()
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByLabel('Count', { exact: true }).last().fill('3')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('token created, copy it from the list').waitFor()
    const made = site.inputs('tokens.create')
    expect(made.map(({ name }) => name)).toEqual([
      'batch',
      expect.stringMatching(/^batch-\w{6}$/),
      expect.stringMatching(/^batch-\w{6}$/),
    ])
    expect(made[0]).toMatchObject({ remain_quota: 5_000_000, unlimited_quota: false, model_limits: '', group: '' })
    expect(Number(made[0]?.['expired_time']) - Date.now() / 1000).toBeGreaterThan(86_000)
  })
})

it('changes a token and shows the outcome of a switch without asking again', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.getByRole('button', { name: 'Enable' }).click()
    await row.getByRole('button', { name: 'Disable' }).waitFor()
    expect(site.inputs('tokens.update')).toEqual([{ status_only: 'true', id: 2, status: 1 }])
    expect(site.inputs('tokens.list')).toHaveLength(1)
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Set unlimited' }).click()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('token updated').waitFor()
    expect(site.inputs('tokens.update')[1]).toMatchObject({ id: 2, unlimited_quota: true, model_limits: 'gpt-4o' })
  })
})

it('deletes only after a yes', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Delete this token?').waitFor()
    expect(site.inputs('tokens.delete')).toEqual([])
    await page.locator('.semi-popconfirm').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('token deleted').waitFor()
    expect(site.inputs('tokens.delete')).toEqual([{ id: '2' }])
  })
})

it('pages a list, and remembers the page size', async () => {
  const all = Array.from({ length: 23 }, (_, index) => token(100 - index))
  site.server.use({
    'tokens.list': ({ p, size }) =>
      listed(all.slice(Number(p) * Number(size), (Number(p) + 1) * Number(size)), all.length),
  })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('Items 1 - 10 of 23').waitFor()
    await page.getByLabel('Next').last().click()
    await page.getByText('Items 11 - 20 of 23').waitFor()
    await page.getByLabel('Next').last().click()
    await page.getByText('Items 21 - 23 of 23').waitFor()
    await page.getByLabel('Keyword').fill('prod')
    await page.keyboard.press('Enter')
    await page.getByText('Items 1 - 1 of 1').waitFor()
    await page.goBack()
    await page.getByText('Items 21 - 23 of 23').waitFor()
    await page.getByRole('combobox', { name: 'Rows per page' }).click()
    await page.getByText('50 per page').click()
    await page.getByText('Items 1 - 23 of 23').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('page-size'))).toBe('50')
  })
})

it('says what to do where there is no token, and shows units where the site does not show money', async () => {
  site.server.use({
    'tokens.list': () => listed([]),
    'groups.usable': () => ({ data: {} }),
    'site.status': () => ({ data: { ...status, display_in_currency: false } }),
  })
  await site.visit('/token', { storage, width: 390, height: 844, dark: true }, async (page) => {
    await page.getByText('No API token yet').waitFor()
    await page.getByRole('button', { name: 'Add token' }).last().click()
    await page.getByRole('button', { name: '5.0M', exact: true }).waitFor()
    await page.getByText('Administrator has not set user-selectable groups').waitFor()
    const panel = page.locator('.side-panel .semi-sidesheet-inner')
    expect((await panel.boundingBox())?.width).toBeCloseTo(390, 2)
  })
})
