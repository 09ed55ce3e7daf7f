// The API tokens: list, search, copy, and the panel; and the teams that pay for some of them.
import { expect, it } from 'vitest'
import { listed, reader, root, sampleHandlers, signedIn, status, token } from './sample-data.ts'
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

it('shows a team with its members to its owner, who changes it', async () => {
  await site.visit('/teams', { storage: signedIn(reader) }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'research' })
    expect(await row.innerText()).toMatch(/\$10[\s\S]*\$0\.5/)
    await row.click()
    const bob = page.locator('.members li').filter({ hasText: 'bob' })
    expect(await bob.innerText()).toMatch(/Member[\s\S]*\$0\.20 of \$1/)

    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('enter a username').waitFor()
    await page.getByLabel('Username').last().fill('carl')
    await page.getByLabel('Budget of a day').last().fill('1000')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('member saved').waitFor()
    await bob.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Budget of a month').last().fill('2000')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect
      .poll(() => site.inputs('teams.putMember'))
      .toEqual([
        { id: 70, username: 'carl', role: 'member', budget_day: 1000, budget_month: 0 },
        { id: 70, username: 'bob', role: 'member', budget_day: 500_000, budget_month: 2000 },
      ])

    await page.getByRole('button', { name: 'Top up' }).click()
    expect(await page.getByText('Granted, as an administrator').count()).toBe(0)
    await page.getByLabel('Amount').last().fill('7000')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('balance changed').waitFor()
    expect(site.inputs('teams.transfer')).toEqual([{ id: 70, amount: 7000 }])

    await bob.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Remove bob from the team?').waitFor()
    expect(site.inputs('teams.removeMember')).toEqual([])
    await page.locator('.semi-popconfirm').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('member removed').waitFor()
    await page.getByRole('button', { name: 'Delete team' }).click()
    await page.locator('.semi-popconfirm').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('team deleted').waitFor()
    expect(site.inputs('teams.delete')).toEqual([{ id: '70' }])
  })
})

it('shows members what is theirs, and administrators the teams of everybody, on a phone, too', async () => {
  const plain = { ...reader, id: 3, username: 'bob' }
  await site.visit('/teams', { storage: signedIn(plain), width: 600, dark: true, language: 'zh' }, async (page) => {
    await page.getByRole('button', { name: '详情' }).click()
    await page.getByRole('button', { name: '退出团队' }).waitFor()
    expect(await page.getByRole('button', { name: '删除团队' }).count()).toBe(0)
    expect(await page.getByText('所有人的团队').count()).toBe(0)
  })
  await site.visit('/teams', { storage }, async (page) => {
    await page.getByText('Teams of everybody').click()
    await expect.poll(() => site.inputs('teams.list').at(-1)).toMatchObject({ all: 'true' })
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByRole('button', { name: 'Top up' }).click()
    await page.getByLabel('Amount').last().fill('-7000')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('balance changed').waitFor()
    expect(site.inputs('teams.adjust')).toEqual([{ id: 70, amount: -7000 }])
  })
})

it('says where there is no team, and makes one; and that members could not be loaded', async () => {
  site.server.use({ 'teams.list': () => ({ data: { items: [], total: 0, page: 1, page_size: 10 } }) })
  await site.visit('/teams', { storage: signedIn(reader), expected: /500/ }, async (page) => {
    await page.getByText('No team yet').waitFor()
    await page.getByRole('button', { name: 'Add team' }).last().click()
    await page.getByLabel('Name', { exact: true }).last().fill('research')
    site.server.use({
      'teams.get': () => ({ refuse: 'x', status: 500 }),
      'teams.list': sampleHandlers()['teams.list']!,
    })
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByText('The members could not be loaded').waitFor()
    site.server.use({ 'teams.get': sampleHandlers()['teams.get']! })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.members li').first().waitFor()
    expect(site.inputs('teams.create')).toEqual([{ name: 'research' }])
  })
})
