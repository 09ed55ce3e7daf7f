// A list to pick from, filtered by typing; a window of it where it is long.
import { Box } from 'ink'
import { Line } from './line.tsx'
import { oneLine } from '../../core/logs/visible.ts'
import type { Choice } from './form-state.ts'

const VISIBLE = 8

/** Draws the choices around the marked one. */
export function Select({ choices, picked, filter }: { choices: readonly Choice[]; picked: number; filter: string }) {
  const first = Math.max(0, Math.min(picked - Math.floor(VISIBLE / 2), choices.length - VISIBLE))
  const below = choices.length - first - VISIBLE
  return (
    <Box flexDirection="column">
      {filter === '' ? null : <Line dimColor>filter: {filter}</Line>}
      {choices.length === 0 ? <Line color="yellow">nothing matches</Line> : null}
      {first > 0 ? <Line dimColor> ↑ {first} more</Line> : null}
      {choices.slice(first, first + VISIBLE).map(({ value, label, hint }, offset) => (
        <Line key={value} color={first + offset === picked ? 'cyan' : undefined}>
          {first + offset === picked ? '❯ ' : '  '}
          {oneLine(label)}
          {hint ? <Line dimColor> {oneLine(hint)}</Line> : null}
        </Line>
      ))}
      {below > 0 ? <Line dimColor> ↓ {below} more</Line> : null}
    </Box>
  )
}
