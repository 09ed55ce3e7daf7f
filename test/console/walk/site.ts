// The site of a walk: the built Weir over filled folders, and a browser in which each person is signed in.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startBuiltServer } from '../../support/built-server.ts'
import { openBrowser, signInto, type Browser, type SignedIn } from '../../support/browser.ts'
import { PASSWORD, PEOPLE, seed, type Person } from './seed.ts'

export type Who = 'nobody' | Person
export const WHO: Who[] = ['nobody', 'user', 'admin', 'root']

export interface Site {
  url: string
  close(): Promise<void>
}

/** A filled Weir; without a number of rows, one that nobody has set up. */
export async function openSite(rows?: number): Promise<Site> {
  const data = await mkdtemp(join(tmpdir(), 'weir-walk-'))
  if (rows !== undefined) await seed(data, rows)
  const { url, child, ended } = await startBuiltServer({ WEIR_DATA: data, LOG_LEVEL: 'silent' })
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** What a page asked for, and what the browser said of it. */
export interface Watched {
  page: Page
  /** Console messages and exceptions. */
  complaints: string[]
  /** Requests that ended badly: `500 GET /api/token/`. */
  failures: string[]
  /** All requests: `GET /api/token/`. */
  asked: string[]
  /** Until the first screen has all that it asks for. */
  quiet(): Promise<void>
  /** Opens the same as if for the first time: nothing is kept, signed in as before, and nothing complained of yet. */
  again(): Promise<void>
  close(): Promise<void>
}

export interface Opened {
  who: Who
  language?: 'en' | 'zh'
  dark?: boolean
  width?: number
  height?: number
  /** Before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/** Ms for which a sign-in is used: what wants a fresh proof of who sits there shall not ask for it. */
const PROVES_MS = 180_000

/** The browser of one site: who has signed in once stays so. */
export async function openWalker(site: Site, shared?: Browser) {
  const browser = shared ?? (await openBrowser())
  const sessions = new Map<Who, SignedIn & { until: number }>()

  async function session(who: Who) {
    const known = sessions.get(who)
    if (who === 'nobody' || (known && Date.now() < known.until)) return known
    const made = await signInto(site.url, { username: PEOPLE[who], password: PASSWORD })
    const kept = { ...made, until: Date.now() + PROVES_MS }
    sessions.set(who, kept)
    return kept
  }

  return {
    site,
    async open(path: string, { who, prepare, ...options }: Opened): Promise<Watched> {
      const signedIn = await session(who)
      const storage: Record<string, string> = signedIn ? { user: signedIn.user } : {}
      const { page, complaints, close } = await browser.open('about:blank', { ...options, storage })
      const failures: string[] = []
      const asked: string[] = []
      const shown = (request: { method(): string; url(): string }) =>
        `${request.method()} ${new URL(request.url()).pathname}`
      let underWay = 0
      page.on('request', (request) => {
        underWay += isWaitedFor(request.url())
        if (request.url().startsWith('http')) asked.push(shown(request))
      })
      page.on('requestfinished', (request) => void (underWay -= isWaitedFor(request.url())))
      page.on('requestfailed', (request) => {
        underWay -= isWaitedFor(request.url())
        const why = request.failure()?.errorText ?? ''
        // Whoever leaves a page needs its answers no more.
        if (why !== 'net::ERR_ABORTED') failures.push(`${why} ${shown(request)}`)
      })
      page.on('response', (response) => {
        if (response.status() >= 400) failures.push(`${response.status()} ${shown(response.request())}`)
      })
      page.setDefaultTimeout(10_000)
      // What a script of ours is compiled with names its functions so.
      await page.addInitScript('globalThis.__name = (work) => work')
      // What was typed is asked for when it is left.
      page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
      const signIn = async () => {
        const now = await session(who)
        if (now) await page.context().addCookies(now.cookies)
      }
      const again = async () => {
        await page.evaluate(() => {
          localStorage.clear()
          sessionStorage.clear()
        })
        complaints.length = failures.length = asked.length = 0
        await page.context().clearCookies()
        await signIn()
        await page.goto(site.url + path)
      }
      await signIn()
      await prepare?.(page)
      await page.goto(site.url + path)
      const quiet = async () => {
        for (let still = 0; still < 3; still = underWay > 0 ? 0 : still + 1) await page.waitForTimeout(40)
      }
      return { page, complaints, failures, asked, quiet, again, close }
    },
    close: () => (shared ? Promise.resolve() : browser.close()),
  }
}

/** What is followed has no end. */
const isWaitedFor = (url: string): number => Number(!new URL(url).pathname.endsWith('/stream'))

export type Walker = Awaited<ReturnType<typeof openWalker>>

/** Until nothing is under way any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.querySelector('#root')
    return (
      root !== null && root.textContent !== '' && !document.querySelector('[aria-busy=true], .waiting, .table-waiting')
    )
  })
}
