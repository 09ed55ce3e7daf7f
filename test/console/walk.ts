// Walks every screen of the built console against a real Weir, and says what is wrong: `npm run walk`, after a build.
// `typed` are the acts alone that the screens' facts declare.
//   --screen tokens,logs   --who user,root   --rows 0,1,10000   --only looks,conditions,acts,typed   --write: to WALK.md
import { parseArgs } from 'node:util'
import { table } from '../bench/report.ts'
import { openBrowser } from '../support/browser.ts'
import { doEverything, leftUndone } from './walk/acts.ts'
import { underConditions } from './walk/conditions.ts'
import { COLUMNS, writeFigures, type Column } from './walk/figures.ts'
import { lookAround } from './walk/looks.ts'
import { newTally, summed, type Tally } from './walk/report.ts'
import { SCREENS } from './screens.ts'
import { openSite, openWalker, WHO, type Walker, type Who } from './walk/site.ts'

const { values } = parseArgs({
  options: {
    screen: { type: 'string', default: Object.keys(SCREENS).join() },
    who: { type: 'string', default: WHO.join() },
    rows: { type: 'string', default: '0,1,10000' },
    only: { type: 'string', default: 'looks,conditions,acts' },
    write: { type: 'boolean', default: false },
  },
})
const people = values.who.split(',') as Who[]
const parts = values.only.split(',')
const ACTED_ON = 60

const began = Date.now()
const browser = await openBrowser()
const walked: { part: string; tallies: Map<string, Tally> }[] = []

/** One site, and all screens that are asked for on it. What was seen is added to `tallies`. */
async function on(
  part: string,
  rows: number | undefined,
  work: (walker: Walker, screen: string, tally: Tally) => Promise<void>,
  tallies = new Map<string, Tally>(),
) {
  const screens = values.screen
    .split(',')
    .filter((name) => (SCREENS[name]!.beforeSetup === true) === (rows === undefined) && SCREENS[name]!.for.length > 0)
  if (screens.length === 0) return
  if (!walked.some((known) => known.tallies === tallies)) walked.push({ part, tallies })
  const site = await openSite(rows)
  try {
    const walker = await openWalker(site, browser)
    for (const screen of screens) {
      const tally = tallies.get(screen) ?? newTally()
      tallies.set(screen, tally)
      await work(walker, screen, tally)
      const found = summed(tally.faults)
      process.stderr.write(
        `${screen} (${part}): ${found.length} faults\n${found.map((line) => `- ${line}\n`).join('')}`,
      )
      if (values.write && isColumn(part)) writeFigures(part, new Map([[screen, tally]]), missing(part))
    }
  } finally {
    await site.close()
  }
}

const isColumn = (part: string): part is Column => (COLUMNS as readonly string[]).includes(part)
/** Who walked, where it was not everybody who should have. */
const missing = (part: string) => (part === 'conditions' || people.length === WHO.length ? '' : people.join(' '))

if (parts.includes('looks')) {
  const around = (rows: number | undefined) => async (walker: Walker, screen: string, tally: Tally) => {
    const who = rows === undefined ? people.filter((one) => one === 'nobody') : people
    for (const one of who) await lookAround(walker, { screen, who: one, rows: String(rows ?? 0) }, tally)
  }
  await on('looks, 0 rows', undefined, around(undefined))
  for (const rows of values.rows.split(',').map(Number))
    await on(`looks, ${rows} ${rows === 1 ? 'row' : 'rows'}`, rows, around(rows))
}
if (parts.includes('conditions')) await on('conditions', ACTED_ON, underConditions)
if (parts.includes('typed')) {
  await on('typed acts', ACTED_ON, async (walker, screen, tally) => {
    for (const who of people)
      if (SCREENS[screen]!.for.includes(who)) await doEverything(walker, screen, who, tally, true)
  })
}
if (parts.includes('acts')) {
  const tallies = new Map<string, Tally>()
  // Each on a site of their own: nobody finds what somebody else has changed.
  for (const who of people) {
    const isLast = (screen: string) => people.findLast((one) => SCREENS[screen]!.for.includes(one)) === who
    await on(
      'acts',
      ACTED_ON,
      async (walker, screen, tally) => {
        const walkers = people.filter((one) => SCREENS[screen]!.for.includes(one))
        if (walkers.includes(who)) await doEverything(walker, screen, who, tally)
        if (!isLast(screen)) return
        for (const fault of leftUndone(screen, walkers, tally)) tally.faults.push({ screen, where: 'all acts', fault })
      },
      tallies,
    )
  }
}
await browser.close()

const lines = walked.flatMap(({ tallies }) => [...tallies.values()].flatMap(({ faults }) => summed(faults)))
const rows = walked.flatMap(({ part, tallies }) =>
  [...tallies].map(([screen, { loads, looks, acts, asked, faults }]) => [
    `${screen} (${part})`,
    ...[loads, looks, acts, asked.size, summed(faults).length].map(String),
  ]),
)
process.stdout.write(
  `${table([['screen', 'loads', 'looks', 'acts', 'endpoints asked', 'faults'], ...rows])}\n\n` +
    `${lines.map((line) => `- ${line}\n`).join('')}` +
    `${lines.length} faults in ${Math.round((Date.now() - began) / 1000)} s\n`,
)
process.exitCode = lines.length > 0 ? 1 : 0
