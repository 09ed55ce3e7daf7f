// The first load of a screen: nothing is kept by the browser, and the answers of the server arrive one after the other.
import type { Page } from 'playwright-core'

/** Of CLS, for one screen. */
const MOST_SHIFT = 0.05
export const FIRST_LOAD_WIDTHS = [390, 768, 1280]

/** Each answer is drawn before the next one arrives: what waits for another cannot hide that it moves. */
export async function answerOneByOne(page: Page): Promise<void> {
  let before = Promise.resolve()
  await page.route(/\/api\/(?!.*\/stream)/, async (route) => {
    const response = await route.fetch()
    const drawn = before.then(async () => {
      await route.fulfill({ response })
      await page.evaluate(async () => {
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
      })
    })
    before = drawn.catch(() => undefined)
    await drawn
  })
}

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/**
 * Records from the next page on how far what is shown moves by itself, as CLS counts it. Returns a function that tells what
 * moved, if it was too far.
 */
export async function recordShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[])))
    observer.observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const { sum, moved } = await page.evaluate(() => {
      const { shifts } = window as unknown as { shifts: Shift[] }
      const own = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
      const nameOf = ({ node, previousRect: from, currentRect: to }: Shift['sources'][number]) => {
        const element = node instanceof Element ? node : node?.parentElement
        const size = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
        return `${element?.localName}.${element?.getAttribute('class') ?? ''} from ${size(from)} to ${size(to)}`
      }
      return {
        sum: own.reduce((all, { value }) => all + value, 0),
        moved: own.map(({ value, sources }) => `${value.toFixed(3)}: ${sources.map(nameOf).join(', ')}`),
      }
    })
    return sum < MOST_SHIFT ? [] : [`CLS ${sum.toFixed(3)}`, ...moved]
  }
}
