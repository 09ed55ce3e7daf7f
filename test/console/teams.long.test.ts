// The screen of teams: members, their budgets, and the accounts.
import { expect, it } from 'vitest'
import { reader, root, sampleHandlers, signedIn } from './sample-data.ts'
import { sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows a team with its members to its owner, who changes it', async () => {
  await site.visit('/teams', { storage: signedIn(reader) }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'research' })
    await expect.poll(() => row.innerText()).toMatch(/\$10[\s\S]*\$0\.5/)
    await row.click()
    const bob = page.locator('.members li').filter({ hasText: 'bob' })
    await expect.poll(() => bob.innerText()).toMatch(/Member[\s\S]*\$0\.20 of \$1/)

    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('enter a username').waitFor()
    await page.getByLabel('Username').last().fill('carl')
    await page.getByLabel('Budget of a day').last().fill('0.002')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('invitation sent').waitFor()
    await bob.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Budget of a month').last().fill('0.004')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => site.inputs('teams.putMember'))
      .toEqual([
        { id: 70, username: 'carl', role: 'member', budget_day: 1000, budget_month: 0 },
        { id: 70, username: 'bob', role: 'member', budget_day: 500_000, budget_month: 2000, version: 3 },
      ])

    await page.getByRole('button', { name: 'Top up' }).click()
    await expect.poll(() => page.getByText('Granted, as an administrator').count()).toBe(0)
    await page.getByLabel('Amount').last().fill('0.014')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('balance changed').waitFor()
    expect(site.inputs('teams.transfer')).toEqual([{ id: 70, amount: 7000 }])

    await bob.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Remove bob from the team?').waitFor()
    expect(site.inputs('teams.removeMember')).toEqual([])
    await page.getByText('You can undo this for 8 seconds.').waitFor()
    await sayYes(page, 'Remove')
    const deleting = (name: string) => page.locator('.toast').filter({ hasText: `Deleting ${name}` })
    await deleting('bob').waitFor()
    await expect.poll(() => bob.count()).toBe(0)
    await deleting('bob').getByRole('button', { name: 'Undo' }).click()
    await bob.getByRole('button', { name: 'Remove' }).click()
    expect(site.inputs('teams.removeMember')).toEqual([])
    await sayYes(page, 'Remove')
    await deleting('bob').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('member removed').waitFor()
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete team' }).click()
      await sayYes(page, 'Delete')
      await deleting('research').waitFor()
      await expect.poll(() => row.count()).toBe(0)
    }
    await remove()
    await deleting('research').getByRole('button', { name: 'Undo' }).click()
    await row.click()
    await remove()
    await deleting('research').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('team deleted').waitFor()
    expect(site.inputs('teams.delete')).toEqual([{ id: '70' }])
  })
})

it('shows members what is theirs, and administrators the teams of everybody, on a phone, too', async () => {
  const plain = { ...reader, id: 3, username: 'bob' }
  await site.visit('/teams', { storage: signedIn(plain), width: 600, dark: true, language: 'zh' }, async (page) => {
    await page.getByRole('button', { name: '详情' }).click()
    await page.getByRole('button', { name: '退出团队' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: '删除团队' }).count()).toBe(0)
    await expect.poll(() => page.getByText('所有人的团队').count()).toBe(0)
  })
  await site.visit('/teams', { storage }, async (page) => {
    await page.getByText('Teams of all users').click()
    await expect.poll(() => site.inputs('teams.list').at(-1)).toMatchObject({ all: 'true' })
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByRole('button', { name: 'Top up' }).click()
    await page.getByLabel('Amount').last().fill('-0.014')
    await page.getByRole('button', { name: 'Save' }).click()
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
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByText('The members could not be loaded').waitFor()
    site.server.use({ 'teams.get': sampleHandlers()['teams.get']! })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.members li').first().waitFor()
    expect(site.inputs('teams.create')).toEqual([{ name: 'research' }])
  })
})

it('shows who manages a team what each member spends, its tokens and its calls; others the members alone', async () => {
  await site.visit('/teams', { storage: signedIn(reader) }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await expect.poll(() => page.locator('.members li').filter({ hasText: 'bob' }).getByRole('meter').count()).toBe(1)
    await page.getByRole('tab', { name: 'Spend by member' }).click()
    const month = page.getByRole('figure', { name: 'Spent this month, by member' })
    await month.getByText('$0.60').waitFor()
    await month.getByRole('button', { name: 'As a table' }).click()
    expect((await month.getByRole('row').filter({ hasText: 'bob' }).innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'bob $0.30',
    )
    await page.getByRole('tab', { name: 'Tokens' }).click()
    const token = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'ours' })
    await expect.poll(() => token.innerText()).toMatch(/bob[\s\S]*Enabled/)
    await page.getByRole('tab', { name: 'Calls' }).click()
    const call = page.getByRole('table', { name: 'Calls' }).getByRole('row').filter({ hasText: 'gpt-4o' })
    await expect.poll(() => call.innerText()).toContain('bob')
    expect([site.inputs('tokens.ofTeam').at(-1), site.inputs('teams.logs').at(-1)]).toMatchObject([
      { id: '70', p: '1' },
      { id: '70', p: '1' },
    ])
  })
  const plain = { ...reader, id: 3, username: 'bob' }
  await site.visit('/teams', { storage: signedIn(plain) }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByRole('button', { name: 'Leave the team' }).waitFor()
    await expect.poll(() => page.getByRole('tab').count()).toBe(0)
  })
})

it('shows invitations: to whoever is asked, who answers, and to owners, who withdraw them', async () => {
  const invitation = {
    ...{ id: 5, team_id: 70, team_name: 'research', username: 'carl', role: 'owner', budget_day: 0, budget_month: 0 },
    ...{ invited_by: 'ada', created_time: 1_700_000_000, expires_time: 4_000_000_000 },
  }
  let waiting = [invitation]
  const handlers = sampleHandlers()
  const answered = (name: string) => (input: Record<string, unknown>) => {
    waiting = []
    return handlers[name]!(input)
  }
  site.server.use({
    'teams.invitations': () => ({ data: waiting }),
    'teams.accept': answered('teams.accept'),
    'teams.decline': answered('teams.decline'),
    'teams.get': (input) => {
      const { data } = handlers['teams.get']!(input) as { data: object }
      return { data: { ...data, invitations: [invitation] } }
    },
  })
  await site.visit('/teams', { storage: signedIn(reader) }, async (page) => {
    const own = page.getByRole('region', { name: 'Invitations' })
    await own.getByText('ada invites you').waitFor()
    await own.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('you have joined the team').waitFor()
    await expect.poll(() => own.count()).toBe(0)
    expect(site.inputs('teams.accept')).toEqual([{ invitation_id: 5 }])

    await page.getByRole('row').filter({ hasText: 'research' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await sayYes(page, 'Withdraw')
    await page.getByText('invitation withdrawn').waitFor()
    expect(site.inputs('teams.withdraw')).toEqual([{ id: '70', invitation_id: '5' }])
  })
  waiting = [invitation]
  await site.visit('/teams', { storage: signedIn(reader), language: 'zh', dark: true }, async (page) => {
    await page.getByRole('button', { name: '拒绝' }).click()
    await page.getByText('已拒绝邀请').waitFor()
    expect(site.inputs('teams.decline')).toEqual([{ invitation_id: 5 }])
  })
})
