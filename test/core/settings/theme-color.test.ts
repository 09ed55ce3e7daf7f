// An operator's colour: only what can be read, and everything derived from it can be.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrastWithWhite, MIN_TEXT_CONTRAST, buildThemeProperties } from '../../../core/settings/theme-color.ts'

const color = fc
  .tuple(...([fc.nat(255), fc.nat(255), fc.nat(255)] as const))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)

/** Independent of ours: relative luminance as WCAG writes it. */
function ratio(one: string, other: string): number {
  const of = (hex: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4)
    })
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const [a, b] = [of(one), of(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

it('knows the contrast of every colour with white, and of what is none nothing', () => {
  expect(contrastWithWhite('#000000')).toBeCloseTo(21)
  expect(contrastWithWhite('#ffffff')).toBeCloseTo(1)
  expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 2)
  for (const none of ['', 'red', '#fff', '#12345g', 'rgb(0,0,0)']) expect(contrastWithWhite(none)).toBeNull()
  fc.assert(
    fc.property(color, (each) => {
      expect(contrastWithWhite(each)).toBeCloseTo(ratio(each, '#ffffff'), 6)
    }),
  )
})

it('gives links that can be read on the tints of the same colour, light and dark', () => {
  fc.assert(
    fc.property(color, fc.boolean(), (each, dark) => {
      const properties = buildThemeProperties(each, dark)
      const link = properties['--semi-color-link']!
      for (const tint of ['default', 'hover', 'active'])
        expect(ratio(link, properties[`--semi-color-primary-light-${tint}`]!)).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      expect(ratio(link, dark ? '#16161a' : '#ffffff')).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      expect(properties['--semi-color-primary']).toBe(each)
    }),
  )
  expect(buildThemeProperties('', true)).toEqual({})
})
