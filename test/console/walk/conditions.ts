// A screen whose server is slow, fails, has forgotten the session, or cannot be reached.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '../../../core/errors.ts'
import type { Page } from 'playwright-core'
import { look, unfit, unpainted } from './look.ts'
import type { Tally } from './report.ts'
import { SCREENS } from '../screens.ts'
import { settled, type Walker, type Watched } from './site.ts'

interface Condition {
  prepare(page: Page): Promise<unknown>
  /** What the browser may say of it, and which requests may fail. */
  expected: RegExp
  /** What the screen must do; gives what it does not. */
  outcome(opened: Watched, needsSession: boolean): Promise<string[]>
}

const API = /\/api\/(?!status)/
const API_FAILED = /Failed to load resource|^\d{3} |^net::ERR_/

/** Where nothing can be looked at before the server has answered. */
const LONGEST_MS = 5000
/** A slow server answers as soon as the page that waits for it has been looked at. */
const lookedAt = new WeakMap<Page, () => void>()

const CONDITIONS: Record<string, Condition> = {
  slow: {
    async prepare(page) {
      const looked = new Promise<void>((resolve) => lookedAt.set(page, resolve))
      await page.route(API, async (route) => {
        await Promise.race([looked, sleep(LONGEST_MS)])
        await route.continue().catch(() => undefined)
      })
    },
    expected: /^$/,
    outcome: async ({ page }) => {
      // What stands there while it waits is seen in forced colours, too.
      const lost = await unpainted(page)
      await page.emulateMedia({ forcedColors: 'none' })
      lookedAt.get(page)?.()
      await settled(page)
      return lost
    },
  },
  failing: {
    prepare: (page) =>
      page.route(API, (route) => route.fulfill({ status: 500, json: { success: false, message: 'x' } })),
    expected: API_FAILED,
    outcome: async ({ page, asked }) => (asked.some((one) => API.test(one)) ? said(page) : []),
  },
  offline: {
    prepare: (page) => page.route(API, (route) => route.abort('internetdisconnected')),
    expected: API_FAILED,
    outcome: async ({ page, asked }) => (asked.some((one) => API.test(one)) ? said(page) : []),
  },
  expired: {
    prepare: (page) => page.context().clearCookies(),
    expected: API_FAILED,
    async outcome({ page, asked }, needsSession) {
      if (!needsSession) return []
      const left = page.waitForURL(/\/login\?expired/, { timeout: 15_000 })
      // A screen that asks nothing has noticed nothing.
      const outcome = await left.then(
        () => [],
        () => (asked.some((one) => API.test(one)) ? ['it does not lead to the login'] : []),
      )
      // The next look is taken of the login page.
      await settled(page)
      return outcome
    },
  },
}

/** Something says that it went wrong. */
async function said(page: Page): Promise<string[]> {
  const told = page.getByRole('alert').or(page.locator('.empty, .table-stale, .note-warns'))
  return told
    .first()
    .waitFor({ timeout: 15_000 })
    .then(
      () => [],
      () => ['nothing says that it failed'],
    )
}

export const CONDITION_NAMES = Object.keys(CONDITIONS)

export async function underConditions(
  walker: Walker,
  screen: string,
  tally: Tally,
  { names = CONDITION_NAMES, axe = true }: { names?: readonly string[]; axe?: boolean } = {},
): Promise<void> {
  const { path, for: allowed } = SCREENS[screen]!
  const who = allowed.includes('root') ? 'root' : 'nobody'
  for (const [index, name] of names.entries()) {
    const { prepare, expected, outcome } = CONDITIONS[name]!
    const language: Language = index % 2 === 0 ? 'en' : 'zh'
    const width = index % 2 === 0 ? 1280 : 390
    const note = (fault: string) =>
      void tally.faults.push({ screen, where: `${name}, ${language}, ${width} px`, fault })
    const opened = await walker.open(path, { who, language, width, dark: index % 2 === 1, prepare })
    tally.loads += 1
    try {
      await opened.page.locator('main > *').first().waitFor()
      // How it looks while it waits; what fails at once may leave at any time.
      if (name === 'slow') (await look(opened.page, language)).forEach(note)
      ;(await outcome(opened, !allowed.includes('nobody'))).forEach(note)
      await settled(opened.page)
      ;(await look(opened.page, language)).forEach(note)
      if (axe) (await unfit(opened.page)).forEach(note)
      tally.looks += 1
      ;[...opened.complaints, ...opened.failures].filter((text) => !expected.test(text)).forEach(note)
    } catch (error) {
      note(`it could not be looked at: ${String(error).split('\n')[0]}`)
    } finally {
      await opened.close()
    }
  }
}
