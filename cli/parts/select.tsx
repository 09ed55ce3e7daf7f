// A list to pick from, filtered by typing; a long list is shown as a window.
import { Box } from 'ink'
import { Line } from './line.tsx'
import { oneLine } from '../../core/logs/visible.ts'
import { words } from '../../core/errors.ts'
import type { Choice } from './form-state.ts'
import { useSay } from './speaking.ts'

const VISIBLE_ROWS = 8
const FILTER = words('filter:', '筛选：')
const NOTHING = words('nothing matches', '没有匹配项')
const MORE = words('more', '项')

/** Draws the choices around the marked one. */
export function Select({ choices, picked, filter }: { choices: readonly Choice[]; picked: number; filter: string }) {
  const say = useSay()
  const first = Math.max(0, Math.min(picked - Math.floor(VISIBLE_ROWS / 2), choices.length - VISIBLE_ROWS))
  const below = choices.length - first - VISIBLE_ROWS
  return (
    <Box flexDirection="column">
      {filter === '' ? null : (
        <Line dimColor>
          {say(FILTER)} {filter}
        </Line>
      )}
      {choices.length === 0 ? <Line color="yellow">{say(NOTHING)}</Line> : null}
      {first > 0 ? (
        <Line dimColor>
          {' '}
          ↑ {first} {say(MORE)}
        </Line>
      ) : null}
      {choices.slice(first, first + VISIBLE_ROWS).map(({ value, label, hint }, offset) => (
        <Line key={value} color={first + offset === picked ? 'cyan' : undefined}>
          {first + offset === picked ? '❯ ' : '  '}
          {oneLine(say(label))}
          {hint ? <Line dimColor> {oneLine(say(hint))}</Line> : null}
        </Line>
      ))}
      {below > 0 ? (
        <Line dimColor>
          {' '}
          ↓ {below} {say(MORE)}
        </Line>
      ) : null}
    </Box>
  )
}
