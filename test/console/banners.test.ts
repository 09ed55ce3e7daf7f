// The banners above every page: the server is unreachable or back, it was upgraded, a file is missing.
import { expect, it } from 'vitest'
import { root, signedIn, status } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('says that the server is away, keeps what is shown, and reads it again once it is back', async () => {
  await site.visit('/token', { storage, expected: /ERR_|Failed to load/ }, async (page) => {
    await page.getByText('production').waitFor()
    await page.context().setOffline(true)
    const away = page.getByRole('alert').filter({ hasText: 'The server cannot be reached. The page' })
    await away.waitFor()
    await page.getByText('production').waitFor()
    const before = site.inputs('tokens.list').length
    site.server.use({ 'site.status': () => ({ data: { ...status, version: '9.9.9' } }) })
    await page.context().setOffline(false)
    await expect.poll(() => site.inputs('tokens.list').length).toBeGreaterThan(before)
    await expect.poll(() => away.count()).toBe(0)
    await page.getByRole('status').filter({ hasText: 'Weir was upgraded' }).waitFor()
  })
})

it('offers to load an upgraded console, and never does so by itself', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('production').waitFor()
    const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await look()
    await expect.poll(() => site.inputs('site.status').length).toBe(1)
    const said = page.getByRole('status').filter({ hasText: 'Weir was upgraded' })
    await expect.poll(() => said.count()).toBe(0)
    site.server.use({ 'site.status': () => ({ data: { ...status, version: '9.9.9' } }) })
    await page.getByRole('button', { name: 'Create token' }).click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('half typed')
    await look()
    await said.waitFor()
    await expect.poll(() => name.inputValue()).toBe('half typed')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await said.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('production').waitFor()
    await expect.poll(() => said.count()).toBe(0)
  })
})

it('says that a page was not loaded while the server is away, and loads it once the server is back', async () => {
  // Alone: its browser must not have the file of the next page.
  await site.visit(
    '/token',
    { storage, alone: true, expected: /ERR_|Failed to|The above error occurred/ },
    async (page) => {
      await page.getByText('production').waitFor()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Usage log' }).click()
      await page.getByText('The page is loaded once the server is back', { exact: false }).waitFor()
      await expect.poll(() => page.getByText('Weir was upgraded').count()).toBe(0)
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Usage log' }).waitFor()
      await expect.poll(() => page.getByText('Weir was upgraded').count()).toBe(0)
    },
  )
})

it('loads what is opened later once the page is touched, and opens it while the server is away', async () => {
  await site.visit('/token', { storage, alone: true, expected: /ERR_|Failed to/ }, async (page) => {
    const loaded = (file: string) => () =>
      page.evaluate(
        (part) => performance.getEntriesByType('resource').filter(({ name }) => name.includes(part)).length,
        file,
      )
    await page.getByText('production').waitFor()
    await expect.poll(loaded('/list-')).toBe(1)
    expect(await loaded('/form-')()).toBe(0)
    await page.mouse.move(400, 300)
    await page.mouse.move(420, 320)
    // The files are loaded in the order in which the page names them: the last one is that of the editor.
    await expect.poll(loaded('/editor-')).toBe(1)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('typed offline')
  })
})

it('says why a page cannot be opened whose file is gone, and the rest goes on', async () => {
  await site.visit('/token', { storage, expected: /404|Failed to|error/i }, async (page) => {
    await page.getByText('production').waitFor()
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.keyboard.press('?')
    await page.getByRole('status').filter({ hasText: 'Weir was upgraded' }).waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('production').waitFor()
    await page.getByRole('link', { name: 'Usage log' }).click()
    await page.getByText('Weir was upgraded, and this page must be reloaded').waitFor()
    await page.unroute('**/assets/*.js')
    await page.getByRole('button', { name: 'Reload' }).last().click()
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
  })
})
