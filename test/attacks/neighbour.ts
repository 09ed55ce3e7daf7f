// Measures the cost that clients without permission cause for others: every address that answers them, with every
// hostile body, many at once. npx tsx test/attacks/neighbour.ts [--database sqlite|postgres] [--only TEXT] [--at-once
// 20] [--rounds 3]
//
// Two figures of each: what one such request takes of the server's loop, and how long a neighbour's call takes meanwhile.
// Both are the least of several rounds, since the machine has other work, too. Fails where the first is above 5 ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { HOSTILE, LOOKED_INTO, publicPlaces, relayPlaces } from '../support/hostile.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import type { Busy, Served } from './neighbour-server.ts'

/** Of the loop, for one request. */
const MOST_MS = 5

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
  },
})
const atOnce = Number(values['at-once'])
const rounds = Number(values.rounds)
const say = (line: string) => process.stdout.write(`${line}\n`)

const { database, stop } = await databaseOfScript(values.database)
const child = fork(fileURLToPath(new URL('neighbour-server.ts', import.meta.url)), database ? [database] : [])
const heard = <T>() => new Promise<T>((resolve) => child.once('message', (told) => resolve(told as T)))
const served = await heard<Served>()
const busy = () => {
  const told = heard<Busy>()
  child.send('busy')
  return told
}

interface Case {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array | null
}

const callers = {
  'an unknown key': 'sk-nobody',
  'a key without money': served.poor,
  'a key that is off': served.disabled,
}
const bodies = Object.entries({ 'no body': { body: null, headers: {} }, ...HOSTILE, ...LOOKED_INTO })
const cases: Case[] = bodies.flatMap(([of, { body, headers }]) => [
  ...publicPlaces.map(({ name, method, path }) => ({
    name: `${name}, a body ${of}`,
    ...{ method, path, body: method === 'GET' ? null : body },
    headers: { 'content-type': 'application/json', 'new-api-user': '1', ...headers },
  })),
  ...relayPlaces.flatMap(({ method, path }) =>
    Object.entries(callers).map(([who, key]) => ({
      name: `${path}, ${who}, a body ${of}`,
      ...{ method, path, body },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    })),
  ),
])

const attackers = new Agent({ connections: atOnce })
const own = new Agent({ connections: 1 })

async function attack({ method, path, headers, body }: Case): Promise<void> {
  const asked = { dispatcher: attackers, method: method as 'POST', headers, body }
  // A refused body may end its connection.
  await request(served.url + path, asked).then(
    (answer) => answer.body.dump(),
    () => undefined,
  )
}
const wave = (each: Case) => Promise.all(Array.from({ length: atOnce }, () => attack(each)))

/** How long a neighbour's call takes, in ms. */
async function call(): Promise<number> {
  const from = performance.now()
  const answer = await request(`${served.url}/v1/models`, {
    dispatcher: own,
    headers: { authorization: `Bearer ${served.rich}` },
  })
  await answer.body.dump()
  return performance.now() - from
}

async function measured(each: Case): Promise<{ loop: number; neighbour: number }> {
  let [loop, neighbour] = [Infinity, Infinity]
  for (let round = 0; round < rounds; round++) {
    const before = await busy()
    await wave(each)
    const after = await busy()
    loop = Math.min(loop, Math.min(after.loop - before.loop, after.cpu - before.cpu) / atOnce)
    let over = false
    const attacked = wave(each).then(() => (over = true))
    let slowest = 0
    while (!over) slowest = Math.max(slowest, await call())
    await attacked
    neighbour = Math.min(neighbour, slowest)
  }
  return { loop, neighbour }
}

const chosen = cases.filter(({ name }) => name.includes(values.only))
for (let times = 0; times < 200; times++) await call()
say(
  `${chosen.length} kinds of requests, ${atOnce} at once, ${rounds} rounds; a neighbour's call alone: ${(await call()).toFixed(1)} ms`,
)
const results: { name: string; loop: number; neighbour: number }[] = []
for (const each of chosen) {
  const result = { name: each.name, ...(await measured(each)) }
  results.push(result)
  if (result.loop > MOST_MS) say(`TOO MUCH ${result.loop.toFixed(2)} ms of the loop: ${each.name}`)
}
const top = (by: 'loop' | 'neighbour') => [...results].sort((a, b) => b[by] - a[by]).slice(0, 10)
say('\nThe dearest, ms of the loop for one:')
for (const { name, loop } of top('loop')) say(`${loop.toFixed(2).padStart(8)}  ${name}`)
say(`\nThe slowest call of a neighbour while ${atOnce} were asked at once, ms:`)
for (const { name, neighbour } of top('neighbour')) say(`${neighbour.toFixed(1).padStart(8)}  ${name}`)
const over = results.filter(({ loop }) => loop > MOST_MS)
say(`\n${over.length} of ${results.length} above ${MOST_MS} ms`)
const ended = once(child, 'exit')
child.disconnect()
await ended
await Promise.all([attackers.close(), own.close(), stop()])
process.exitCode = over.length > 0 ? 1 : 0
