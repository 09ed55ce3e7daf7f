// A short walk: every screen against a real Weir, with a permitted role, in both languages, wide and narrow, and under
// one of the conditions. `npm run walk` covers everything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserOfWorker, type Browser } from '../support/browser.ts'
import { underConditions, CONDITION_NAMES } from './walk/conditions.ts'
import { lookAround } from './walk/looks.ts'
import { newTally, summed } from './walk/report.ts'
import { SCREENS } from './screens.ts'
import { openSite, openWalker, type Site, type Walker } from './walk/site.ts'

describe('a short walk', () => {
  const walked = Object.keys(SCREENS).filter(
    (screen) => !SCREENS[screen]!.beforeSetup && SCREENS[screen]!.for.length > 0,
  )
  let browser: Browser
  let site: Site
  let walker: Walker
  beforeAll(async () => {
    ;[browser, site] = await Promise.all([browserOfWorker(), openSite(60)])
    walker = await openWalker(site, browser)
  })
  afterAll(async () => {
    await site?.close()
  })

  it.each(walked.map((screen, index) => [screen, index] as const))('of %s finds no fault', async (screen, index) => {
    const tally = newTally()
    const people = SCREENS[screen]!.for
    const who = people[index % people.length]!
    await lookAround(
      walker,
      { screen, who, rows: '60', widths: [360, [1280, 1920][index % 2]!], themes: [index % 4 < 2], axe: [] },
      tally,
    )
    const names = [CONDITION_NAMES[index % CONDITION_NAMES.length]!]
    await underConditions(walker, screen, tally, { names, axe: false })
    expect(summed(tally.faults)).toEqual([])
  })
})
