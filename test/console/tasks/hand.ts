// A simulated person: each click and each key press is counted, and there is no other way to act.
import type { Locator, Page } from 'playwright-core'

/** As often as somebody steps on before they give up. */
const FARTHEST = 60

export type Hand = ReturnType<typeof handOn>

/** @param isPhone the page is as narrow as a phone */
export function handOn(page: Page, isPhone: boolean) {
  const counts = { clicks: 0, keys: 0 }

  async function press(key: string): Promise<void> {
    counts.keys += 1
    await page.keyboard.press(key)
  }

  /** Steps with a key until it is there. */
  async function step(key: string, there: () => Promise<boolean>, what: Locator): Promise<void> {
    await what.waitFor()
    for (let steps = 0; steps < FARTHEST; steps += 1) {
      if (await there()) return
      await press(key)
    }
    throw new Error(`${String(what)} cannot be reached with ${key}`)
  }

  return {
    page,
    isPhone,
    counts,
    press,
    /** Waits, as people do, until it can be clicked. */
    async click(what: Locator): Promise<void> {
      counts.clicks += 1
      await what.click()
    },
    /** Opens the list of a select and takes one of it. */
    async choose(select: Locator, label: string): Promise<void> {
      counts.clicks += 2
      await select.selectOption({ label })
    },
    /** Into what has the focus. */
    async type(text: string): Promise<void> {
      counts.keys += text.length
      await page.keyboard.type(text)
    },
    /** What somebody has from elsewhere, such as a request id: one press. */
    async paste(text: string): Promise<void> {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await press('Control+v')
    },
    tabTo: (what: Locator) => step('Tab', () => what.evaluate((one) => one === document.activeElement), what),
    /** Down to an entry of a menu or an option of a list. */
    downTo: (what: Locator) =>
      step(
        'ArrowDown',
        () =>
          what.evaluate(
            (one) =>
              one === document.activeElement ||
              one.matches('.palette-item[aria-selected=true], .combo-active, [data-selected=true]'),
          ),
        what,
      ),
  }
}
