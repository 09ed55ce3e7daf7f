// A line of text being typed, with its cursor; a secret one shows a dot for each character.
import { Text } from 'ink'
import { visible } from '../visible.ts'

/** Draws the line; `at` is where the cursor stands. */
export function TextField({
  text,
  at,
  masked,
  hint,
}: {
  text: readonly string[]
  at: number
  masked: boolean
  hint?: string
}) {
  const shown = masked ? text.map(() => '•') : text.map(visible)
  return (
    <Text>
      {shown.slice(0, at).join('')}
      <Text inverse>{shown[at] ?? ' '}</Text>
      {shown.slice(at + 1).join('')}
      {text.length === 0 && hint ? <Text dimColor> {hint}</Text> : null}
    </Text>
  )
}
