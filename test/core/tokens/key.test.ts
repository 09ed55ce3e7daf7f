// Keys as clients present them, and the states of tokens.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isExhausted,
  isExpired,
  parseSeparatedList,
  formatKnownKey,
  maskKeyText,
  parseCredentialKey,
  getTokenStatus,
  type Token,
} from '../../../core/tokens/token.ts'

const KEY = 'abcdefghijKLMNOPQRST0123456789abcdefghijKLMNOPQR'

describe('a key', () => {
  test.each([
    KEY,
    `sk-${KEY}`,
    `Bearer ${KEY}`,
    `Bearer sk-${KEY}`,
    `bearer sk-${KEY}`,
    `BEARER   sk-${KEY}`,
    `Bearer\tsk-${KEY}`,
    `Bearer sk-${KEY} `,
    ` sk-${KEY} `,
  ])('is found in %j', (presented) => {
    expect(parseCredentialKey(presented)).toEqual({ key: KEY })
  })

  test('may be followed by the channel that an administrator asks for', () => {
    expect(parseCredentialKey(`Bearer sk-${KEY}-17`)).toEqual({ key: KEY, pin: '17' })
    expect(parseCredentialKey(`${KEY}-17`)).toEqual({ key: KEY, pin: '17' })
    expect(parseCredentialKey(`sk-${KEY}-nonsense`)).toEqual({ key: KEY, pin: 'nonsense' })
    expect(parseCredentialKey(`sk-${KEY}-`)).toEqual({ key: KEY })
  })

  test.each([undefined, '', ' ', 'Bearer ', 'Bearer sk-', 'sk-', 'sk--3'])('is not found in %j', (presented) => {
    expect(parseCredentialKey(presented)?.key ?? '').not.toMatch(/^[A-Za-z0-9]{48}$/)
  })

  test('that begins with s, k or both is read whole', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[sk]{1,4}[A-Za-z0-9]{44}$/),
        fc.option(fc.nat(), { nil: undefined }),
        (key, pin) => {
          const presented = `Bearer sk-${key}${pin === undefined ? '' : `-${pin}`}`
          expect(parseCredentialKey(presented)).toEqual(pin === undefined ? { key } : { key, pin: String(pin) })
        },
      ),
      { seed: 1 },
    )
  })

  test('is never shown whole by its mask', () => {
    expect(maskKeyText(KEY)).toBe('sk-abc***PQR')
    expect(maskKeyText(maskKeyText(KEY).slice(3))).toBe('sk-abc***PQR')
    expect([maskKeyText(''), maskKeyText(formatKnownKey('')), formatKnownKey(KEY)]).toEqual(['sk-***', 'sk-***', KEY])
  })
})

describe('a token', () => {
  const NOW = 1_760_000_000
  const token = {
    ...{ id: 1, user_id: 1, key: KEY, name: 'laptop', status: 1, created_time: 1, accessed_time: 1 },
    ...{ expired_time: -1, remain_quota: 5, unlimited_quota: false, used_quota: 0 },
    ...{ model_limits_enabled: false, model_limits: '', allow_ips: '', group: '' },
  }
  const at = (fields: Partial<Token>) => getTokenStatus({ ...token, ...fields } as Token, NOW)

  test('expires after its time, not at it, and never with -1', () => {
    expect(isExpired({ expired_time: -1 }, NOW)).toBe(false)
    expect(isExpired({ expired_time: NOW }, NOW)).toBe(false)
    expect(isExpired({ expired_time: NOW - 1 }, NOW)).toBe(true)
  })

  test('is exhausted at 0 and below, unless it is unlimited', () => {
    expect(isExhausted({ unlimited_quota: false, remain_quota: 1 })).toBe(false)
    expect(isExhausted({ unlimited_quota: false, remain_quota: 0 })).toBe(true)
    expect(isExhausted({ unlimited_quota: true, remain_quota: -7 })).toBe(false)
  })

  test('comes back by itself once the reason is gone', () => {
    for (const status of [1, 3, 4]) {
      expect(at({ status })).toBe(1)
      expect(at({ status, remain_quota: 0 })).toBe(4)
      expect(at({ status, expired_time: 5 })).toBe(3)
      expect(at({ status, expired_time: 5, remain_quota: 0 })).toBe(3)
    }
  })

  test('that its owner disabled stays so', () => {
    expect(at({ status: 2 })).toBe(2)
    expect(at({ status: 2, expired_time: 5 })).toBe(2)
  })

  test('reads lists with commas, blanks and line ends, without repeats', () => {
    expect(parseSeparatedList(' a,b\n\nc\r\n a ,, d\te ')).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(parseSeparatedList('')).toEqual([])
  })
})
