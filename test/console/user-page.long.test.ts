// The page of one user, view by view, and the audit.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { listAuditedChanges } from '../../console/screens/audit/changes.ts'
import { AUDIT_VERBS, NOUNS, VERBS } from '../../console/screens/audit/action.ts'
import { root as top } from '../support/sources.ts'
import { auditHandlers, usageHandlers, userHandlers } from './sample-users.ts'
import { reader, root, signedIn } from './sample-data.ts'
import { fromMenu, sayYes, useConsole, setFilter } from './visit.ts'

const site = useConsole()
// Other screens' samples may answer some of these in another way.
beforeEach(() => site.server.use({ ...userHandlers(), ...auditHandlers(), ...usageHandlers() }))
const storage = signedIn(root)

async function fromMenuOfPage(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

it('shows who it is, and does what the list does', async () => {
  await site.visit('/user/3', { storage }, async (page) => {
    await page.getByRole('heading', { name: 'ada' }).waitFor()
    const facts = (await page.locator('.user-sheet > dl').innerText()).replaceAll(/\s+/g, ' ')
    expect(facts).toMatch(
      /ID 3 Display name Ada Balance \$10\.00 Used \$1\.50 Calls 12\.3k Group vip Invites 3 invited/,
    )
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByText('ada disabled').waitFor()
    await page.getByText('banned').waitFor()
    await page.getByRole('button', { name: 'Add quota' }).click()
    const panel = page.getByRole('dialog', { name: 'Quota of ada' })
    await panel.getByLabel('Quota to add').last().fill('1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('balance changed to $11.00').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.waitForURL(/\/user\/edit\/3$/)
  })
})

it('tells spend by day and model, each leading to its calls', async () => {
  await site.visit('/user/3', { storage }, async (page) => {
    const byDay = page.getByRole('figure', { name: 'Spend by day and model' })
    await byDay.getByText('$3.00').waitFor()
    expect(site.inputs('usage.query').at(-1)).toMatchObject({ user: '3', by: 'model', step: 'day' })
    await page.getByLabel('Time range').selectOption('90')
    await page.waitForURL(/days=90/)
    const daysAsked = () => {
      const { from } = site.inputs('usage.query').at(-1) as { from: string }
      return Math.round((Date.now() / 1000 - Number(from)) / 86_400)
    }
    await expect.poll(daysAsked).toBe(90)
    await byDay.getByRole('button', { name: 'As a table' }).click()
    await byDay.getByRole('row').nth(2).getByRole('button', { name: '$1.00' }).click()
    await page.waitForURL(/\/log\?/)
    const asked = new URL(page.url()).searchParams
    expect([asked.get('username'), asked.get('model_name')]).toEqual(['ada', 'gpt-4o'])
    expect(Number(asked.get('end')) - Number(asked.get('start'))).toBe(86_399)
  })
})

it('shows their tokens, which are switched and deleted without their keys', async () => {
  await site.visit('/user/3', { storage }, async (page) => {
    await page.getByRole('tab', { name: 'Tokens' }).click()
    await page.waitForURL(/tab=tokens/)
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('laptop disabled').first().waitFor()
    await fromMenu(page, 'laptop', 'Delete')
    await page.getByText('Delete the token laptop?').waitFor()
    await sayYes(page, 'Delete')
    const going = page.locator('.toast').filter({ hasText: 'Deleting laptop' })
    await going.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('token deleted').waitFor()
    expect(site.inputs('tokens.manage')).toEqual([
      { id: 31, action: 'disable' },
      { id: 31, action: 'delete' },
    ])
  })
})

it('shows the last calls, the ledger with its reasons, and the orders', async () => {
  await site.visit('/user/3?tab=log', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().waitFor()
    expect(site.inputs('logs.list').at(-1)).toMatchObject({ username: 'ada' })
    const whole = page.getByRole('link', { name: 'Open the whole log of this user' })
    await expect.poll(() => whole.getAttribute('href')).toBe('/log?username=ada&span=month')
    await page.getByRole('tab', { name: 'Ledger' }).click()
    const moved = page.getByRole('row').filter({ hasText: 'adjustment' })
    expect((await moved.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/by root · billed twice -\$1\.000000 \$9\.000000/)
    const charge = page.getByRole('row').filter({ hasText: 'charge' })
    await expect.poll(() => charge.getByRole('link').getAttribute('href')).toBe('/log/req-1')
    expect(site.inputs('quota.entries').at(-1)).toMatchObject({ account_id: '3' })
    await page.getByRole('tab', { name: 'Top-ups' }).click()
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'T-1' }).innerText())
      .toMatch(/Paid[\s\S]*7\.30 CNY/)
    expect(site.inputs('topups.list').at(-1)).toMatchObject({ user_id: '3' })
  })
})

it('shows how and where they are signed in, signs them out and helps who lost a second factor', async () => {
  await site.visit('/user/3?tab=access', { storage }, async (page) => {
    await page.getByText('ld-ada').waitFor()
    await page.getByRole('row').filter({ hasText: 'Firefox' }).getByText('192.0.2.7').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await sayYes(page, 'Sign out everywhere')
    await page.getByText('every session ended').waitFor()
    await page.getByRole('button', { name: 'Remove second factors' }).click()
    await sayYes(page, 'Remove second factors')
    await page.getByText('second factors removed').waitFor()
    expect([site.inputs('users.endSessionsOf'), site.inputs('users.removeProofs')]).toEqual([
      [{ user_id: '3' }],
      [{ id: '3' }],
    ])
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('row').filter({ hasText: 'User: changed' }).waitFor()
    expect(site.inputs('audit.list').at(-1)).toMatchObject({ action: 'user', target: '3' })
  })
})

it('gives what is kept of them as a file, and forgets them after a question; administrators do the first alone', async () => {
  site.server.use({
    'privacy.export': () => ({ events: [] }),
    'privacy.forget': () => ({ data: { asked_at: 1, done_at: 0, left: 3 } }),
  })
  await site.visit('/user/3', { storage }, async (page) => {
    await fromMenuOfPage(page, 'Export data')
    await expect.poll(() => site.inputs('privacy.export')).toEqual([{ user_id: '3' }])
    await fromMenuOfPage(page, 'Forget')
    const question = page.getByRole('dialog', { name: 'Forget ada for good?' })
    await question.getByText('the ledger keeps its entries by id').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(site.inputs('privacy.forget')).toEqual([])
    await fromMenuOfPage(page, 'Forget')
    await sayYes(page, 'Forget')
    await page.getByText('user 3 is forgotten').waitFor()
    expect(site.inputs('privacy.forget')).toEqual([{ user_id: '3' }])
    await page.waitForURL(/\/user$/)
  })
  await site.visit('/user/3', { storage: signedIn({ ...root, role: 10 }) }, async (page) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export data' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Forget' }).count()).toBe(0)
  })
})

it('says that a user cannot be shown, and why', async () => {
  site.server.use({ 'users.get': () => ({ refuse: 'You may not view users of your level or above' }) })
  await site.visit('/user/2', { storage }, async (page) => {
    await page.getByText('This user cannot be shown').waitFor()
    await page.getByText('You may not view users of your level or above').last().waitFor()
    await page.getByRole('link', { name: 'All users' }).click()
    await page.waitForURL(/\/user$/)
  })
})

it('the audit tells who changed what, from what to what, and leads to it', async () => {
  await site.visit('/audit', { storage, width: 1600 }, async (page) => {
    const first = page.getByRole('row').filter({ hasText: 'User: changed' })
    expect((await first.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /root User: changed 3 quota: \$2\.00 → \$3\.00 · 2 more/,
    )
    await expect.poll(() => first.getByRole('link', { name: '3' }).getAttribute('href')).toBe('/user/3')
    await first.getByRole('button', { name: /Details/ }).click()
    const table = page.locator('.audit-changes')
    expect((await table.innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Field Before After quota $2.00 $3.00 group default vip reason none a gift',
    )
    await page.getByText('192.0.2.7').waitFor()
    const channel = page.getByRole('row').filter({ hasText: 'Channel: changed' })
    await expect.poll(() => channel.getByRole('link', { name: '7' }).getAttribute('href')).toBe('/channel/7')
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'SystemName' }).innerText())
      .toContain('Weir → Other')
    const gone = page.getByRole('row').filter({ hasText: 'Token: deleted' })
    await expect.poll(() => gone.innerText()).toContain('unknown')
    await expect.poll(() => gone.getByRole('link').count()).toBe(0)
  })
})

it('the audit is narrowed by who, what, of what and when, all of it in the address', async () => {
  const narrowed = '/audit?username=root&action=user.edit&target=3&span=week'
  await site.visit(narrowed, { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'User: changed' }).waitFor()
    const asked = site.inputs('audit.list').at(-1)!
    expect(asked).toMatchObject({ username: 'root', action: 'user.edit', target: '3' })
    expect(Math.round((Date.now() / 1000 - Number(asked['start_timestamp'])) / 86_400)).toBe(7)
    await page.getByRole('button', { name: 'Remove filter: What' }).click()
    await expect.poll(() => site.inputs('audit.list').at(-1)).not.toHaveProperty('action')
    expect(site.inputs('audit.list').at(-1)).toMatchObject({ username: 'root', target: '3' })
    await setFilter(page, 'What', 'Setting')
    await page.waitForURL(/action=setting/)
    site.server.use({ 'audit.list': () => ({ data: { items: [], page: 1, page_size: 10, total: 0 } }) })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('No change matches').waitFor()
  })
})

it('keeps administrators’ pages from everybody else', async () => {
  await site.visit('/user', { storage: signedIn(reader) }, async (page) => {
    for (const path of ['/user', '/user/edit/3', '/user/3', '/audit']) {
      await page.goto(site.server.url + path)
      await page.locator('.empty-page').waitFor()
      expect(await page.locator('table').count(), path).toBe(0)
    }
    expect(site.server.asked.filter(({ name }) => /^(users|audit)\./.test(name))).toEqual([])
  })
})

it('finds what differs, of rows with fields and of plain texts', () => {
  expect(listAuditedChanges({ before: '{"a":1,"b":[1]}', after: '{"a":2,"b":[1],"c":true}' })).toEqual([
    { field: 'a', before: 1, after: 2 },
    { field: 'c', before: undefined, after: true },
  ])
  expect(listAuditedChanges({ before: 'Weir', after: 'Other' })).toEqual([
    { field: '', before: 'Weir', after: 'Other' },
  ])
  expect(listAuditedChanges({ before: '', after: '[1]' })).toEqual([{ field: '', before: undefined, after: '[1]' }])
  expect(listAuditedChanges({ before: '', after: '' })).toEqual([])
})

it('has words for every action that is recorded', () => {
  const table = readFileSync(join(top, 'test/storage/changes-world.ts'), 'utf8')
  const recorded = [...table.matchAll(/'([a-z]+\.[a-z_]+)',\s+'[a-z]+\.[a-zA-Z]+'/g)].map(([, action]) => action!)
  expect(recorded.length).toBeGreaterThan(40)
  for (const action of recorded) {
    const [noun = '', verb = ''] = action.split('.')
    expect((AUDIT_VERBS as Record<string, readonly string[]>)[noun], action).toContain(verb)
    expect(NOUNS, action).toHaveProperty(noun)
    expect(VERBS, action).toHaveProperty(verb)
  }
})
