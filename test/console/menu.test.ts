// The side menu: its entries by role, their order, folding, and its place on a phone.
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { reader, root, signedIn, status } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole('/gate')

/** In the order of the specification. */
const MENU = [
  ...['/playground', '/chat', '/detail', '/token', '/log', '/midjourney', '/task'],
  ...['/channel', '/redemption', '/user', '/setting', '/topup', '/personal'],
]
const OF_ADMINS = ['/channel', '/redemption', '/user', '/setting']
const BY_FLAG = { enable_data_export: '/detail', enable_drawing: '/midjourney', enable_task: '/task' }

const hrefs = (within: Locator): Promise<string[]> =>
  within
    .getByRole('link')
    .evaluateAll((all) => all.map((each) => (each.getAttribute('href') ?? '').replace('/gate', '')))

it.each(Object.entries(BY_FLAG))('shows in the menu what is switched on: %s alone', async (flag, path) => {
  const flags = Object.fromEntries(Object.keys(BY_FLAG).map((each) => [each, each === flag]))
  site.server.use({ 'site.status': () => ({ data: { ...status, ...flags } }) })
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    await page.getByText('production').waitFor()
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await expect
      .poll(async () => (await hrefs(menu)).filter((href) => Object.values(BY_FLAG).includes(href)))
      .toEqual([path])
    const kept = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
    for (const each of Object.keys(BY_FLAG)) expect(await kept(each), each).toBe(String(each === flag))
  })
})

it('shows administrators their menu, and nobody else', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Channels' }).click()
    await page.waitForURL('**/gate/channel')
    expect((await hrefs(menu)).filter((href) => MENU.includes(href))).toEqual(MENU)
    await expect.poll(() => menu.locator('.menu-heading').allInnerTexts()).toEqual(['Console', 'Admin', 'Personal'])
  })
  site.server.reset()
  await site.visit('/channel', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('You have no permission for this').waitFor()
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await expect
      .poll(async () => (await hrefs(menu)).filter((href) => MENU.includes(href)))
      .toEqual(MENU.filter((href) => !OF_ADMINS.includes(href)))
    await expect.poll(() => menu.locator('.menu-heading').allInnerTexts()).toEqual(['Console', 'Personal'])
    expect(site.inputs('channels.list')).toEqual([])
  })
})

it('collapses the side menu to 60 px and remembers it', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const width = async () => (await page.locator('aside').boundingBox())?.width
    await page.getByText('production').waitFor()
    await expect.poll(() => width()).toBe(200)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect.poll(width).toBe(60)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('default_collapse_sidebar'))).toBe('true')
    await page.reload()
    await page.getByText('production').waitFor()
    await expect.poll(() => width()).toBe(60)
  })
})

it('begins as the operator says, unless the visitor has chosen otherwise', async () => {
  site.server.use({ 'site.status': () => ({ data: { ...status, default_collapse_sidebar: true } }) })
  for (const [own, width] of [
    [{}, 60],
    [{ default_collapse_sidebar: 'false' }, 200],
  ] as const)
    await site.visit('/token', { storage: { ...signedIn(root), ...own } }, async (page) => {
      await page.getByText('production').waitFor()
      await expect.poll(async () => (await page.locator('aside').boundingBox())?.width).toBe(width)
    })
})

it('keeps the menu in a drawer on a phone', async () => {
  await site.visit('/token', { storage: signedIn(root), width: 390, height: 844 }, async (page) => {
    await page.getByText('production').waitFor()
    await expect.poll(() => page.locator('aside').count()).toBe(0)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('link', { name: 'Usage log' }).click()
    await page.waitForURL('**/gate/log')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
  })
})
