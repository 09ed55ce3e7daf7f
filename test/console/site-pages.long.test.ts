// The pages around the console's own: about, the notice, and the ways between them in the bars.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { root, signedIn, status } from './sample-data.ts'
import { runUntil, useConsole } from './visit.ts'

const site = useConsole()

describe('the about page', () => {
  it('rebuilds what the operator wrote, as Markdown or HTML, without what could run', async () => {
    const text =
      '# Who we are\n\nWe run **models**.\n\n<img src=x onerror="window.ran = true"><script>window.ran = 1</script>'
    site.server.use({ 'site.about': () => ({ data: text }) })
    await site.visit('/about', {}, async (page) => {
      await page.getByRole('heading', { name: 'Who we are' }).waitFor()
      await expect.poll(() => page.locator('main strong').innerText()).toBe('models')
      await expect.poll(() => page.evaluate(() => 'ran' in window)).toBe(false)
      // It is kept, and stands there while the server does not answer.
      site.server.use({ 'site.about': () => ({ refuse: 'x' }) })
      await page.reload()
      await page.getByRole('heading', { name: 'Who we are' }).waitFor()
    })
  })

  it('frames an https address in a sandbox, as high as the window', async () => {
    site.server.use({ 'site.about': () => ({ data: 'https://about.example.invalid/us' }) })
    await site.visit('/about', { expected: /ERR_|Failed to load|chrome-error/ }, async (page) => {
      const frame = page.locator('iframe')
      await expect.poll(() => frame.getAttribute('src')).toBe('https://about.example.invalid/us')
      expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
      const height = (await frame.boundingBox())?.height ?? 0
      expect(height).toBeGreaterThan((page.viewportSize()?.height ?? 0) * 0.8)
    })
  })

  it('says what runs here where nothing is written, and leads administrators to writing it', async () => {
    await site.visit('/about', {}, async (page) => {
      await page.getByText('Weir 0.1.0 is a self-hosted gateway').waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Write an about page' }).count()).toBe(0)
    })
    await site.visit('/about', { storage: signedIn(root), language: 'zh' }, async (page) => {
      await expect
        .poll(() => page.getByRole('link', { name: '填写关于页面' }).getAttribute('href'))
        .toBe('/setting?tab=other')
    })
  })

  it('can be tried again', async () => {
    site.server.use({ 'site.about': () => ({ refuse: 'x', status: 500 }) })
    await site.visit('/about', { expected: /500/ }, async (page) => {
      await page.getByText('Could not load the about page').waitFor()
      site.server.use({ 'site.about': () => ({ data: 'There again' }) })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('There again').waitFor()
    })
  })
})

const links = async (page: Page) =>
  page
    .getByRole('navigation', { name: 'Home' })
    .getByRole('link')
    .evaluateAll((all) =>
      all.map((each) => [each.textContent, each.getAttribute('href'), each.getAttribute('target')].join(' ')),
    )

describe('the top bar', () => {
  it('has the main places in their order, and docs only where they are somewhere, in a window of their own', async () => {
    await site.visit('/about', {}, async (page) => {
      await page.getByText('is a self-hosted gateway').waitFor()
      const own = ['Home / ', 'Console /detail ', 'Pricing /pricing ', 'About /about ']
      expect(await links(page)).toEqual(own)
      site.server.use({ 'site.status': () => ({ data: { ...status, docs_link: 'https://docs.example.com/' } }) })
      await page.reload()
      const docs = 'Docs https://docs.example.com/ _blank'
      await expect.poll(() => links(page)).toEqual([...own.slice(0, 3), docs, ...own.slice(3)])
    })
  })

  it('offers to register, but not in self-use mode, nor on a phone', async () => {
    const register = (page: Page) => page.locator('.top-bar').getByRole('button', { name: 'Register' })
    const login = (page: Page) => page.locator('.top-bar').getByRole('button', { name: 'Login' })
    await site.visit('/about', {}, async (page) => {
      await register(page).click()
      await page.waitForURL('**/register')
    })
    await site.visit('/about', { width: 390, height: 800 }, async (page) => {
      await login(page).waitFor()
      await expect.poll(() => register(page).count()).toBe(0)
    })
    site.server.use({
      'site.status': () => ({ data: { ...status, self_use_mode_enabled: true, demo_site_enabled: true } }),
    })
    await site.visit('/about', {}, async (page) => {
      await page.getByText('Self-use mode').waitFor()
      await expect.poll(() => page.getByText('Demo site').count()).toBe(0)
      await expect.poll(() => register(page).count()).toBe(0)
      site.server.use({ 'site.status': () => ({ data: { ...status, demo_site_enabled: true } }) })
      await page.reload()
      await page.getByText('Demo site').waitFor()
    })
  })

  it('gives the notice again after its banner was closed', async () => {
    site.server.use({ 'site.notice': () => ({ data: 'Maintenance **tonight**' }) })
    await site.visit('/', {}, async (page) => {
      const banner = page.getByRole('note', { name: 'Notice' })
      await banner.getByText('Maintenance').waitFor()
      await banner.getByRole('button', { name: 'Close' }).click()
      await page.reload()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.getByRole('button', { name: 'Notice' }).click()
      await page.getByRole('dialog').getByText('Maintenance').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => banner.count()).toBe(0)
      // Another text shows again.
      site.server.use({ 'site.notice': () => ({ data: 'All is well' }) })
      await page.reload()
      await banner.getByText('All is well').waitFor()
      site.server.use({ 'site.notice': () => ({ data: '' }) })
      await page.getByRole('button', { name: 'Notice' }).click()
      await page.getByRole('dialog').getByText('No notice.').waitFor()
    })
  })

  it("has fireworks on New Year's Day alone, for three seconds, and the page anew after ten", async () => {
    const party = (page: Page) => page.getByRole('button', { name: "New Year's Day" })
    await site.visit('/about', { alone: true }, async (page) => {
      for (const day of [new Date(2026, 11, 31, 23), new Date(2027, 0, 2)]) {
        await page.clock.setFixedTime(day)
        await page.reload()
        await page.getByText('is a self-hosted gateway').waitFor()
        await expect.poll(() => party(page).count()).toBe(0)
      }
    })
    await site.visit('/about', { alone: true }, async (page) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.clock.install({ time: new Date(2027, 0, 1, 12) })
      await page.clock.pauseAt(new Date(2027, 0, 1, 12, 0, 1))
      await page.reload()
      await runUntil(page, () => party(page).isVisible())
      let reloads = 0
      page.on('load', () => (reloads += 1))
      await party(page).click()
      await page.getByRole('menuitem', { name: 'Happy New Year!' }).click()
      const fireworks = page.locator('canvas.fireworks')
      await expect.poll(() => fireworks.count()).toBe(1)
      await page.clock.runFor(2_900)
      expect(await fireworks.count()).toBe(1)
      await page.clock.runFor(200)
      expect(await fireworks.count()).toBe(0)
      await page.clock.runFor(6_800)
      expect(reloads).toBe(0)
      await page.clock.runFor(200)
      await expect.poll(() => reloads).toBe(1)
      await runUntil(page, () => party(page).isVisible())

      // Who wants no motion has none.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await party(page).click()
      await page.getByRole('menuitem', { name: 'Happy New Year!' }).click()
      await page.clock.runFor(500)
      expect(await fireworks.count()).toBe(0)
    })
  })

  it('leaves to the drawer of a phone what it has no room for', async () => {
    site.server.use({ 'site.status': () => ({ data: { ...status, docs_link: 'https://docs.example.com/' } }) })
    await site.visit('/token', { storage: signedIn(root), width: 360, height: 740 }, async (page) => {
      await expect.poll(() => links(page)).toHaveLength(2)
      await page.getByRole('button', { name: 'Open menu' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('link', { name: 'Docs' }).waitFor()
      await drawer.getByRole('link', { name: 'About' }).click()
      await page.waitForURL('**/about')
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
    })
  })
})

describe('the footer', () => {
  it('says what runs here, until the operator says something else', async () => {
    const footer = (page: Page) => page.locator('footer').innerText()
    await site.visit('/about', {}, async (page) => {
      await expect.poll(() => footer(page)).toBe('Weir, a self-hosted AI model gateway 0.1.0')
      site.server.use({
        'site.status': () => ({ data: { ...status, footer_html: '<a href="https://us.example/">Us</a>' } }),
      })
      await page.reload()
      await expect.poll(() => footer(page)).toBe('Us')
      await expect.poll(() => page.locator('footer a').getAttribute('href')).toBe('https://us.example/')
      await expect.poll(() => page.evaluate(() => localStorage.getItem('footer_html'))).toContain('us.example')
    })
  })
})

describe('the side menu', () => {
  it('has the saved chats in their order below one entry, and beside it where it is collapsed', async () => {
    const chats = [{ 'Chat one': 'https://one.example/{key}' }, { 'Chat two': 'https://two.example/{key}' }]
    site.server.use({ 'site.status': () => ({ data: { ...status, chats } }) })
    await site.visit('/token', { storage: signedIn(root) }, async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main menu' })
      const entry = menu.getByRole('button', { name: 'Chat', exact: true })
      await expect.poll(() => menu.getByRole('link', { name: 'Chat one' }).count()).toBe(0)
      await entry.click()
      const below = menu.locator('.menu-sub').getByRole('link')
      expect(
        await below.evaluateAll((all) => all.map((each) => `${each.textContent} ${each.getAttribute('href')}`)),
      ).toEqual(['Chat one /chat/0', 'Chat two /chat/1'])
      await entry.click()
      await expect.poll(() => below.count()).toBe(0)
      await page.getByRole('button', { name: 'Collapse sidebar' }).click()
      await expect.poll(() => entry.getAttribute('data-tip')).toBe('Chat')
      await entry.click()
      await page.getByRole('menuitemradio', { name: 'Chat two' }).click()
      await page.waitForURL('**/chat/1')
    })
  })

  it('has one plain entry where no chat is saved', async () => {
    await site.visit('/token', { storage: signedIn(root) }, async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main menu' })
      await expect.poll(() => menu.getByRole('link', { name: 'Chat', exact: true }).getAttribute('href')).toBe('/chat')
    })
  })
})
