// Times six tasks in a real browser on a real Weir, by mouse and by keyboard alone: `npm run tasks`, after a build.
import { table } from '../bench/report.ts'
import { createVisitor } from '../support/server.ts'
import { handOn } from './tasks/hand.ts'
import type { AnyTask, Ground, Way } from './tasks/task.ts'
import { TASKS } from './tasks/tasks.ts'
import { PASSWORD, PEOPLE } from './walk/seed.ts'
import { openSite, openWalker, settled, type Walker } from './walk/site.ts'

const WAYS: Way[] = ['mouse', 'keyboard']
const ROWS = 60

interface Done {
  clicks: number
  keys: number
  seconds: number
  /** Empty where the end was reached. */
  fault: string
}

/** A page that none of the tasks is about. */
const START = '/teams'

/** From there to the end of the task, as fast as the console answers. */
async function timed(walker: Walker, ground: Ground, task: AnyTask, way: Way): Promise<Done> {
  const { act, reached } = await task.start(ground, way)
  const { page, close } = await walker.open(START, { who: 'root', width: 1440, height: 900 })
  await settled(page)
  const hand = handOn(page)
  const began = Date.now()
  let fault = ''
  try {
    await act(hand)
    await reached(page)
    if (way === 'keyboard' && hand.counts.clicks > 0) fault = 'it took a mouse'
  } catch (error) {
    fault = String(error).split('\n').slice(0, 4).join(' ')
  }
  const seconds = (Date.now() - began) / 1000
  await close()
  return { ...hand.counts, seconds, fault }
}

async function groundOf(url: string): Promise<Ground> {
  const [root, user] = [createVisitor(url), createVisitor(url)]
  await root.login(PEOPLE.root, PASSWORD)
  await user.login(PEOPLE.user, PASSWORD)
  const { key } = await user.client.tokens.create({ name: 'of the tasks', unlimited_quota: true })
  return { url, root: root.client, key: `sk-${key}` }
}

const site = await openSite(ROWS)
const walker = await openWalker(site)
const lines: string[][] = []
const faults: string[] = []
try {
  const ground = await groundOf(site.url)
  for (const task of TASKS)
    for (const way of WAYS) {
      const { clicks, keys, seconds, fault } = await timed(walker, ground, task, way)
      lines.push([task.title, way, String(clicks), String(keys), seconds.toFixed(1), fault === '' ? 'yes' : 'NO'])
      if (fault !== '') faults.push(`- ${task.title}, by ${way}: ${fault}`)
    }
} finally {
  await walker.close()
  await site.close()
}
process.stdout.write(
  `${table([['task', 'way', 'clicks', 'keys', 'seconds', 'end reached'], ...lines])}\n${faults.map((one) => `\n${one}`).join('')}\n`,
)
process.exitCode = faults.length > 0 ? 1 : 0
