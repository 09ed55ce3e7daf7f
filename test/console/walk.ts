// Walks every screen of the built console against a real Weir, and says what is wrong: `npm run walk`, after a build.
//   --screen tokens,logs   --who user,root   --rows 0,1,10000   --only looks,conditions,acts
import { parseArgs } from 'node:util'
import { table } from '../bench/report.ts'
import { openBrowser } from '../support/browser.ts'
import { doEverything, leftUndone } from './walk/acts.ts'
import { underConditions } from './walk/conditions.ts'
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
  },
})
const people = values.who.split(',') as Who[]
const parts = values.only.split(',')
const ACTED_ON = 60

const began = Date.now()
const browser = await openBrowser()
const tallies = new Map<string, Tally>()

/** One site, and all screens that are asked for on it. */
async function on(rows: number | undefined, work: (walker: Walker, screen: string, tally: Tally) => Promise<void>) {
  const screens = values.screen
    .split(',')
    .filter((name) => (SCREENS[name]!.beforeSetup === true) === (rows === undefined) && SCREENS[name]!.for.length > 0)
  if (screens.length === 0) return
  const site = await openSite(rows)
  try {
    const walker = await openWalker(site, browser)
    for (const screen of screens) {
      const tally = tallies.get(screen) ?? newTally()
      tallies.set(screen, tally)
      await work(walker, screen, tally)
      process.stderr.write(`${screen} (${rows ?? 'no'} rows): ${tally.faults.length} faults so far\n`)
    }
  } finally {
    await site.close()
  }
}

if (parts.includes('looks')) {
  for (const rows of [undefined, ...values.rows.split(',').map(Number)])
    await on(rows, async (walker, screen, tally) => {
      const who = rows === undefined ? people.filter((one) => one === 'nobody') : people
      for (const one of who) await lookAround(walker, { screen, who: one, rows: String(rows ?? 0) }, tally)
    })
}
if (parts.includes('conditions')) {
  await on(ACTED_ON, (walker, screen, tally) => underConditions(walker, screen, tally))
}
if (parts.includes('acts')) {
  await on(ACTED_ON, async (walker, screen, tally) => {
    for (const who of people) if (SCREENS[screen]!.for.includes(who)) await doEverything(walker, screen, who, tally)
    for (const fault of await leftUndone(screen, tally)) tally.faults.push({ screen, where: 'all acts', fault })
  })
}
await browser.close()

const faults = [...tallies.values()].flatMap((tally) => tally.faults)
const lines = summed(faults)
const rows = [...tallies].map(([screen, { loads, looks, acts, asked, faults: own }]) =>
  [screen, loads, looks, acts, asked.size, summed(own).length].map(String),
)
process.stdout.write(
  `${table([['screen', 'loads', 'looks', 'acts', 'endpoints asked', 'faults'], ...rows])}\n\n` +
    `${lines.map((line) => `- ${line}\n`).join('')}` +
    `${lines.length} faults in ${Math.round((Date.now() - began) / 1000)} s\n`,
)
process.exitCode = lines.length > 0 ? 1 : 0
