// The course of a task for any behaviour of its provider: its states for the client, its charge and its refund. Every
// vendor runs every course in `npm run test:all`; in `npm test` the first two, and some of the others in turn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { runsAllTests } from '../support/suite.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type RunningVendor, type TaskCourse } from './vendor.ts'
import { channelOf, PLAYED } from './vendors/index.ts'

const QUOTA = 100_000_000
const LONG_AGO = 1_700_000_000_000

/** What happens to a task, as the end of a title, and the test of it. */
type Course = readonly [title: string, play: () => Promise<void>]

/** In `npm test` a vendor plays the courses that its own words decide, and every fourth of the others, each vendor other ones. */
const choosePlayed = (courses: readonly Course[], vendor: number): Course[] =>
  courses.filter((_, index) => runsAllTests || index < 2 || (index + vendor) % 4 === 0)

describeWithGateway('tasks', (weir) => {
  describe.each(PLAYED.map((played, place) => ({ ...played, place, name: played.vendor.name })))(
    'of $name',
    (played) => {
      let vendor: RunningVendor
      let other: RunningVendor
      beforeAll(async () => {
        ;[vendor, other] = await Promise.all([startVendor(played.vendor), startVendor(played.vendor)])
      })
      afterAll(() => Promise.all([vendor.close(), other.close()]))

      const { path, body, id: idIn } = played.submit
      const channelAt = (at: RunningVendor, priority = 0) => weir.addChannel({ ...channelOf(played, at.url), priority })

      async function submitted(course: TaskCourse) {
        vendor.course(course)
        await channelAt(vendor)
        const ada = await weir.addCaller({ quota: QUOTA })
        const answer = await ask(weir, ada, 'POST', path, body)
        expect(answer.status, answer.text).toBe(200)
        const [task] = await tasksOf(weir, ada)
        expect(task?.quota).toBeGreaterThan(0)
        expect(String(idIn(answer.json))).toBe(task?.task_id)
        return { ada, id: task!.id, told: task!.task_id, price: task!.quota }
      }
      const read = (caller: Caller, id: string) =>
        ask(weir, caller, played.readBy ? 'POST' : 'GET', played.read(id), played.readBy?.(id))
      const isCharged = async (ada: Caller, price: number) =>
        expect(await ada.balances()).toMatchObject({ quota: QUOTA - price, used_quota: price, token_used: price })
      const isClean = async () => expect(await weir.gateway.ports.storage.ledger.faults()).toEqual([])
      /** Its time is up. */
      const age = (id: number) => weir.gateway.ports.storage.tasks.update(id, { submit_time: LONG_AGO })

      const courses: Course[] = []
      const add = (...course: Course) => courses.push(course)

      add('that end well are charged once, and told of until then', async () => {
        const { ada, told, price } = await submitted('done')
        await isCharged(ada, price)
        await looks(weir, ada, 2)
        expect(await tasksOf(weir, ada)).toMatchObject([{ finish_time: 0 }])
        const [task] = await looks(weir, ada, 9)
        expect(task).toMatchObject({ status: 'SUCCESS', progress: '100%', refunded: 0, due_at: null })
        expect(JSON.parse(task!.files)).not.toEqual([])
        expect((await read(ada, told)).text).not.toContain(vendor.url + '/v1/videos')
        const bob = await weir.addCaller({ quota: QUOTA })
        expect((await read(bob, told)).status).toBe(404)
        await isCharged(ada, task!.quota)
        await isClean()
      })

      add('that fail at 99 % are given back whole, once, with a row in the log that names them', async () => {
        const { ada, told } = await submitted('fails')
        const [task] = await looks(weir, ada, 9)
        expect(task).toMatchObject({ status: 'FAILURE', progress: '100%', refunded: task!.quota })
        expect(task!.fail_reason).toContain(played.why ?? 'content filter')
        await isCharged(ada, 0)
        const { items } = await weir.gateway.ports.storage.logs.list(
          { user_id: ada.user.id, type: 4 },
          { offset: 0, limit: 9 },
        )
        expect(items.filter(({ content }) => content.includes(told))).toHaveLength(1)
        await looks(weir, ada, 2)
        await isCharged(ada, 0)
        await isClean()
      })

      for (const course of (['never', 'lost', 'renamed'] as const).filter(
        (each) => each !== 'renamed' || !played.unnamed,
      ))
        add(`that are ${course} told to be over fail when their time is up`, async () => {
          const { ada, id, price } = await submitted(course)
          const [open] = await looks(weir, ada, 6)
          expect(open).toMatchObject({ finish_time: 0, refunded: 0 })
          await isCharged(ada, price)
          await age(id)
          const [task] = await looks(weir, ada, 1)
          expect(task).toMatchObject({ status: 'FAILURE', refunded: price })
          expect(task!.fail_reason).toContain('60 minutes')
          await isCharged(ada, 0)
          await isClean()
        })

      add('that are told of backwards never go back', async () => {
        const { ada, price } = await submitted('backwards')
        const seen: number[] = []
        for (let n = 0; n < 5; n += 1) {
          const [task] = await looks(weir, ada, 1)
          seen.push(Number.parseInt(task!.progress, 10))
        }
        expect(seen).toEqual(seen.toSorted((one, next) => one - next))
        expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'SUCCESS', quota: price, refunded: 0 }])
        await isClean()
      })

      add('that are done are asked about no more', async () => {
        const { ada, price } = await submitted('twice')
        await looks(weir, ada, 9)
        const looked = vendor.tasks.at(-1)?.looks
        await looks(weir, ada, 3)
        expect(vendor.tasks.at(-1)?.looks).toBe(looked)
        await isCharged(ada, price)
      })

      add('that are refused cost nothing, and are told in the words of their format', async () => {
        await channelAt(vendor)
        vendor.mood('refuses')
        const ada = await weir.addCaller({ quota: QUOTA })
        const answer = await ask(weir, ada, 'POST', path, body)
        vendor.mood('well')
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.status).toBeLessThan(500)
        expect(await tasksOf(weir, ada)).toEqual([])
        await isCharged(ada, 0)
        await isClean()
      })

      for (const mood of ['overloaded', 'broken'] as const)
        add(`that an ${mood} provider refuses go to the next channel`, async () => {
          await channelAt(vendor, 5)
          await channelAt(other)
          vendor.mood(mood)
          const ada = await weir.addCaller({ quota: QUOTA })
          const answer = await ask(weir, ada, 'POST', path, body)
          vendor.mood('well')
          expect(answer.status, answer.text).toBe(200)
          expect(await tasksOf(weir, ada)).toHaveLength(1)
          await looks(weir, ada, 9)
          const [task] = await tasksOf(weir, ada)
          expect(task?.status).toBe('SUCCESS')
          await isCharged(ada, task!.quota)
          await isClean()
        })

      add('that may have been taken are asked of nobody else, and cost nothing', async () => {
        await channelAt(vendor, 5)
        await channelAt(other)
        vendor.mood('silent')
        const before = other.tasks.length
        const ada = await weir.addCaller({ quota: QUOTA })
        const answer = await ask(weir, ada, 'POST', path, body)
        vendor.mood('well')
        expect(answer.status).toBe(502)
        expect(other.tasks).toHaveLength(before)
        await isCharged(ada, 0)
        await isClean()
      })

      for (const mood of ['overloaded', 'broken'] as const)
        add(`whose provider is ${mood} are asked about later`, async () => {
          const { ada, price } = await submitted('done')
          vendor.mood(mood, 'looks')
          const [open] = await looks(weir, ada, 2)
          vendor.mood('well', 'looks')
          expect(open).toMatchObject({ finish_time: 0, failures: 2 })
          const [task] = await looks(weir, ada, 9)
          expect(task).toMatchObject({ status: 'SUCCESS', refunded: 0 })
          await isCharged(ada, price)
        })

      it.each(choosePlayed(courses, played.place))('%s', (_, play) => play())
    },
  )
})
