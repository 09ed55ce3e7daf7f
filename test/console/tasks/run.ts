// Runs a timed task on a site, and returns its clicks, keys and seconds.
import { createVisitor } from '../../support/server.ts'
import { PASSWORD, PEOPLE } from '../walk/seed.ts'
import { settled, type Walker } from '../walk/site.ts'
import { handOn } from './hand.ts'
import type { AnyTask, Ground, Way } from './task.ts'

/** As many channels, and tokens and calls of each of the people. */
export const ROWS = 60

export interface Done {
  clicks: number
  keys: number
  seconds: number
  /** Empty where the end was reached. */
  fault: string
}

/** A page that none of the tasks is about. */
const START = '/teams'

/** From there to the end of the task, as fast as the console answers. */
export async function timed(walker: Walker, ground: Ground, task: AnyTask, way: Way): Promise<Done> {
  const { act, reached } = await task.start(ground, way)
  const size = way === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 }
  const { page, close } = await walker.open(START, { who: task.who, ...size })
  await settled(page)
  const hand = handOn(page, way === 'phone')
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

export async function groundOf(url: string): Promise<Ground> {
  const [root, user] = [createVisitor(url), createVisitor(url)]
  await root.login(PEOPLE.root, PASSWORD)
  await user.login(PEOPLE.user, PASSWORD)
  const { key } = await user.client.tokens.create({ name: 'of the tasks', unlimited_quota: true })
  return { url, root: root.client, user: user.client, key: `sk-${key}` }
}
