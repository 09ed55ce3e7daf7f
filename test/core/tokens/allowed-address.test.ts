// From which addresses a token may be used.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAddressAllowed } from '../../../core/tokens/allowed-address.ts'

describe('an address', () => {
  test('is allowed anywhere by an empty list', () => {
    expect(isAddressAllowed('203.0.113.9', '')).toBe(true)
    expect(isAddressAllowed('', ' \n ')).toBe(true)
  })

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1\n 203.0.113.9 '],
    ['203.0.113.9', '203.0.113.0/24'],
    ['203.0.113.9', '0.0.0.0/0'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['2001:db8::1', '2001:0DB8:0:0::0001'],
    ['2001:db8::1', '2001:db8::/32'],
    ['::1', '127.0.0.1,::1'],
    ['203.0.113.9', 'nonsense\n203.0.113.9'],
  ])('%s is allowed by %j', (address, list) => {
    expect(isAddressAllowed(address, list)).toBe(true)
  })

  test.each([
    ['203.0.113.10', '203.0.113.9'],
    ['203.0.114.9', '203.0.113.0/24'],
    ['2001:db9::1', '2001:db8::/32'],
    ['203.0.113.9', '::/0'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['203.0.113.9', 'nonsense'],
    ['203.0.113.9', '203.0.113.9/33'],
    ['not an address', '0.0.0.0/0'],
    ['', '203.0.113.9'],
  ])('%s is refused by %j', (address, list) => {
    expect(isAddressAllowed(address, list)).toBe(false)
  })

  test('in the v4-mapped spelling of a range counts as IPv4', () => {
    expect(isAddressAllowed('203.0.113.9', '::ffff:203.0.113.0/120')).toBe(true)
    expect(isAddressAllowed('203.0.114.9', '::ffff:203.0.113.0/120')).toBe(false)
  })

  test('of IPv4 is in a range exactly when its first bits are', () => {
    const address = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
    const bitsOf = (parts: number[]) => parts.map((part) => part.toString(2).padStart(8, '0')).join('')
    fc.assert(
      fc.property(address, address, fc.integer({ min: 1, max: 32 }), (from, range, bits) => {
        const inside = bitsOf(from).slice(0, bits) === bitsOf(range).slice(0, bits)
        expect(isAddressAllowed(from.join('.'), `${range.join('.')}/${bits}`)).toBe(inside)
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})
