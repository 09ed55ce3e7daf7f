// A real browser for tests. Every page collects what the browser complains about, so a test can promise silence.
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Page } from 'playwright-core'

export interface PageOptions {
  width?: number
  height?: number
  language?: 'en' | 'zh'
  dark?: boolean
  /** Local storage to begin with, besides language and theme. */
  storage?: Record<string, string>
}

export interface OpenedPage {
  page: Page
  /** Console errors and warnings, and exceptions nobody caught. */
  complaints: string[]
  close(): Promise<void>
}

export interface Browser {
  open(url: string, options?: PageOptions): Promise<OpenedPage>
  close(): Promise<void>
}

export async function openBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // One process for all pages would end with the first page that is closed.
    args: [
      ...chromium.args.filter((flag) => flag !== '--single-process'),
      '--no-sandbox',
      '--disable-background-networking',
    ],
    headless: true,
  })
  return {
    async open(url, { width = 1280, height = 800, language = 'en', dark = false, storage = {} } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: language === 'zh' ? 'zh-CN' : 'en-US',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const kept = { i18nextLng: language, 'theme-mode': dark ? 'dark' : 'light', ...storage }
      // Only where nothing is kept yet: a reload must find what the page itself has written.
      await context.addInitScript((entries) => {
        if (window.origin === 'null' || sessionStorage.getItem('seeded')) return
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
        sessionStorage.setItem('seeded', 'true')
      }, kept)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(url)
      return { page, complaints, close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

/** What a browser keeps of somebody who has signed in. */
export interface SignedIn {
  cookies: { name: string; value: string; url: string }[]
  /** For the local storage. */
  user: string
}

/** Signs somebody in without the page that does it. */
export async function signInto(site: string, account: { username: string; password: string }): Promise<SignedIn> {
  const answer = await fetch(`${site}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { data, message } = (await answer.json()) as { data: unknown; message: string }
  if (!data) throw new Error(`${account.username} could not sign in: ${message}`)
  const cookies = answer.headers.getSetCookie().map((line) => {
    const [name = '', ...value] = line.split(';')[0]!.split('=')
    return { name, value: value.join('='), url: site }
  })
  return { cookies, user: JSON.stringify(data) }
}
