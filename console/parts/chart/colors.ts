// The colors of series, distinguishable by lightness as well, and readable on both backgrounds.
const LIGHT = [
  '#0b7285',
  '#c2570c',
  '#5b4bc4',
  '#2b8a3e',
  '#a8326b',
  '#866118',
  '#1864ab',
  '#9c36b5',
  '#5c6770',
  '#b3261e',
]
const DARK = [
  '#46bccf',
  '#ff922b',
  '#9d8cff',
  '#69c77b',
  '#f06fa7',
  '#d9ad4f',
  '#63a8ee',
  '#d67be8',
  '#a3adb5',
  '#ff8a80',
]

export const seriesColor = (index: number, dark: boolean): string => {
  const colors = dark ? DARK : LIGHT
  return colors[index % colors.length]!
}
