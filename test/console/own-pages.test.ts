// The pages of one channel and of one team, at addresses of their own.
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows a channel from the list: its health, keys, errors, calls and changes', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    await page.getByRole('link', { name: 'OpenAI main' }).click()
    await page.waitForURL('**/channel/7')
    await page.getByRole('heading', { name: 'OpenAI main' }).waitFor()
    await page.getByRole('figure', { name: 'Attempts by the hour' }).waitFor()
    expect(site.inputs('channels.health').at(-1)).toMatchObject({ ids: '7' })
    const open = (tab: string) => page.getByRole('tab', { name: tab, exact: true }).click()
    await open('Keys')
    await page.getByText('sk-***one').waitFor()
    await open('Errors')
    await expect.poll(() => site.inputs('logs.list').at(-1)).toMatchObject({ channel: '7', type: '5' })
    await open('Calls')
    await expect.poll(() => site.inputs('logs.list').at(-1)).not.toMatchObject({ type: '5' })
    expect(site.inputs('logs.list').at(-1)).toMatchObject({ channel: '7' })
    await open('Changes')
    await expect.poll(() => site.inputs('audit.list').at(-1)).toMatchObject({ action: 'channel', target: '7' })
    expect(page.url()).toContain('tab=changes')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText(/channel OpenAI main passed/i).waitFor()
  })
})

it('keeps the route of calls beside the channels, and shows a team with its view in the address', async () => {
  await site.visit('/channel/route', { storage }, async (page) => {
    await expect.poll(() => page.title()).toMatch(/^Route of calls/)
  })
  await site.visit('/teams', { storage }, async (page) => {
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.waitForURL(/\/teams\/\d+$/)
    await page.getByRole('tab', { name: 'Tokens' }).click()
    await page.waitForURL(/tab=tokens/)
    await page.reload()
    await expect.poll(() => page.getByRole('tab', { name: 'Tokens' }).getAttribute('aria-selected')).toBe('true')
  })
})

it('asks before a team is deleted, by its name, and does nothing where the answer is no', async () => {
  await site.visit('/teams', { storage }, async (page) => {
    const link = page.getByRole('rowheader').getByRole('link').first()
    const name = await link.innerText()
    await link.click()
    await page.getByRole('button', { name: 'Delete team' }).click()
    const question = page.getByRole('dialog', { name: `Delete the team ${name}?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name }).first().waitFor()
    expect(await page.locator('.toast').count()).toBe(0)
    expect(site.inputs('teams.delete')).toEqual([])
  })
})
