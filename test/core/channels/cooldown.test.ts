// The circuit breaker: when a channel is left alone, and how it comes back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCircuitBreakers } from '../../../core/channels/circuit-breaker.ts'
import type { CallFailure } from '../../../core/dialects/answers/call-failure.ts'
import { createFakeClock } from '../../support/clock.ts'

const circuit = { channel: 1, key: '', model: 'm' }
const failure = (status: number, more: Partial<CallFailure> = {}): CallFailure => ({
  ...{ status, message: 'no', type: 'error', code: null, param: null, source: 'upstream' },
  ...more,
})

function open(limits: { failures?: number; seconds?: number } = {}) {
  const clock = createFakeClock()
  const settings = {
    'channels.cooldown_failures': limits.failures ?? 3,
    'channels.cooldown_seconds': limits.seconds ?? 30,
  }
  const cooldowns = createCircuitBreakers(clock, () => settings)
  const isOpen = (of = circuit) => cooldowns.reopensAt(of) > 0
  const fail = (status = 500, more: Partial<CallFailure> = {}, of = circuit) => {
    cooldowns.begin(of)
    cooldowns.failed(of, failure(status, more))
  }
  return { clock, cooldowns, isOpen, fail }
}

describe('a cooldown', () => {
  test('opens after so many failures within a minute', () => {
    const { clock, isOpen, fail } = open()
    fail()
    fail()
    expect(isOpen()).toBe(false)
    clock.advance(61_000)
    fail()
    fail()
    expect(isOpen()).toBe(false)
    fail()
    expect(isOpen()).toBe(true)
    clock.advance(29_999)
    expect(isOpen()).toBe(true)
    clock.advance(1)
    expect(isOpen()).toBe(false)
  })

  test('counts failures in a row: a success begins anew', () => {
    const { clock, cooldowns, isOpen, fail } = open()
    for (let round = 0; round < 10; round++) {
      fail()
      fail()
      cooldowns.succeeded(circuit, clock.now())
    }
    expect(isOpen()).toBe(false)
  })

  test.each([429, 503])('opens at once on %i with a time to wait, for that long', (status) => {
    const { clock, isOpen, fail } = open()
    fail(status, { retry_after_ms: 5000 })
    expect(isOpen()).toBe(true)
    clock.advance(4999)
    expect(isOpen()).toBe(true)
    clock.advance(1)
    expect(isOpen()).toBe(false)
  })

  test('is of one channel, key and model', () => {
    const { isOpen, fail } = open({ failures: 1 })
    fail()
    expect(isOpen()).toBe(true)
    for (const other of [{ channel: 2 }, { key: 'k' }, { model: 'n' }])
      expect(isOpen({ ...circuit, ...other })).toBe(false)
  })

  test('lets one call try when its time is over, and closes or opens by its outcome', () => {
    const { clock, cooldowns, isOpen, fail } = open({ failures: 1 })
    fail()
    clock.advance(30_000)
    expect(isOpen()).toBe(false)
    cooldowns.begin(circuit)
    expect(isOpen()).toBe(true)
    cooldowns.failed(circuit, failure(500))
    clock.advance(29_999)
    expect(isOpen()).toBe(true)
    clock.advance(1)
    cooldowns.begin(circuit)
    expect(isOpen()).toBe(true)
    // The caller hung up: nothing was learned, the next call may try.
    cooldowns.abandoned(circuit)
    expect(isOpen()).toBe(false)
    cooldowns.begin(circuit)
    cooldowns.succeeded(circuit, clock.now())
    expect(isOpen()).toBe(false)
    fail(400)
    expect(isOpen()).toBe(false)
  })

  test('stays open when a call that began before it opened succeeds', () => {
    const { clock, cooldowns, isOpen, fail } = open()
    const began = clock.now()
    clock.advance(10)
    fail(429, { retry_after_ms: 60_000 })
    cooldowns.succeeded(circuit, began)
    expect(isOpen()).toBe(true)
    cooldowns.succeeded(circuit, clock.now())
    expect(isOpen()).toBe(false)
  })

  test.each([400, 404, 413, 422])('is not opened by a request that is refused with %i', (status) => {
    const { isOpen, fail } = open({ failures: 1 })
    fail(status)
    fail(500, { source: 'gateway', code: 'model_mapped_error' })
    expect(isOpen()).toBe(false)
  })

  test('is off where the setting is 0, and forgotten when the channel is changed', () => {
    const never = open({ failures: 0 })
    for (let count = 0; count < 50; count++) never.fail(429, { retry_after_ms: 1000 })
    expect(never.isOpen()).toBe(false)
    const { cooldowns, isOpen, fail } = open({ failures: 1 })
    fail()
    expect(cooldowns.open(1)).toMatchObject([{ key: '', model: 'm' }])
    cooldowns.forget(1)
    expect(isOpen()).toBe(false)
  })

  test('never lets two calls try at once, whatever happens', () => {
    const step = fc.constantFrom('call', 'success', 'failure', 'abandon', 'wait')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, cooldowns } = open({ failures: 1, seconds: 10 })
        cooldowns.failed(circuit, failure(500))
        let trying = false
        for (const each of steps) {
          if (each === 'wait') clock.advance(10_000)
          else if (each === 'call') {
            const may = cooldowns.reopensAt(circuit) === 0
            if (!may) continue
            expect(trying).toBe(false)
            cooldowns.begin(circuit)
            trying = true
          } else if (trying) {
            trying = false
            if (each === 'success') return
            if (each === 'failure') cooldowns.failed(circuit, failure(500))
            else cooldowns.abandoned(circuit)
          }
          if (clock.now() > 1_760_000_000_000 + 110_000) return
        }
      }),
      { seed: 1 },
    )
  })
})
