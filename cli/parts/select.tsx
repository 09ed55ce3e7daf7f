// A list to pick from, filtered by typing; a window of it where it is long.
import { Box, Text } from 'ink'
import { oneLine } from '../visible.ts'
import type { Choice } from './form-state.ts'

const VISIBLE = 8

/** Draws the choices around the marked one. */
export function Select({ choices, picked, filter }: { choices: readonly Choice[]; picked: number; filter: string }) {
  const first = Math.max(0, Math.min(picked - Math.floor(VISIBLE / 2), choices.length - VISIBLE))
  const below = choices.length - first - VISIBLE
  return (
    <Box flexDirection="column">
      {filter === '' ? null : <Text dimColor>filter: {filter}</Text>}
      {choices.length === 0 ? <Text color="yellow">nothing matches</Text> : null}
      {first > 0 ? <Text dimColor> ↑ {first} more</Text> : null}
      {choices.slice(first, first + VISIBLE).map(({ value, label, hint }, offset) => (
        <Text key={value} color={first + offset === picked ? 'cyan' : undefined}>
          {first + offset === picked ? '❯ ' : '  '}
          {oneLine(label)}
          {hint ? <Text dimColor> {oneLine(hint)}</Text> : null}
        </Text>
      ))}
      {below > 0 ? <Text dimColor> ↓ {below} more</Text> : null}
    </Box>
  )
}
