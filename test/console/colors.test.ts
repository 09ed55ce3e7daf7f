// Colour says a state, or what money does, or that something can be clicked; everything else is grey. Groups, kinds and times
// have their colours as dots alone.
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { useConsole } from './visit.ts'

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

const isDrawn = () =>
  document.body.innerText.length > 60 && document.querySelector('[aria-busy=true], .table-waiting, .semi-spin') === null

it.each(['light', 'dark'] as const)('uses no colour that says nothing: %s', async (theme) => {
  await site.visit(
    '/token',
    { storage: signedIn(root), width: 1600, dark: theme === 'dark', expected: /./ },
    async (page) => {
      const found: string[] = []
      for (const path of PATHS) {
        await page.goto(site.server.url + path)
        await expect.poll(() => page.evaluate(isDrawn), { timeout: 20_000 }).toBe(true)
        found.push(
          ...(await page.evaluate(
            ({ allowed, saturated }) => {
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
          )),
        )
      }
      expect(found).toEqual([])
    },
  )
})
