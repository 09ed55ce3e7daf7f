// Colors of the channel types (specification); other types get one by their number.
import { numberedColor, type Color } from '../../parts/tags.tsx'

const BY_COLOR: Partial<Record<Color, number[]>> = {
  green: [1, 20, 25, 31, 35],
  'light-blue': [2],
  teal: [3, 23, 37],
  grey: [4, 39],
  blue: [5, 15, 18, 19, 22, 38, 41, 42, 43, 45, 46, 47, 48, 49],
  pink: [8],
  orange: [11, 17, 24],
  indigo: [14, 33],
  violet: [16],
  purple: [21, 26, 34, 36, 40, 44],
}

const byType = new Map(
  Object.entries(BY_COLOR).flatMap(([color, types]) => types.map((type) => [type, color as Color] as const)),
)

export const typeColor = (type: number): Color => byType.get(type) ?? numberedColor(type)
