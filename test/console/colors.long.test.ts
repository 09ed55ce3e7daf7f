// Colour marks a state, a movement of money, or a clickable element; everything else is grey. Groups, kinds and times
// have coloured dots only.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { navigate, useConsole } from './visit.ts'
import { turn } from './walk/looks.ts'
import { settled } from './walk/site.ts'

const site = useConsole()

const PATHS = [
  '/token',
  '/channel',
  '/log',
  '/detail',
  '/midjourney',
  '/task',
  '/teams',
  '/user',
  '/user/3?tab=ledger',
  '/audit',
  '/channel/route?model=o3',
  '/',
  '/login',
  '/setup',
  '/device',
  '/gone',
]

/** What may be coloured, and why. */
const COLORED = {
  states:
    '.tag, .health, .meter, .note, .live-dot, .first-call-pulse, .toast, [role=alert], .route-bar, .progress-track, .progress-ring, .waterfall, .route-clock, .menu-danger, .semi-button-danger',
  acts: 'a, button, input, .radio-chip, .semi-input-wrapper, .semi-button, .semi-switch, .semi-checkbox, .plain-button, .segment, [aria-current]',
  dots: '.dot, .avatar, .mark',
}

/** What is as far from grey as a colour that is meant to be seen. Of 255. */
const SATURATED = 48

/** What is coloured on the page and says nothing by it. */
const findColored = (page: Page) =>
  page.evaluate(
    async ({ allowed, saturated }) => {
      // A transition has half a colour; what turns for ever is not waited for.
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)))
      const isSaturated = (color: string) => {
        const [r = 0, g = 0, b = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
        return (Math.max(r, g, b) - Math.min(r, g, b)) * alpha > saturated
      }
      const hasText = (element: Element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      return [...document.body.querySelectorAll('*')].flatMap((element) => {
        if (element.closest(allowed) || element.getClientRects().length === 0) return []
        const style = getComputedStyle(element)
        const colors = {
          ground: style.backgroundColor,
          ...(hasText(element) ? { text: style.color } : {}),
          ...(style.borderTopWidth === '0px' ? {} : { line: style.borderTopColor }),
          ...(element instanceof SVGGeometryElement ? { shape: style.fill } : {}),
        }
        return Object.entries(colors)
          .filter(([, color]) => isSaturated(color))
          .map(([what, color]) => `${location.pathname}: ${what} ${color} of ${element.outerHTML.slice(0, 90)}`)
      })
    },
    { allowed: Object.values(COLORED).join(', '), saturated: SATURATED },
  )

it('uses no colour that says nothing, in either theme', async () => {
  await site.visit('/nowhere', { storage: signedIn(root), width: 1600, expected: /./ }, async (page) => {
    const found: string[] = []
    for (const path of PATHS) {
      await navigate(page, path)
      await page.waitForFunction(() => document.body.innerText.length > 60 && !document.querySelector('.semi-spin'))
      await settled(page)
      for (const dark of [false, true]) {
        await turn(page, 'en', dark)
        await page.waitForFunction((theme) => document.body.getAttribute('theme-mode') === theme, dark ? 'dark' : null)
        found.push(...(await findColored(page)).map((fault) => `${dark ? 'dark' : 'light'}, ${fault}`))
      }
    }
    expect(found).toEqual([])
  })
})
