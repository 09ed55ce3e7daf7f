// Checks a page as it is shown: texts that are cut off, hidden, unlabelled or in the wrong language.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Language } from '../../../core/errors.ts'
import { allPhrases } from './phrases.ts'
import { DATA } from './seed.ts'

/** What must be seen of the first row, or of the page where it has no rows. */
export interface Shown {
  name?: RegExp
  state?: RegExp
  number?: RegExp
}

/** Faults of how the page stands at its present size. */
export async function look(page: Page, language: Language, shown: Shown = {}): Promise<string[]> {
  const wanted = Object.entries(shown).map(([what, { source }]) => ({ what, source }))
  const { overflow, texts, hidden } = await page.evaluate(inspect, wanted)
  return [
    ...(overflow ? [`the page is ${overflow}`] : []),
    ...(await findMisshapen(page)),
    ...(await misspoken(texts, language)),
    ...hidden.map((what) => `hidden: ${what}`),
  ]
}

/** Texts with hardly room for a letter in each of their lines, and names whose first letter is made a capital. */
const findMisshapen = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')].flatMap((element) => {
      const parts = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : ''))
      const text = parts.join('').trim()
      if (text.length < 4) return []
      const { width, height } = element.getBoundingClientRect()
      const isSqueezed = width > 1 && width < 20 && height > 60
      const isName = /^[a-z][a-z\d.]*-[\w.-]*\d[\w.-]*$/.test(text)
      const isCapital = isName && getComputedStyle(element, '::first-letter').textTransform === 'uppercase'
      return [
        ...(isSqueezed ? [`squeezed: ${JSON.stringify(text.slice(0, 40))} in ${Math.round(width)} px`] : []),
        ...(isCapital ? [`begins with a capital: ${text}`] : []),
      ]
    }),
  )

/** How many px the page is too wide at each of these widths, where it is: `640 px: 33 px too wide`. */
export async function findOverflow(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    // A layout that follows its width does so with the next frames.
    const over = await page.evaluate(async () => {
      for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    if (over > 0) found.push(`${width} px: ${over} px too wide`)
  }
  return found
}

/** How far what is shown has moved by itself since then, as CLS counts it: 0 for nothing, 1 for the whole page. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  const watched = await page.evaluateHandle(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
    const found: Shift[] = []
    const keep = (entries: PerformanceEntryList) => found.push(...(entries as Shift[]))
    const observer = new PerformanceObserver((list) => keep(list.getEntries()))
    observer.observe({ type: 'layout-shift' })
    return () => {
      keep(observer.takeRecords())
      observer.disconnect()
      return found.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)
    }
  })
  return () => watched.evaluate((read) => read())
}

/** Unfolds the first row or card of each list on the page, where it has details. */
export async function unfoldFirst(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const list of document.querySelectorAll('main table.rows, main ul.cards'))
      list.querySelector<HTMLElement>('.row-fold[aria-expanded=false]')?.click()
  })
}

/**
 * Texts that a pointer would not hit, because something else lies over them; each is brought into view before. Where a
 * menu or a dialog is open, only its texts can be reached.
 * @param within a selector of the elements whose texts are looked at
 */
export const findCovered = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const top = [...document.querySelectorAll(':popover-open, dialog[open]')].at(-1) ?? document.body
    const covered = new Set<string>()
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      if (!parent || !textContent?.trim() || !parent.closest(selector)) continue
      if (parent.closest('script, style, option, textarea, .only-heard, .toasts')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      parent.scrollIntoView({ block: 'center', inline: 'nearest' })
      const [line] = range.getClientRects()
      if (!line) continue
      let { left, right, top: above, bottom: below } = line
      for (let around: Element | null = parent; around; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around)
        const box = around.getBoundingClientRect()
        if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
        if (overflowY !== 'visible') [above, below] = [Math.max(above, box.top), Math.min(below, box.bottom)]
      }
      // What is cut off is another fault.
      if (right - left < 2 || below - above < 2) continue
      const on = document.elementFromPoint((left + right) / 2, (above + below) / 2)
      if (on && !parent.contains(on) && !on.contains(parent))
        covered.add(`"${textContent.trim().slice(0, 40)}" lies under ${on.localName}.${on.getAttribute('class') ?? ''}`)
    }
    return [...covered]
  }, within)

/** Runs in the page. */
function inspect(wanted: { what: string; source: string }[]) {
  const { scrollWidth, clientWidth } = document.documentElement
  const overflow = scrollWidth > clientWidth ? `${scrollWidth - clientWidth} px too wide` : ''
  const isDrawn = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

  const texts = new Set<string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!parentElement || parentElement.closest('script, style, code, .mono, option, [lang]:not(html)')) continue
    if (textContent?.trim() && isDrawn(parentElement)) texts.add(textContent.trim())
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'data-tip', 'alt'])
    for (const element of document.body.querySelectorAll(`[${name}]`))
      // Nobody is told the name of what is hidden from who listens: icons call themselves.
      if (isDrawn(element) && !(name === 'aria-label' && element.closest('[aria-hidden=true]')))
        texts.add(element.getAttribute(name)!.trim())

  const first = document.querySelector('main table.rows tbody th, main .cards > li')
  const scope = first?.closest('tbody, li') ?? document.querySelector('main')!
  const hidden = wanted.flatMap(({ what, source }) => {
    const pattern = new RegExp(source)
    const leaves = [...scope.querySelectorAll('*')].filter(
      (element) =>
        pattern.test(element.textContent ?? '') &&
        ![...element.children].some((child) => pattern.test(child.textContent ?? '')),
    )
    const why = leaves.map((leaf) => unseen(leaf, what === 'name'))
    if (why.includes('')) return []
    return [`${what} ${source} (${why[0] ?? 'it is not there'})`]
  })
  return { overflow, texts: [...texts], hidden }

  /** Why the element cannot be read; empty where it can. */
  function unseen(element: Element, mayEnd: boolean): string {
    if (!isDrawn(element)) return 'not drawn'
    element.scrollIntoView({ block: 'center', inline: 'nearest' })
    const range = document.createRange()
    range.selectNodeContents(element)
    const text = range.getBoundingClientRect()
    let [left, right] = [Math.max(0, text.left), Math.min(window.innerWidth, text.right)]
    for (let around: Element | null = element; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue
      const box = around.getBoundingClientRect()
      ;[left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
    }
    const least = mayEnd ? Math.min(text.width, 70) : text.width - 2
    if (right - left < least) return `${Math.round(right - left)} of ${Math.round(text.width)} px are seen`
    const on = document.elementFromPoint((left + right) / 2, (text.top + text.bottom) / 2)
    if (on && !element.contains(on) && !on.contains(element)) return `it lies under ${on.className || on.localName}`
    return ''
  }
}

const CHINESE = /[\u3400-\u9fff]/
const WORDS = /[A-Za-z]{2,}(?:[ ,][a-z]{2,}){2,}/
const UNFILLED = /\{\w+\}|\bundefined\b|\bNaN\b|\[object |Invalid Date/

const phrases = new Map<Language, Promise<RegExp>>()

/** Phrases of the other language, as one pattern that a whole text is. */
const foreign = async (language: Language): Promise<RegExp> => {
  const other = language === 'en' ? 'zh' : 'en'
  const wrong = (await allPhrases()).filter(
    (phrase) => phrase.en !== phrase.zh && /[A-Za-z]{3,}|[\u3400-\u9fff]/.test(phrase[other].replace(/\{\w+\}/g, '')),
  )
  const own = new Set((await allPhrases()).map((phrase) => phrase[language]))
  const patterns = wrong
    .filter((phrase) => !own.has(phrase[other]))
    .map((phrase) =>
      phrase[other]
        .trim()
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace(/\{\w+\}/g, '.+'),
    )
    // Little beside what is filled in says nothing of the language.
    .filter((pattern) => pattern.replace(/\.\+/g, '').length > 3 || !pattern.includes('.+'))
  return new RegExp(`^(?:${[...new Set(patterns)].join('|')})$`)
}

/** Texts that are not filled in, or stand in the other language. */
export async function misspoken(texts: readonly string[], language: Language): Promise<string[]> {
  if (!phrases.has(language)) phrases.set(language, foreign(language))
  const wrong = await phrases.get(language)!
  return texts
    .filter((text) => !DATA.test(text))
    .flatMap((text) => {
      if (UNFILLED.test(text)) return [`not filled in: ${text}`]
      if (language === 'en') return CHINESE.test(text) ? [`Chinese in English: ${text}`] : []
      return wrong.test(text) || (WORDS.test(text) && !CHINESE.test(text)) ? [`English in Chinese: ${text}`] : []
    })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Findings of axe that are serious or critical; of some of its rules, or of all. */
export async function unfit(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A transition has half a contrast; what turns for ever is not waited for.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
  // Evaluated, for the page itself may run no such script.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({
      resultTypes: ['violations'],
      preload: false,
      ...(runOnly ? { runOnly } : {}),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id} at ${nodes
            .map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary.split('\n').at(-1)?.trim()})`)
            .slice(0, 3)
            .join(', ')}`,
      )
  }, rules)
  return found.map((finding) => `axe: ${finding}`)
}

interface Axe {
  run(
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[] }>
}

/** What is drawn by its ground alone, and so is not there where the system paints all grounds alike (forced colours). */
export async function unpainted(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { backgroundColor } = getComputedStyle(element)
      const drawn = element.checkVisibility() && !/, 0\)$|transparent/.test(backgroundColor)
      const empty = element.childNodes.length === 0 && !element.matches('input, textarea, select, iframe, img, svg *')
      element.toggleAttribute('data-ground-alone', drawn && empty)
    }
  })
  await page.emulateMedia({ forcedColors: 'active' })
  const lost = await page.evaluate(() =>
    [...document.querySelectorAll('[data-ground-alone]')]
      .filter((element) => {
        const { forcedColorAdjust, borderTopStyle } = getComputedStyle(element) as CSSStyleDeclaration & {
          forcedColorAdjust: string
        }
        return forcedColorAdjust !== 'none' && borderTopStyle === 'none'
      })
      .map(
        (element) => `not there in forced colours: ${(element.cloneNode(false) as Element).outerHTML.slice(0, 200)}`,
      ),
  )
  return [...new Set(lost)]
}

/** What moves although the person wants nothing to move. */
export const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 20)
      .map(({ effect }) => `moves: ${(effect as KeyframeEffect).target?.className ?? ''}`),
  )
