// Texts of a caller that cost a pattern matcher more than their length: runs of wildcards, long words, nested quantifiers.
// A search that goes back and forth in them never ends, and nothing else is answered: the test would not end either.
import http from 'node:http'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { EventStream } from '../../core/contract/replies.ts'
import { createWildcardMatcher } from '../../core/logs/row-filters.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { errors } from '../../core/errors.data.ts'
import { translateLogText } from '../../core/logs/event-texts.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { newLog } from '../storage/samples.ts'

/** What a text has in a list, in a model's name and in a stored sentence for the patterns to get lost in. */
const LONG = 'a'.repeat(10_000)
const HOSTILE = [
  `${'%'.repeat(2000)}!`,
  `${'a%'.repeat(1000)}!`,
  LONG,
  `${'(a+)+'.repeat(200)}!`,
  `${'a*'.repeat(1000)}b`,
]

const filled = (path: string) => path.replace(/\{\w+\}/g, '1')

describeWithOwnGateway('texts that look like patterns', (weir) => {
  it('stop nobody, in whatever field of whatever endpoint they stand', { timeout: 240_000 }, async () => {
    const { storage } = weir.gateway.ports
    await storage.logs.insert([newLog({ model_name: 'a'.repeat(191), content: LONG })])
    const document = (await send('GET', `${weir.url}/api/openapi.json`)).json
    const operations = Object.values(document.paths as Json).flatMap((path) => Object.values(path as Json)) as Json[]
    const exampleOf = (name: string): Json =>
      operations.find(({ operationId }) => operationId === name)?.requestBody?.content?.['application/json']?.example ??
      {}
    const wrong: string[] = []
    let [asked, turn] = [0, 0]
    async function ask(name: string, method: string, path: string, body?: Json) {
      const { status } = await weir.root.send(method, path, body === undefined ? {} : { body })
      if (status >= 500 && status !== 501)
        wrong.push(`${name}: ${method} ${path.slice(0, 80)} is answered with ${status}`)
      asked++
    }
    for (const [name, { method, path, query, body, reply, changes }] of endpointsByName) {
      // A stream never ends by itself: below.
      if (reply === EventStream || name.startsWith('site.restart')) continue
      const texts = () => (runsAllTests ? HOSTILE : [HOSTILE[turn++ % HOSTILE.length]!])
      const verb = changes ? 'POST' : method
      for (const field of Object.keys(query?.shape ?? {})) {
        for (const text of texts()) await ask(name, verb, `${filled(path)}?${field}=${encodeURIComponent(text)}`)
      }
      const example = exampleOf(name)
      for (const [field] of Object.entries(body?.shape ?? {}).filter(([key]) => typeof example[key] === 'string')) {
        for (const text of texts()) await ask(name, verb, filled(path), { ...example, [field]: text })
      }
    }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(400)
    expect((await send('GET', `${weir.url}/api/status`)).status).toBe(200)
  })

  it('stop nobody where new rows are compared with them', { timeout: 120_000 }, async () => {
    const streams = [...endpointsByName].filter(([, { reply, query }]) => reply === EventStream && query)
    expect(streams.length).toBeGreaterThan(1)
    for (const [name, { path, query }] of streams) {
      for (const field of Object.keys(query!.shape)) {
        const requests = HOSTILE.slice(0, 4).map((text) =>
          http.get(`${weir.url}${path}?${field}=${encodeURIComponent(text)}`, {
            headers: { cookie: weir.root.cookie(), 'new-api-user': String(weir.rootId) },
            agent: false,
          }),
        )
        const answers = await Promise.all(requests.map(async (request) => (await once(request, 'response'))[0]))
        expect(
          answers.every(({ statusCode }) => statusCode < 500),
          `${name} ${field}`,
        ).toBe(true)
        await weir.gateway.ports.storage.logs.insert([newLog({ user_id: weir.rootId, model_name: 'a'.repeat(191) })])
        expect((await send('GET', `${weir.url}/api/status`)).status).toBe(200)
        for (const request of requests) request.destroy()
      }
    }
  })
})

it('a wildcard pattern is compared as a regular expression would be, without its cost', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', 'abab', 'gpt-4o', 'aaaa']
  const patterns = ['', 'a', '%', '%%', 'a%', '%a', '%a%', 'a%b', 'a%b%', '%ab%ab', 'a%a', '%a%a%', 'g%4%o', 'ab%ab']
  for (const pattern of patterns) {
    const meaning = new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 's')
    const matches = createWildcardMatcher(pattern)
    for (const text of texts) expect(matches(text), `${text} like ${pattern}`).toBe(meaning.test(text))
  }
  for (const pattern of HOSTILE) createWildcardMatcher(pattern)(LONG)
})

it('a stored text that is nearly one of our sentences, many times over, is read once', () => {
  const pieces = Object.values(errors).flatMap(({ en, zh }) => [en, zh].flatMap((words) => words.split(/\{\w+\}/)))
  for (const piece of new Set(pieces.filter((text) => text.trim() !== ''))) {
    const text = piece.repeat(Math.ceil(9000 / piece.length))
    for (const length of [8000, 9000]) {
      translateStoredFailure(text.slice(0, length), 'zh')
      translateLogText(text.slice(0, length), 'zh')
    }
  }
})
