// A real browser for tests. Every page collects what the browser complains about, so a test can promise silence.
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type BrowserContext, type Page } from 'playwright-core'
import { BROWSER_VARIABLE } from './unpack-browser.ts'

export interface PageOptions {
  width?: number
  height?: number
  language?: 'en' | 'zh'
  dark?: boolean
  /** Local storage to begin with, besides language and theme. */
  storage?: Record<string, string>
  /**
   * Takes over the context that an earlier page of this language has left, emptied: then the browser has the site's files
   * and what they compile to. Not where a test changes what nobody empties: the clock, a data base of the page.
   */
  reuse?: boolean
  /**
   * False: the page is transparent, so that Chromium computes and draws no pixel of it, which is a tenth of its cost. It is laid
   * out, visible and used as ever. Not where somebody looks at colours or takes a picture.
   */
  drawn?: boolean
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

/** What costs more than it gives where each page stands for less than a second. */
const FOR_SHORT_VISITS = [
  // No process of its own for what is loaded.
  '--enable-features=NetworkServiceInProcess2',
  // Code is not compiled a second and a third time, for speed.
  '--js-flags=--no-maglev,--no-opt',
]

/**
 * @param flags further ones of Chromium
 * @param scrollBars classic ones, which take room from the page; by default there are none
 */
export async function openBrowser(flags: readonly string[] = [], scrollBars = false): Promise<Browser> {
  const unwanted = scrollBars
    ? /^--single-process$|angle|swiftshader|gpu|scrollbars/
    : /^--single-process$|angle|swiftshader|gpu/
  const browser = await playwright.launch({
    executablePath: process.env[BROWSER_VARIABLE] ?? (await chromium.executablePath()),
    // One process for all pages would end with the first page that is closed.
    // Drawn in plain memory: to draw through OpenGL without a graphics card takes more than half of all the browser's time.
    args: [
      ...chromium.args.filter((flag) => !unwanted.test(flag)),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-gpu',
      // All pages of a context are drawn by one process: to start one for each page takes a third of what a page costs.
      '--renderer-process-limit=1',
      ...flags,
    ],
    headless: true,
    ...(scrollBars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
  })
  const left = { en: [] as BrowserContext[], zh: [] as BrowserContext[] }
  return {
    async open(url, { width = 1280, height = 800, language = 'en', dark = false, storage = {}, ...how } = {}) {
      const { reuse = false, drawn = true } = how
      const known = reuse ? left[language].pop() : undefined
      const context =
        known ??
        (await browser.newContext({
          locale: language === 'zh' ? 'zh-CN' : 'en-US',
          permissions: ['clipboard-read', 'clipboard-write'],
          // What moves is drawn anew sixty times a second, by the processor: a test that is about it asks for it.
          reducedMotion: 'reduce',
        }))
      // The process that draws the pages of a context ends with the last of them: an empty page keeps it.
      if (reuse && !known) await context.newPage()
      const page = await context.newPage()
      await page.setViewportSize({ width, height })
      const kept = { i18nextLng: language, 'theme-mode': dark ? 'dark' : 'light', ...storage }
      // Only where nothing is kept yet: a reload must find what the page itself has written.
      await (reuse ? page : context).addInitScript((entries) => {
        if (window.origin === 'null' || sessionStorage.getItem('seeded')) return
        if (window === window.top) localStorage.clear()
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
        sessionStorage.setItem('seeded', 'true')
      }, kept)
      if (!drawn)
        await (reuse ? page : context).addInitScript(() => {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync('html { opacity: 0 !important }')
          document.adoptedStyleSheets.push(sheet)
        })
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(url)
      return { page, complaints, close: () => (reuse ? leave(context, language) : context.close()) }
    },
    close: () => browser.close(),
  }

  async function leave(context: BrowserContext, language: 'en' | 'zh'): Promise<void> {
    for (const page of context.pages().slice(1)) await page.close()
    await Promise.all([context.clearCookies(), context.unrouteAll(), context.setOffline(false)])
    left[language].push(context)
  }
}

let shared: Promise<Browser> | undefined

/** One browser for all files of a worker of the test runner; it ends with the worker. */
export const browserOfWorker = (): Promise<Browser> => (shared ??= openBrowser(FOR_SHORT_VISITS))

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
