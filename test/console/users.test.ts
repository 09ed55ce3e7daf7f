// The users: found, added, changed, promoted, banned and deregistered, as far as the role of who looks allows it.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { USER_ACTIONS, findActionRefusal } from '../../core/users/authority.ts'
import { person, userHandlers } from './sample-users.ts'
import { root, signedIn } from './sample-data.ts'
import { page as paged } from './samples.ts'
import { fromMenu, sayYes, useConsole, setFilter } from './visit.ts'

const site = useConsole()
// Other screens' samples may answer some of these in another way.
beforeEach(() => site.server.use(userHandlers()))
const storage = signedIn(root)
const admin = { ...root, id: 2, username: 'grace', role: 10 }
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader').or(page.getByRole('cell')).getByText(name, { exact: true }) })
const toast = (page: Page, text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first()

it('shows of each user what the specification names, and of who is deregistered that alone', async () => {
  await site.visit('/user', { storage, width: 1600 }, async (page) => {
    const ada = rowOf(page, 'ada')
    await ada.waitFor()
    const text = (await ada.innerText()).replaceAll(/\s+/g, ' ')
    expect(text).toMatch(
      /3 ada Ada vip \$10\.00 \$1\.50 12\.3k 3 invited · \$0\.50 earned · no inviter Common user Activated/,
    )
    await expect.poll(() => rowOf(page, 'grace').innerText()).toMatch(/by 1[\s\S]*Admin/)
    await expect.poll(() => rowOf(page, 'root').innerText()).toContain('Super admin')
    await expect.poll(() => rowOf(page, 'bob').innerText()).toContain('Banned')
    await expect.poll(() => rowOf(page, 'carl').innerText()).toContain('Unknown')
    await expect.poll(() => rowOf(page, 'odd').innerText()).toContain('Unknown')
    const gone = rowOf(page, 'gone')
    await expect.poll(() => gone.innerText()).toContain('Deregistered')
    await expect.poll(() => gone.getByRole('button').count()).toBe(0)
    await expect.poll(() => gone.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => gone.getByRole('link').count()).toBe(0)
    const shaded = await page.locator('tbody.row-shaded').allInnerTexts()
    expect(shaded.map((each) => /bob|carl|gone/.exec(each)?.[0])).toEqual(['bob', 'carl', 'gone'])
  })
})

it('searches by keyword and group together, also when asked again, and sorts; pages have the size that was chosen', async () => {
  await site.visit('/user', { storage }, async (page) => {
    const keyword = page.getByLabel('Keyword')
    await expect.poll(() => keyword.getAttribute('placeholder')).toBe('ID, username, display name or email')
    await expect.poll(() => site.inputs('users.list').at(-1)).toMatchObject({ p: '1', page_size: '10' })
    await keyword.fill('ada')
    await page.keyboard.press('Enter')
    await setFilter(page, 'Group', 'vip')
    const both = { keyword: 'ada', group: 'vip' }
    await expect.poll(() => site.inputs('users.search').at(-1)).toMatchObject(both)
    await page.getByRole('button', { name: 'Sort by Used' }).click()
    await expect.poll(() => site.inputs('users.search').at(-1)).toMatchObject({ ...both, sort: 'used_quota' })
    await page.reload()
    await expect.poll(() => site.inputs('users.search').length).toBeGreaterThan(2)
    expect(site.inputs('users.search').at(-1)).toMatchObject({ ...both, sort: 'used_quota' })
    await page.getByLabel('Rows per page').selectOption('50')
    await expect.poll(() => site.inputs('users.search').at(-1)).toMatchObject({ ...both, page_size: '50' })
    await setFilter(page, 'Role', 'Admin')
    await setFilter(page, 'Status', 'Banned')
    const all = { ...both, role: 'admin', status: 'disabled' }
    await expect.poll(() => site.inputs('users.search').at(-1)).toMatchObject(all)
    await page.goto(site.server.url + '/user')
    await expect.poll(() => site.inputs('users.list').at(-1)).toMatchObject({ page_size: '50' })
  })
})

it('adds a user by the panel at its own address', async () => {
  await site.visit('/user/edit?group=vip', { storage }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Add user' })
    await panel.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => panel.getByText('username and password cannot be empty').count()).toBe(2)
    await panel.getByLabel('Username').last().fill('newbie')
    await panel.getByLabel('Password', { exact: true }).last().fill('short')
    await panel.getByRole('button', { name: 'Add', exact: true }).click()
    await panel.getByText('username up to 12 characters, password 8 to 20').waitFor()
    await panel.getByLabel('Password', { exact: true }).last().fill('a good password')
    await panel.getByLabel('Display name').last().fill('New')
    await page.keyboard.press('Control+Enter')
    await toast(page, 'user account created').waitFor()
    expect(site.inputs('users.create')).toEqual([
      { username: 'newbie', display_name: 'New', password: 'a good password', email: '', group: 'default' },
    ])
    await page.waitForURL(/\/user\?group=vip$/)
  })
})

it('adds a user with group and balance in one call, and invites the owner of an address by a link', async () => {
  const link = 'https://weir.example.com/user/reset?email=ada%40example.com&token=t&invited=true'
  site.server.use({
    'users.create': ({ email }) => ({
      data: {
        ...person(8, { username: 'ada', email: String(email) }),
        invitation: { link, mailed: false, failure: 'No mail server is configured' },
      },
    }),
  })
  await site.visit('/user/edit', { storage }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Add user' })
    await panel.getByLabel('Email').last().fill('ada@example.com')
    await panel.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'svip' }).click()
    await panel.getByRole('switch', { name: 'Set another first balance' }).click()
    const quota = panel.locator('[data-field=quota] input.semi-input')
    await quota.fill('2.5x')
    await quota.blur()
    await panel.getByText('Enter an amount such as 5 or 2.50.').waitFor()
    await quota.fill('1,234.567890')
    await panel.getByText('Equivalent amount: 617,283,945 quota units').waitFor()
    await panel.getByRole('button', { name: 'In units' }).click()
    expect(await quota.inputValue()).toBe('617283945')
    await panel.getByText('Equivalent amount: $1234.56789').waitFor()
    await panel.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('No mail was sent: No mail server is configured. Send ada@example.com this link').waitFor()
    await page.getByText(link).waitFor()
    expect(site.inputs('users.create')).toEqual([
      {
        ...{ username: '', display_name: '', password: '', email: 'ada@example.com', group: 'svip' },
        quota: 617_283_945,
      },
    ])
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.waitForURL(/\/user$/)
  })
})

it('changes another user: names, password and group, and shows all six bound accounts to be read', async () => {
  await site.visit('/user', { storage }, async (page) => {
    await rowOf(page, 'ada').getByRole('button', { name: 'Edit' }).click()
    await page.waitForURL(/\/user\/edit\/3$/)
    const panel = page.getByRole('dialog', { name: 'Edit user' })
    await panel.getByText('minimum 8; empty to keep it').waitFor()
    for (const account of ['gh-ada', 'oidc-ada', 'wx-ada', 'ada@example.com', 'tg-ada', 'ld-ada']) {
      expect(await panel.getByText(account, { exact: true }).count(), account).toBe(1)
    }
    await panel.getByText('read-only; the user binds it in personal settings').waitFor()
    await panel.getByLabel('Username').last().fill('')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('enter a username').waitFor()
    await panel.getByLabel('Username').last().fill('countess')
    await panel.getByLabel('Password', { exact: true }).last().fill('a good password')
    await panel.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'svip' }).click()
    await panel.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'user information updated').waitFor()
    expect(site.inputs('users.update')).toEqual([
      { id: 3, username: 'countess', display_name: 'Ada', password: 'a good password', group: 'svip', version: 4 },
    ])
    await page.waitForURL(/\/user$/)
  })
})

it('changes the own account as anybody does: no group, and the password with the one until now', async () => {
  await site.visit('/user/edit/2', { storage: signedIn(admin) }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Edit user' })
    await panel.getByLabel('Password', { exact: true }).last().fill('a good password')
    await expect.poll(() => panel.getByRole('combobox', { name: 'Group' }).count()).toBe(0)
    await expect.poll(() => panel.getByRole('button', { name: 'Add quota' }).count()).toBe(0)
    await panel.getByLabel('Current password', { exact: true }).last().fill('the old password')
    await panel.getByLabel('Display name').last().fill('Grace')
    await panel.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'user information updated').waitFor()
    expect(site.inputs('users.update')).toEqual([])
    expect(site.inputs('users.updateSelf')).toMatchObject([
      { display_name: 'Grace', password: 'a good password', original_password: 'the old password' },
    ])
  })
})

it('changes a balance by a difference with its reason, and shows what it comes to', async () => {
  await site.visit('/user', { storage }, async (page) => {
    await fromMenu(page, 'ada', 'Add quota')
    const panel = page.getByRole('dialog', { name: 'Quota of ada' })
    await panel.getByRole('button', { name: 'Add quota' }).click()
    await panel.getByText('enter an amount other than 0').waitFor()
    await panel.getByLabel('Quota to add').last().fill('-1')
    await panel.getByText('New quota: $10.00 + -$1.00 = $9.00').waitFor()
    expect((await panel.locator('dl').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Balance before $10.000000 Balance after $9.000000',
    )
    await panel.getByLabel('Reason').last().fill('billed twice')
    await panel.getByRole('button', { name: 'Add quota' }).click()
    await toast(page, 'balance changed to $9.00').waitFor()
    expect(site.inputs('users.update')).toEqual([
      { id: 3, quota: 4_500_000, quota_before: 5_000_000, reason: 'billed twice' },
    ])
    await expect.poll(() => rowOf(page, 'ada').innerText()).toContain('$9.00')
  })
})

it('promotes and demotes after a question, and takes the role from the answer', async () => {
  await site.visit('/user', { storage, width: 1600 }, async (page) => {
    await fromMenu(page, 'ada', 'Promote')
    await page.getByText('Promote ada to admin?').waitFor()
    await sayYes(page, 'Promote')
    await toast(page, 'operation completed').waitFor()
    await expect.poll(() => rowOf(page, 'ada').innerText()).toMatch(/\bAdmin\b/)
    await fromMenu(page, 'ada', 'Demote')
    await sayYes(page, 'Demote')
    await expect.poll(() => rowOf(page, 'ada').innerText()).toContain('Common user')
    expect(site.inputs('users.manage').map(({ action }) => action)).toEqual(['promote', 'demote'])
  })
})

it('deregisters after a question that says it cannot be undone; the row stays, with nothing to do', async () => {
  await site.visit('/user', { storage, width: 1600 }, async (page) => {
    await fromMenu(page, 'ada', 'Deregister')
    await page.getByText('Deregister ada?').waitFor()
    await page.getByText('This is the same as deleting and cannot be undone.').waitFor()
    await sayYes(page, 'Deregister')
    await expect.poll(() => rowOf(page, 'ada').innerText()).toContain('Deregistered')
    await expect.poll(() => rowOf(page, 'ada').getByRole('button').count()).toBe(0)
    expect(site.inputs('users.manage')).toEqual([{ id: 3, action: 'delete' }])
  })
})

it('disables and enables at once, which can be taken back; of an unknown state enabling is off', async () => {
  await site.visit('/user', { storage }, async (page) => {
    await fromMenu(page, 'ada', 'Disable')
    await toast(page, 'ada disabled').waitFor()
    await expect.poll(() => rowOf(page, 'ada').innerText()).toContain('Banned')
    await toast(page, 'ada disabled').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rowOf(page, 'ada').innerText()).toContain('Activated')
    await fromMenu(page, 'bob', 'Enable')
    await toast(page, 'bob enabled').waitFor()
    expect(site.inputs('users.manage')).toEqual([
      { id: 3, action: 'disable' },
      { id: 3, action: 'enable' },
      { id: 4, action: 'enable' },
    ])
    await page.getByRole('button', { name: 'More for carl', exact: true }).click()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Enable' }).getAttribute('aria-disabled')).toBe('true')
  })
})

it('changes several at once, each as it may be, and takes all of it back', async () => {
  await site.visit('/user', { storage }, async (page) => {
    for (const name of ['ada', 'bob']) await rowOf(page, name).getByRole('checkbox').check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Disable' }).click()
    // One of them is banned already.
    await toast(page, 'ada disabled').waitFor()
    for (const name of ['ada', 'bob']) await rowOf(page, name).getByRole('checkbox').check()
    await bar.getByRole('button', { name: 'Change group' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change group' })
    await dialog.getByRole('combobox').click()
    await page.getByRole('option', { name: 'svip' }).click()
    await dialog.getByRole('button', { name: 'Change group' }).click()
    const said = toast(page, 'group of 2 users changed to svip')
    await said.waitFor()
    await said.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => site.inputs('users.update').map(({ id, group }) => [id, group]))
      .toEqual([
        [3, 'svip'],
        [4, 'svip'],
        [3, 'vip'],
        [4, 'default'],
      ])
  })
})

it('deregisters several after a question that names them, once, and those alone who may be', async () => {
  site.server.use({ 'users.deleteMany': ({ ids }) => ({ data: (ids as number[]).length }) })
  await site.visit('/user', { storage: signedIn(admin), width: 1600 }, async (page) => {
    // Grace is an administrator like the one who looks.
    const choose = async () => {
      for (const name of ['ada', 'bob']) await rowOf(page, name).getByRole('checkbox').check()
    }
    await choose()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const deregister = async () => {
      const direct = bar.getByRole('button', { name: 'Deregister', exact: true })
      if ((await direct.count()) === 0) await bar.getByRole('button', { name: /More/ }).click()
      await direct.or(page.getByRole('menuitem', { name: 'Deregister', exact: true })).click()
    }
    await deregister()
    const dialog = page.getByRole('dialog', { name: 'Deregister 2 users?' })
    await dialog.getByText('can never be used again: ada, bob').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    expect(site.inputs('users.deleteMany')).toEqual([])
    await deregister()
    await sayYes(page, 'Deregister')
    for (const name of ['ada', 'bob']) await expect.poll(() => rowOf(page, name).innerText()).toContain('Deregistered')
    expect(site.inputs('users.deleteMany')).toEqual([{ ids: [3, 4] }])
    await expect.poll(() => bar.count()).toBe(0)
  })
})

it('names every user who is to be deregistered on a phone, dark and in Chinese', async () => {
  const many = Array.from({ length: 40 }, (_, at) => person(100 + at, { username: `someone-${at}` }))
  site.server.use({ 'users.list': () => ({ data: paged(many) }), 'users.deleteMany': () => ({ refuse: '不允许' }) })
  const phone = { storage, width: 390, height: 700, dark: true, language: 'zh' as const }
  await site.visit('/user', phone, async (page) => {
    await page.getByText('someone-0', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(many.length)
    await page.getByRole('checkbox').evaluateAll((boxes: HTMLElement[]) => boxes.forEach((box) => box.click()))
    const bar = page.locator('.bulk-bar, [role=region]').last()
    await bar.getByRole('button', { name: '注销', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '注销 40 个用户？' })
    await dialog.getByText('someone-39').waitFor()
    const yes = dialog.getByRole('button', { name: '注销', exact: true })
    const box = await yes.boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(700)
    await yes.click()
    await page.locator('.toast').getByText('不允许').waitFor()
    // Nothing has changed where the server refuses.
    await expect.poll(() => page.getByText('已注销').count()).toBe(0)
  })
})

describe.each([1, 10, 100])('of somebody of role %i', (role) => {
  const words = { promote: 'Promote', demote: 'Demote', disable: 'Disable', enable: 'Enable', delete: 'Deregister' }
  it.each([admin, root])('offers $username what they may do, and nothing else', async (me) => {
    const user = person(9, { username: 'someone', role })
    site.server.use({ 'users.list': () => ({ data: paged([user]) }) })
    await site.visit('/user', { storage: signedIn(me) }, async (page) => {
      await rowOf(page, 'someone').waitFor()
      const target = { role, DeletedAt: null }
      // Who is enabled is not enabled.
      const allowed = USER_ACTIONS.filter(
        (action) => action !== 'enable' && !findActionRefusal(me.role, target, action),
      )
      const more = page.getByRole('button', { name: 'More for someone' })
      if (allowed.length === 0 && me.role <= role && me.role !== 100) return expect(await more.count()).toBe(0)
      await more.click()
      const offered = await page.getByRole('menuitem').allInnerTexts()
      const acts = Object.values(words)
      expect(offered.filter((each) => acts.includes(each)).sort()).toEqual(allowed.map((one) => words[one]).sort())
    })
  })
})

it('says what is missing: no user, none that matches, and that they could not be loaded', async () => {
  site.server.use({ 'users.list': () => ({ data: paged([]) }), 'users.search': () => ({ data: paged([]) }) })
  await site.visit('/user', { storage, expected: /500/ }, async (page) => {
    await page.getByText('No user yet').waitFor()
    await page.goto(site.server.url + '/user?keyword=x')
    await page.getByText('No user matches').waitFor()
    site.server.use({ 'users.search': () => ({ refuse: 'x', status: 500 }) })
    await page.reload()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
  })
})
